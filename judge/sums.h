// SPDX-License-Identifier: MIT
//
// The float64 sums over k that a reference is made of, for every element of a product, two ways: a
// plain loop, which every other claim rests on, and OpenBLAS for large shapes, checked against the
// loop. No yardstick here.
#pragma once

#include <vector>

#include "core/shape.h"

namespace tilewright {

// With p_k = A[i,k] * B[k,j] (exact in float64: 24 + 24 bits) and s_k = p_0 + … + p_k; all (M, N) row-major.
struct Sums {
  std::vector<double> product;    // Σ p_k
  std::vector<double> magnitude;  // Σ |p_k|
  std::vector<double> squares;    // Σ p_k²

  // Σ s_k² in the order k = 0 … K−1; empty from BLAS, which has no order.
  std::vector<double> partial_squares;
};

// One float64 accumulation in the order k = 0 … K−1 for each sum; blocks of C in parallel, result independent
// of the number of threads.
Sums sums_by_loop(const Matrix& A, const Matrix& B);

// Three products by cblas_dgemm: A·B, |A|·|B|, (A∘A)·(B∘B); checked by require_agreement_with_loop.
Sums sums_by_blas(const Matrix& A, const Matrix& B);

// Runs the loop on a seeded sample of rows and columns, the first and last among them. Throws Code::fault if
// any product, magnitude or square there differs by more than two float64 summations of those terms can.
void require_agreement_with_loop(const Matrix& A, const Matrix& B, const Sums& sums);

}  // namespace tilewright
