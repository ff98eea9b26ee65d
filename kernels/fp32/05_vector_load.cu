// SPDX-License-Identifier: MIT
//
// vector_load: four neighbouring floats are one 16-byte access, in global and in shared memory.
//
// From register_tile, the loads of A and B and the stores of C take four floats at once, and so do the reads of shared
// memory, for which A is transposed there: the TM elements that a thread reads in each k become neighbours. Rows that are
// not 16-byte aligned (K or N no multiple of 4) are loaded float by float.
//
// Predicted: the elements of register_tile, in a quarter of the instructions where rows are aligned: per block and k-step
// (BM + BN)·BK/4 global loads and, in each k, (TM + TN)/4 shared reads a thread.
// Banks: a quarter-warp reads b[k][tx·TN … +3], eight groups of four TN = 8 words apart: 2 ways. Storing A transposed, the
// two groups of k of a warp lie 4·BM words apart, in one bank: 2 ways. Left to conflict_free.
// Should bind: shared memory's conflicts, then the latency of the loads between two barriers.
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

struct VectorLoadSizes {
  static constexpr int BM = 128, BN = 128, BK = 8, TM = 8, TN = 8;
  static constexpr int threads = BM * BN / (TM * TN);
  static constexpr int blocks = 2;  // a multiprocessor holds: at most 128 registers a thread
  static constexpr tilewright::Tile tile{.BM = BM, .BN = BN, .BK = BK, .TM = TM, .TN = TN};
  static_assert(BM % TM == 0 && BN % TN == 0, "register tiles fill the block's tile");
  static_assert(BK % 4 == 0 && TM % 4 == 0 && TN % 4 == 0, "four neighbours are one access");
};

// A quarter-warp, k and j fixed:   lane         0          1       …       7
//                                  a         [k][ty·TM …+3]                            one group: broadcast
//                                  b     [k][0 …+3]  [k][TN …+3]  …  [k][7·TN …+3]     eight groups, TN words apart
template <class S>
__global__ void __launch_bounds__(S::threads, S::blocks)
    vector_load(const float* A, const float* B, float* C, int M, int N, int K) {
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
      a[k + 1][row] = quad.y;
      a[k + 2][row] = quad.z;
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
      .idea = "16-byte loads of global and shared memory, for which A is stored there transposed",
      .source = __FILE__,
      .tile = S::tile,
      .block = {.x = S::BN / S::TN, .y = S::BM / S::TM},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = S::BK * (S::BM + S::BN) * std::int64_t(sizeof(float)),
      .kernel = vector_load<S>,
      .predict = [](const Problem& p) -> PredictedCounts { return counts_of_tiles(S::tile, p); },
  };
}

TILEWRIGHT_RUNGS(describe<VectorLoadSizes>("vector_load"))
