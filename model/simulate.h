// SPDX-License-Identifier: MIT
//
// Products that are executed and counted as they go: no closed form is used, so that the closed forms can be
// held against these counts. A (M, K), B (K, N) and C (M, N) are row-major float32. Every element of C is one
// sum in ascending k of fused multiply-adds in float32, so the tiled products equal the direct one bit for
// bit; a tensor core sums in another order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/exact.h"
#include "model/mma.h"

namespace tilewright {

struct TiledProduct {
  std::vector<float> C;       // (M, N)
  std::int64_t global_reads;  // copies of elements that exist into shared memory
  std::int64_t shared_reads;  // operands of the multiply-adds performed
};

// One shared-memory level of b x b x b tiles; two shared reads for each multiply-add of the product.
// Throws bad_input when A or B has another size than the product says, or b < 1.
TiledProduct tiled_matmul(std::span<const float> A, std::span<const float> B, ProductSize product,
                          std::int64_t b);

// Register tiles t x t below it, clipped at ragged edges; t must divide b. In each k a register tile reads
// its column of A and its row of B once.
TiledProduct two_level_matmul(std::span<const float> A, std::span<const float> B, ProductSize product,
                              std::int64_t b, std::int64_t t);

struct MmaProduct {
  std::vector<float> C;  // (M, N)
  std::int64_t instructions;
};

// Fragments A (m, k), B (k, n), C (m, n), padded with zeros, one instruction at a time.
MmaProduct mma_matmul(std::span<const float> A, std::span<const float> B, ProductSize product,
                      MmaShape mma = {});

}  // namespace tilewright
