// SPDX-License-Identifier: MIT
//
// register_tile: each thread computes a TM x TN tile of C, in registers.
//
// From column_tile, the register tile gets a second dimension: in each k a thread reads TM elements of A and TN of B from
// shared memory and makes TM·TN multiply-adds of them, an outer product.
//
// Predicted: M·K·⌈N/BN⌉ + K·N·⌈M/BM⌉ global reads, M·N global writes; (TM + TN)/(TM·TN) shared reads a multiply-add, 1/4 at
// 8 x 8; 4·BK·(BM + BN) bytes of shared memory; intensity 32 FLOP per requested input byte at BM = BN = 128.
// Banks: lanes tx read b[k][tx·TN + j], TN = 8 words apart: sixteen of them lie in four banks, 4 ways. The two rows of
// threads of a warp read a[ty·TM + i][k], TM·BK = 64 words apart: 2 ways. Left to conflict_free.
// Should bind: shared memory with its conflicts, then the 4-byte load instructions.
#include "kernels/rung.h"

using tilewright::counts_of_tiles;
using tilewright::GridOrder;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::Rung;

struct RegisterTileSizes {
  static constexpr int BM = 128, BN = 128, BK = 8, TM = 8, TN = 8;
  static constexpr int threads = BM * BN / (TM * TN);
  static constexpr int blocks = 2;  // a multiprocessor holds: at most 128 registers a thread
  static constexpr tilewright::Tile tile{.BM = BM, .BN = BN, .BK = BK, .TM = TM, .TN = TN};
  static_assert(BM % TM == 0 && BN % TN == 0, "register tiles fill the block's tile");
};

// One warp, k, i and j fixed:   lane        0 … 15             16 … 31
//                               a      [ty·TM+i][k]       [(ty+1)·TM+i][k]           two words
//                               b      [k][0·TN+j] [k][1·TN+j] … [k][15·TN+j]        16 words, TN apart
template <class S>
__global__ void __launch_bounds__(S::threads, S::blocks)
    register_tile(const float* A, const float* B, float* C, int M, int N, int K) {
  constexpr int BM = S::BM, BN = S::BN, BK = S::BK, TM = S::TM, TN = S::TN;
  __shared__ float a[BM][BK];  // (row, k), k fastest
  __shared__ float b[BK][BN];  // (k, column), column fastest

  const int tx = int(threadIdx.x);
  const int ty = int(threadIdx.y);
  const int thread = ty * (BN / TN) + tx;
  const int row0 = int(blockIdx.y) * BM;
  const int column0 = int(blockIdx.x) * BN;

  float sum[TM][TN] = {};
  for (int k0 = 0; k0 < K; k0 += BK) {
    // Load: zero where the tile reaches past the matrix.
    for (int i = thread; i < BM * BK; i += S::threads) {
      const int row = i / BK, k = i % BK;
      a[row][k] = row0 + row < M && k0 + k < K ? A[std::int64_t(row0 + row) * K + k0 + k] : 0.0f;
    }
    for (int i = thread; i < BK * BN; i += S::threads) {
      const int k = i / BN, column = i % BN;
      b[k][column] =
          k0 + k < K && column0 + column < N ? B[std::int64_t(k0 + k) * N + column0 + column] : 0.0f;
    }
    __syncthreads();  // the tile is complete before anyone reads it

    for (int k = 0; k < BK; ++k) {
      float of_a[TM], of_b[TN];
      for (int i = 0; i < TM; ++i) of_a[i] = a[ty * TM + i][k];
      for (int j = 0; j < TN; ++j) of_b[j] = b[k][tx * TN + j];
      for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j) sum[i][j] = fmaf(of_a[i], of_b[j], sum[i][j]);
    }
    __syncthreads();  // everyone has read the tile before it is overwritten
  }
  for (int i = 0; i < TM; ++i)
    for (int j = 0; j < TN; ++j) {
      const int row = row0 + ty * TM + i, column = column0 + tx * TN + j;
      if (row < M && column < N) C[std::int64_t(row) * N + column] = sum[i][j];
    }
}

template <class S>
static constexpr Rung describe(const char* name) {
  return {
      .name = name,
      .idea = "each thread computes a TM x TN tile in registers: an outer product for TM + TN shared reads",
      .source = __FILE__,
      .tile = S::tile,
      .block = {.x = S::BN / S::TN, .y = S::BM / S::TM},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = S::BK * (S::BM + S::BN) * std::int64_t(sizeof(float)),
      .kernel = register_tile<S>,
      .predict = [](const Problem& p) -> PredictedCounts { return counts_of_tiles(S::tile, p); },
  };
}

TILEWRIGHT_RUNGS(describe<RegisterTileSizes>("register_tile"))
