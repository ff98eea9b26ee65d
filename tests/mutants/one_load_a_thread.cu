// SPDX-License-Identifier: MIT
//
// one_load_a_thread: column_tile whose threads load one element of A each, as shared_tile's do.
//
// The tile of A is larger than the block, so its second half is never loaded, and what shared memory held before
// is read in its place. On a GPU that may be what another block left there, and look plausible.
//
// Caught: uninitialized_shared_read
#include "kernels/rung.h"

using tilewright::counts_of_tiles;
using tilewright::GridOrder;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::Rung;

struct OneLoadAThreadSizes {
  static constexpr int BM = 32, BN = 32, BK = 8, TM = 8;
  static constexpr int threads = BM * BN / TM;
  static constexpr tilewright::Tile tile{.BM = BM, .BN = BN, .BK = BK, .TM = TM, .TN = 1};
  static_assert(BM % TM == 0, "register tiles fill the block's tile");
  static_assert(BN % 32 == 0, "a warp lies in one row of threads, so that its reads of a are one word");
};

template <class S>
__global__ void __launch_bounds__(S::threads)
    one_load_a_thread(const float* A, const float* B, float* C, int M, int N, int K) {
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
    if (const int i = thread; i < BM * BK) {
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
      for (int i = 0; i < TM; ++i) sum[i] = fmaf(a[ty * TM + i][k], of_b, sum[i]);  // caught here
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
      .idea = "each thread loads one element of a tile that has two for each",
      .source = __FILE__,
      .tile = S::tile,
      .block = {.x = S::BN, .y = S::BM / S::TM},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = S::BK * (S::BM + S::BN) * std::int64_t(sizeof(float)),
      .kernel = one_load_a_thread<S>,
      .predict = [](const Problem& p) -> PredictedCounts { return counts_of_tiles(S::tile, p); },
  };
}

TILEWRIGHT_RUNGS(describe<OneLoadAThreadSizes>("one_load_a_thread"))
