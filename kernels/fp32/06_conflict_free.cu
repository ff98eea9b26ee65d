// SPDX-License-Identifier: MIT
//
// conflict_free: no two lanes of a warp ask one bank for different words.
//
// From vector_load, a thread's register tile is taken apart into 4 x 4 pieces, BM/2 rows and BN/2 columns from each other,
// so that neighbouring lanes read neighbouring groups of four; and the rows of the transposed tile of A are padded.
//
// Predicted: the accesses of vector_load, without conflicts.
// Banks: a quarter-warp reads b[k][4·tx … +3], 32 neighbouring words. Storing A transposed, lane l writes row l/2 of
// k-group l%2; the groups lie 4·(BM + 4) = 528 words apart, 16 modulo 32, so 2 x 16 rows fill the 32 banks.
// Should bind: the latency of the loads between two barriers.
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

struct ConflictFreeSizes {
  static constexpr int BM = 128, BN = 128, BK = 8, TM = 8, TN = 8;
  static constexpr int pad = 4;  // floats behind each row of the transposed tile of A
  static constexpr int threads = BM * BN / (TM * TN);
  static constexpr int blocks = 2;  // a multiprocessor holds: at most 128 registers a thread
  static constexpr tilewright::Tile tile{.BM = BM, .BN = BN, .BK = BK, .TM = TM, .TN = TN};
  static_assert(TM == 8 && TN == 8, "two pieces of four each way");
  static_assert(BM % TM == 0 && BN % TN == 0, "register tiles fill the block's tile");
  static_assert(BK % 4 == 0 && TM % 4 == 0 && TN % 4 == 0, "four neighbours are one access");
  static_assert(4 * (BM + pad) % 32 == 16,
                "the two groups of k that a warp stores lie in different halves of the banks");
};

// Piece p of rows begins at p·BM/2, and so for columns. Row of register i: i/4·(BM/2) + 4·ty + i%4.
// A quarter-warp, k and j fixed:   lane         0          1       …       7
//                                  a         [k][4·ty …+3]                             one group: broadcast
//                                  b     [k][0 …+3]  [k][4 …+3]  …  [k][28 …+3]        32 banks, one word each
template <class S>
__global__ void __launch_bounds__(S::threads, S::blocks)
    conflict_free(const float* A, const float* B, float* C, int M, int N, int K) {
  constexpr int BM = S::BM, BN = S::BN, BK = S::BK, TM = S::TM, TN = S::TN;
  alignas(16) __shared__ float a[BK][BM + S::pad];  // (k, row), row fastest: A transposed
  alignas(16) __shared__ float b[BK][BN];           // (k, column), column fastest

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
      for (int i = 0; i < TM; i += 4) read_quad(&of_a[i], &a[k][i / 4 * (BM / 2) + ty * 4]);
#pragma unroll
      for (int j = 0; j < TN; j += 4) read_quad(&of_b[j], &b[k][j / 4 * (BN / 2) + tx * 4]);
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
      store_quad(C, row0 + i / 4 * (BM / 2) + ty * 4 + i % 4, column0 + j / 4 * (BN / 2) + tx * 4, M, N,
                 make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]));
}

template <class S>
static constexpr Rung describe(const char* name) {
  return {
      .name = name,
      .idea = "register tiles in 4 x 4 pieces and a padded tile of A: no bank conflict",
      .source = __FILE__,
      .tile = S::tile,
      .block = {.x = S::BN / S::TN, .y = S::BM / S::TM},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = S::BK * (S::BM + S::pad + S::BN) * std::int64_t(sizeof(float)),
      .kernel = conflict_free<S>,
      .predict = [](const Problem& p) -> PredictedCounts { return counts_of_tiles(S::tile, p); },
  };
}

TILEWRIGHT_RUNGS(describe<ConflictFreeSizes>("conflict_free"))
