// SPDX-License-Identifier: MIT
//
// first_row_masked: column_tile that asks whether the first of a thread's TM rows exists, not each.
//
// The rows below it that lie beyond M are stored behind C. Where M is a multiple of TM all is well.
//
// Caught: out_of_bounds
#include "kernels/rung.h"

using tilewright::counts_of_tiles;
using tilewright::GridOrder;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::Rung;

struct FirstRowMaskedSizes {
  static constexpr int BM = 32, BN = 32, BK = 8, TM = 8;
  static constexpr int threads = BM * BN / TM;
  static constexpr tilewright::Tile tile{.BM = BM, .BN = BN, .BK = BK, .TM = TM, .TN = 1};
  static_assert(BM % TM == 0, "register tiles fill the block's tile");
  static_assert(BN % 32 == 0, "a warp lies in one row of threads, so that its reads of a are one word");
};

template <class S>
__global__ void __launch_bounds__(S::threads)
    first_row_masked(const float* A, const float* B, float* C, int M, int N, int K) {
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
    if (row0 + ty * TM < M && column < N) C[std::int64_t(row) * N + column] = sum[i];  // caught here
  }
}

template <class S>
static constexpr Rung describe(const char* name) {
  return {
      .name = name,
      .idea = "a thread's first row decides for all of its TM rows",
      .source = __FILE__,
      .tile = S::tile,
      .block = {.x = S::BN, .y = S::BM / S::TM},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = S::BK * (S::BM + S::BN) * std::int64_t(sizeof(float)),
      .kernel = first_row_masked<S>,
      .predict = [](const Problem& p) -> PredictedCounts { return counts_of_tiles(S::tile, p); },
  };
}

TILEWRIGHT_RUNGS(describe<FirstRowMaskedSizes>("first_row_masked"))
