// SPDX-License-Identifier: MIT
//
// column_tile: each thread computes TM elements of one column of C, in registers.
//
// From shared_tile, a block keeps its threads but computes TM times as many rows: an element of B, once read from shared
// memory, serves TM multiply-adds. The tile is larger than the block, so each load is a loop over the tile.
//
// Predicted: M·K·⌈N/BN⌉ + K·N·⌈M/BM⌉ global reads, M·N global writes; in each k a thread reads TM + 1 elements of shared
// memory for TM multiply-adds, 9/8 at TM = 8 where shared_tile reads 2; 4·BK·(BM + BN) bytes of shared memory; intensity
// BM/4 FLOP per requested input byte for BM = BN, 16 at 64.
// Banks: a[row][k] is one word for a warp, b[k][tx] 32 neighbouring ones. No conflict.
// Should bind: shared memory still, at (TM + 1)/TM reads for every fused multiply-add.
#include "kernels/rung.h"

using tilewright::counts_of_tiles;
using tilewright::GridOrder;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::Rung;

struct ColumnTileSizes {
  static constexpr int BM = 64, BN = 64, BK = 8, TM = 8;
  static constexpr int threads = BM * BN / TM;
  static constexpr tilewright::Tile tile{.BM = BM, .BN = BN, .BK = BK, .TM = TM, .TN = 1};
  static_assert(BM % TM == 0, "register tiles fill the block's tile");
  static_assert(BN % 32 == 0, "a warp lies in one row of threads, so that its reads of a are one word");
};

// One warp, k and i fixed:   lane          0           1        …       31
//                            a       [ty·TM+i][k]  [ty·TM+i][k]  …  [ty·TM+i][k]     one word: broadcast
//                            b          [k][0]      [k][1]      …     [k][31]        32 banks, one word each
template <class S>
__global__ void __launch_bounds__(S::threads)
    column_tile(const float* A, const float* B, float* C, int M, int N, int K) {
  constexpr int BM = S::BM, BN = S::BN, BK = S::BK, TM = S::TM;
  __shared__ float a[BM][BK];  // (row, k), k fastest
  __shared__ float b[BK][BN];  // (k, column), column fastest

  const int tx = int(threadIdx.x);
  const int ty = int(threadIdx.y);
  const int thread = ty * BN + tx;
  const int row0 = int(blockIdx.y) * BM;
  const int column0 = int(blockIdx.x) * BN;

  float sum[TM] = {};
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
      const float of_b = b[k][tx];
      for (int i = 0; i < TM; ++i) sum[i] = fmaf(a[ty * TM + i][k], of_b, sum[i]);
    }
    __syncthreads();  // everyone has read the tile before it is overwritten
  }
  for (int i = 0; i < TM; ++i) {
    const int row = row0 + ty * TM + i, column = column0 + tx;
    if (row < M && column < N) C[std::int64_t(row) * N + column] = sum[i];
  }
}

template <class S>
static constexpr Rung describe(const char* name) {
  return {
      .name = name,
      .idea =
          "each thread computes a column of TM elements in registers: B is read once for TM multiply-adds",
      .source = __FILE__,
      .tile = S::tile,
      .block = {.x = S::BN, .y = S::BM / S::TM},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = S::BK * (S::BM + S::BN) * std::int64_t(sizeof(float)),
      .kernel = column_tile<S>,
      .predict = [](const Problem& p) -> PredictedCounts { return counts_of_tiles(S::tile, p); },
  };
}

TILEWRIGHT_RUNGS(describe<ColumnTileSizes>("column_tile"))
