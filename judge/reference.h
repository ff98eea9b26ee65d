// SPDX-License-Identifier: MIT
//
// The float64 product of the actual float32 inputs, and for each element the size of an honest float32
// rounding error, both fixed before anything runs. With u = 2^-24, p_k = A[i,k] * B[k,j], c = Σ p_k:
//
// An accumulation in float32 rounds once per step, by up to u |s_k|, s_k being the partial sum. Over a random
// order s_k is the sum of a random k-subset of the terms, whose expected square is
//
//     k/K · Σp² + k(k−1)/(K(K−1)) · (c² − Σp²)
//
// and summed over k = 1 … K that is exactly (K+1) · (Σp²/6 + c²/3). So
//
//     Y_ij = u · √( max( (K+1) · (Σ p_k² / 6 + c² / 3), Σ s_k² of the order k = 0 … K−1 ) ) + floor
//
// The second term is for inputs whose given order is adversarial, such as all positive products first; it
// needs the plain loop. The floor is K · 2^-150 (half the smallest subnormal per step) where some product is
// not zero: below 2^-126 a float32 rounding no longer shrinks with its operand. Where every product is zero,
// Y is 0: nothing rounds.
//
// Judging a result against this is judge/verdict.h's part.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/shape.h"

namespace tilewright {

inline constexpr double float32_unit = 0x1p-24;  // half the distance from 1 to the next float32

struct Reference {
  Shape shape;
  std::vector<double> product;    // (M, N) row-major: c
  std::vector<double> yardstick;  // (M, N): Y, in units of the product
  std::vector<double> gamma_bound;  // (M, N): γ_K · Σ|p_k|, γ_K = K u / (1 − K u), the classical worst case

  // Shown from the inputs themselves: operands are integer multiples of a power of two, and Σ|p_k| is at most
  // 2^24 products of those quanta in every element. Then every partial sum of every order is a float32, and C
  // must be `product` bit for bit.
  bool exact = false;

  std::string method;  // "loop" or "blas+sampled loop"
};

// The loop up to 2^30 multiply-adds or where the order matters, else BLAS. `order_term` asks for the Σ s_k²
// term; without it both give the same yardstick (to float64 rounding). Throws bad_input where inner
// dimensions differ, an operand is empty or holds a non-finite element, and `unsupported` for K of 2^24 or
// more, where γ_K does not exist.
Reference make_reference(const Matrix& A, const Matrix& B, bool order_term);

Reference reference_by_loop(const Matrix& A, const Matrix& B, bool order_term);
Reference reference_by_blas(const Matrix& A, const Matrix& B);  // has no Σ s_k² term

}  // namespace tilewright
