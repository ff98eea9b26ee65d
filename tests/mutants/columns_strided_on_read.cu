// SPDX-License-Identifier: MIT
//
// columns_strided_on_read: register_tile that reads its TN columns BN/TN apart and stores them as neighbours.
//
// Reading so has no bank conflicts, but it is another choice of columns. Every element is stored once, and is the
// right sum of another column.
//
// Caught: wrong_value
#include "kernels/rung.h"

using tilewright::counts_of_tiles;
using tilewright::GridOrder;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::Rung;

struct ColumnsStridedOnReadSizes {
  static constexpr int BM = 32, BN = 32, BK = 8, TM = 4, TN = 4;
  static constexpr int threads = BM * BN / (TM * TN);
  static constexpr int blocks = 2;  // a multiprocessor holds: at most 128 registers a thread
  static constexpr tilewright::Tile tile{.BM = BM, .BN = BN, .BK = BK, .TM = TM, .TN = TN};
  static_assert(BM % TM == 0 && BN % TN == 0, "register tiles fill the block's tile");
};

template <class S>
__global__ void __launch_bounds__(S::threads, S::blocks)
    columns_strided_on_read(const float* A, const float* B, float* C, int M, int N, int K) {
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
      for (int j = 0; j < TN; ++j) of_b[j] = b[k][tx + j * (BN / TN)];
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
      .idea = "columns are read strided and stored as neighbours",
      .source = __FILE__,
      .tile = S::tile,
      .block = {.x = S::BN / S::TN, .y = S::BM / S::TM},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = S::BK * (S::BM + S::BN) * std::int64_t(sizeof(float)),
      .kernel = columns_strided_on_read<S>,
      .predict = [](const Problem& p) -> PredictedCounts { return counts_of_tiles(S::tile, p); },
  };
}

TILEWRIGHT_RUNGS(describe<ColumnsStridedOnReadSizes>("columns_strided_on_read"))
