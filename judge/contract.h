// SPDX-License-Identifier: MIT
//
// The exercise contract (mission R1): C[M x N] = A[M x K] * B[K x N], contiguous row-major float32,
// dimensions 1 … 4096, inputs finite in [-1, 1], C apart from both inputs. Whatever lies outside is refused
// by name and never reinterpreted. Nothing here is changed, copied or computed; every function returns or
// throws bad_input. `multiply` and `bench` keep the wider contract of the library, below.
#pragma once

#include <cstdint>
#include <string>

#include "core/shape.h"

namespace tilewright {

inline constexpr std::int64_t largest_exercise_dimension = 4096;

// Throws naming the dimension ("M", "N" or "K") that is not in 1 … 4096.
void require_exercise_shape(Shape shape);

// Throws on inner dimensions that differ, a shape outside the contract, or the first element (row-major, A
// before B) that is not finite in [-1, 1], as "A[row,column]".
void require_exercise_inputs(const Matrix& A, const Matrix& B);

// The library's contract: contiguous row-major float32 of any value, infinities and NaNs included, which propagate as
// IEEE 754 says (judge/non_finite.h); dimensions that a kernel's int holds, as far as memory does. Offsets have 64 bits.
inline constexpr std::int64_t largest_library_dimension = (std::int64_t{1} << 31) - 1;

// Throws naming the dimension.
void require_library_shape(Shape shape);
// Throws on inner dimensions that differ or a shape outside the contract.
void require_library_inputs(const Matrix& A, const Matrix& B);

// A caller's array as it describes it. Strides are in elements. `dtype` is the NumPy name, such as "float32".
struct OperandView {
  const char* name;
  const void* data;
  std::int64_t rows, columns;
  std::int64_t row_stride, column_stride;
  std::string dtype;
};

// Checks descriptions only; no element is read. Refuses, naming the operand: another dtype, dimensions
// outside 1 … 4096 or that do not fit together, a null or misaligned pointer, any layout but contiguous
// row-major (a transposed view included), and C sharing a byte with A or B. The stride of a dimension
// of extent 1 is never used to find an element, so any value is accepted there, as NumPy and DLPack
// define contiguity.
void require_exercise_layout(const OperandView& A, const OperandView& B, const OperandView& C);

}  // namespace tilewright
