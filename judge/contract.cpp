// SPDX-License-Identifier: MIT
//
// The refusals of the exercise contract. Order of checks: what makes later checks meaningless comes first.
#include "judge/contract.h"

#include <charconv>
#include <cmath>
#include <string_view>

#include "core/error.h"

namespace tilewright {
namespace {

void require_dimension(const std::string& name, std::int64_t extent,
                       std::int64_t largest = largest_exercise_dimension) {
  if (extent < 1 || extent > largest)
    throw bad_input(name, std::to_string(extent), "must be an integer from 1 to " + std::to_string(largest));
}

// The shortest text that reads back as the same float; "nan" and "inf" are spelled so.
std::string text_of(float value) {
  char text[32];
  const auto [end, status] = std::to_chars(text, text + sizeof text, value);
  return status == std::errc{} ? std::string(text, end) : std::string();
}

void require_count(const char* name, const Matrix& matrix) {
  if (matrix.values.size() != static_cast<std::size_t>(matrix.rows * matrix.columns))
    throw bad_input(name, std::to_string(matrix.values.size()) + " elements",
                    "must hold rows * columns elements");
}

void require_elements(const char* name, const Matrix& matrix) {
  require_count(name, matrix);
  for (std::int64_t row = 0; row < matrix.rows; ++row)
    for (std::int64_t column = 0; column < matrix.columns; ++column) {
      const float value = matrix.at(row, column);
      if (std::fabs(value) <= 1.0F) continue;  // false for NaN
      throw bad_input(std::string(name) + "[" + std::to_string(row) + "," + std::to_string(column) + "]",
                      text_of(value), "every input must be finite and in [-1, 1]");
    }
}

void require_equal(const std::string& left, std::int64_t left_extent, const std::string& right,
                   std::int64_t right_extent) {
  if (left_extent != right_extent)
    throw bad_input(left, std::to_string(left_extent),
                    "must equal " + right + ", which is " + std::to_string(right_extent));
}

void require_contiguous_float32(const OperandView& view) {
  const std::string name = view.name;
  if (view.dtype != "float32")
    throw bad_input(name + " dtype", view.dtype, "must be float32; nothing is converted");
  require_dimension(name + " rows", view.rows);
  require_dimension(name + " columns", view.columns);
  if (view.data == nullptr) throw bad_input(name + " data", "null", "must point at the first element");
  if (reinterpret_cast<std::uintptr_t>(view.data) % alignof(float) != 0)
    throw bad_input(name + " data", "", "must be aligned to 4 bytes");
  const std::string rule =
      "must be contiguous row-major (row stride = columns, column stride = 1); a transposed, padded or "
      "reversed "
      "view is refused, never reinterpreted";
  if (view.rows > 1 && view.row_stride != view.columns)
    throw bad_input(name + " row stride", std::to_string(view.row_stride), rule);
  if (view.columns > 1 && view.column_stride != 1)
    throw bad_input(name + " column stride", std::to_string(view.column_stride), rule);
}

void require_apart(const OperandView& output, const OperandView& input) {
  const auto first_byte = [](const OperandView& view) { return reinterpret_cast<std::uintptr_t>(view.data); };
  const auto end_byte = [&](const OperandView& view) {
    return first_byte(view) + static_cast<std::uintptr_t>(view.rows * view.columns) * sizeof(float);
  };
  if (first_byte(output) < end_byte(input) && first_byte(input) < end_byte(output))
    throw bad_input(output.name, std::string("overlaps ") + input.name,
                    "the output must share no memory with an input");
}

}  // namespace

void require_exercise_shape(Shape shape) {
  require_dimension("M", shape.M);
  require_dimension("N", shape.N);
  require_dimension("K", shape.K);
}

void require_exercise_inputs(const Matrix& A, const Matrix& B) {
  require_equal("B rows", B.rows, "the columns of A", A.columns);
  require_exercise_shape({A.rows, B.columns, A.columns});
  require_elements("A", A);
  require_elements("B", B);
}

void require_library_shape(Shape shape) {
  require_dimension("M", shape.M, largest_library_dimension);
  require_dimension("N", shape.N, largest_library_dimension);
  require_dimension("K", shape.K, largest_library_dimension);
}

void require_library_inputs(const Matrix& A, const Matrix& B) {
  require_equal("B rows", B.rows, "the columns of A", A.columns);
  require_library_shape({A.rows, B.columns, A.columns});
  require_count("A", A);
  require_count("B", B);
}

void require_exercise_layout(const OperandView& A, const OperandView& B, const OperandView& C) {
  for (const OperandView* view : {&A, &B, &C}) require_contiguous_float32(*view);
  require_equal(std::string(B.name) + " rows", B.rows, std::string("the columns of ") + A.name, A.columns);
  require_equal(std::string(C.name) + " rows", C.rows, std::string("the rows of ") + A.name, A.rows);
  require_equal(std::string(C.name) + " columns", C.columns, std::string("the columns of ") + B.name,
                B.columns);
  require_apart(C, A);
  require_apart(C, B);
}

}  // namespace tilewright
