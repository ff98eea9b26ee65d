// SPDX-License-Identifier: MIT
//
// two_k_swapped: vector_load that stores two of the four k of a load of A in each other's place.
//
// Every place of the transposed tile is written once and every index is in range; the products pair k with k + 1.
// Inputs that do not change along k hide it.
//
// Caught: wrong_value
#include "kernels/quads.h"
#include "kernels/rung.h"

using tilewright::counts_of_tiles;
using tilewright::GridOrder;
using tilewright::load_quad;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::read_quad;
using tilewright::Rung;
using tilewright::store_quad;

struct TwoKSwappedSizes {
  static constexpr int BM = 32, BN = 32, BK = 8, TM = 4, TN = 4;
  static constexpr int threads = BM * BN / (TM * TN);
  static constexpr int blocks = 2;  // a multiprocessor holds: at most 128 registers a thread
  static constexpr tilewright::Tile tile{.BM = BM, .BN = BN, .BK = BK, .TM = TM, .TN = TN};
  static_assert(BM % TM == 0 && BN % TN == 0, "register tiles fill the block's tile");
  static_assert(BK % 4 == 0 && TM % 4 == 0 && TN % 4 == 0, "four neighbours are one access");
};

template <class S>
__global__ void __launch_bounds__(S::threads, S::blocks)
    two_k_swapped(const float* A, const float* B, float* C, int M, int N, int K) {
  constexpr int BM = S::BM, BN = S::BN, BK = S::BK, TM = S::TM, TN = S::TN;
  alignas(16) __shared__ float a[BK][BM];  // (k, row), row fastest: A transposed
  alignas(16) __shared__ float b[BK][BN];  // (k, column), column fastest

  const int tx = int(threadIdx.x);
  const int ty = int(threadIdx.y);
  const int thread = ty * (BN / TN) + tx;
  const int row0 = int(blockIdx.y) * BM;
  const int column0 = int(blockIdx.x) * BN;

  float sum[TM][TN] = {};
  for (int k0 = 0; k0 < K; k0 += BK) {
    // Load: four neighbours at once, zero where the tile reaches past the matrix.
    for (int i = thread; i < BM * BK / 4; i += S::threads) {
      const int row = i / (BK / 4), k = i % (BK / 4) * 4;
      const float4 quad = load_quad(A, row0 + row, k0 + k, M, K);
      a[k][row] = quad.x;
      a[k + 1][row] = quad.z;
      a[k + 2][row] = quad.y;
      a[k + 3][row] = quad.w;
    }
    for (int i = thread; i < BK * BN / 4; i += S::threads) {
      const int k = i / (BN / 4), column = i % (BN / 4) * 4;
      *reinterpret_cast<float4*>(&b[k][column]) = load_quad(B, k0 + k, column0 + column, K, N);
    }
    __syncthreads();  // the tile is complete before anyone reads it

#pragma unroll
    for (int k = 0; k < BK; ++k) {
      float of_a[TM], of_b[TN];
#pragma unroll
      for (int i = 0; i < TM; i += 4) read_quad(&of_a[i], &a[k][ty * TM + i]);
#pragma unroll
      for (int j = 0; j < TN; j += 4) read_quad(&of_b[j], &b[k][tx * TN + j]);
#pragma unroll
      for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j) sum[i][j] = fmaf(of_a[i], of_b[j], sum[i][j]);
    }
    __syncthreads();  // everyone has read the tile before it is overwritten
  }
#pragma unroll
  for (int i = 0; i < TM; ++i)
#pragma unroll
    for (int j = 0; j < TN; j += 4)
      store_quad(C, row0 + ty * TM + i, column0 + tx * TN + j, M, N,
                 make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]));
}

template <class S>
static constexpr Rung describe(const char* name) {
  return {
      .name = name,
      .idea = "two k of the transposed tile of A are exchanged",
      .source = __FILE__,
      .tile = S::tile,
      .block = {.x = S::BN / S::TN, .y = S::BM / S::TM},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = S::BK * (S::BM + S::BN) * std::int64_t(sizeof(float)),
      .kernel = two_k_swapped<S>,
      .predict = [](const Problem& p) -> PredictedCounts { return counts_of_tiles(S::tile, p); },
  };
}

TILEWRIGHT_RUNGS(describe<TwoKSwappedSizes>("two_k_swapped"))
