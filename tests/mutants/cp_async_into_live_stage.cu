// SPDX-License-Identifier: MIT
//
// cp_async_into_live_stage: async_copy, but wrong: the copies of a later step are started into the stage that is being computed on.
//
// Caught: race
// Shape: 17x19x50
#include "kernels/quads.h"
#include "kernels/rung.h"
#include "kernels/words/cp_async.h"

using tilewright::counts_of_tiles;
using tilewright::cp_async;
using tilewright::cp_async_commit;
using tilewright::cp_async_wait;
using tilewright::GridOrder;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::read_quad;
using tilewright::rows_are_aligned;
using tilewright::Rung;
using tilewright::store_quad;

struct CpAsyncIntoLiveStageSizes {
  static constexpr int BM = 64, BN = 64, BK = 8, WM = 64, WN = 32, TM = 8, TN = 8;
  static constexpr int STAGES = 4;      // copies of the tiles: one is computed on, the others arrive
  static constexpr int pad = 4;         // floats behind each row of the transposed tile of A
  static constexpr int lanes_down = 8;  // of a warp's 32 lanes; the others lie across
  static constexpr int lanes_across = 4;
  static constexpr int threads = BM * BN / (TM * TN);
  static constexpr int blocks = 2;  // a multiprocessor holds: at most 128 registers a thread
  static constexpr tilewright::Tile tile{.BM = BM, .BN = BN, .BK = BK, .TM = TM, .TN = TN};
  static_assert(TM == 8 && TN == 8, "two pieces of four each way");
  static_assert(WM == lanes_down * TM && WN == lanes_across * TN,
                "the lanes' register tiles fill the warp's tile");
  static_assert(BM % WM == 0 && BN % WN == 0, "warp tiles fill the block's tile");
  static_assert(BK % 4 == 0, "four neighbours are one access");
  static_assert(BK == 8 && (BM + pad) % 32 == 4, "eight k of four rows, which a warp copies, fill the banks");
};

// One warp, 8 lanes down and 4 across, each with 2 x 2 pieces of 4 x 4:
//                       columns  0…3   4…7   8…11  12…15 | 16…31 the same again
//                  rows 0…3       0     1     2     3
//                  rows 4…7       4     5     6     7
//                        …                  …
//                  rows 28…31    28    29    30    31
//                  rows 32…63     the same again
template <class S>
__global__ void __launch_bounds__(S::threads, S::blocks)
    cp_async_into_live_stage(const float* A, const float* B, float* C, int M, int N, int K) {
  constexpr int BM = S::BM, BN = S::BN, BK = S::BK, TM = S::TM, TN = S::TN;
  alignas(16) __shared__ float a[S::STAGES][BK][BM + S::pad];  // (stage, k, row), row fastest: A transposed
  alignas(16) __shared__ float b[S::STAGES][BK][BN];           // (stage, k, column), column fastest

  const int thread = int(threadIdx.x);
  const int warp = thread / 32, lane = thread % 32;
  const int warp_row = warp / (BN / S::WN) * S::WM, warp_column = warp % (BN / S::WN) * S::WN;
  const int own_row = warp_row + lane / S::lanes_across * 4;
  const int own_column = warp_column + lane % S::lanes_across * 4;
  const int row0 = int(blockIdx.y) * BM;
  const int column0 = int(blockIdx.x) * BN;

  const bool b_is_aligned = rows_are_aligned(B, N);
  // Load: starts the copies of one step's tiles, zero where they reach past the matrix; nothing past the last step.
  const auto start = [&](int step) {
    const int k0 = step * BK, stage = step % (S::STAGES - 1);
    if (k0 < K) {
      for (int i = thread; i < BM * BK; i += S::threads) {
        const int row = i / BK, k = i % BK;
        const bool inside = row0 + row < M && k0 + k < K;
        cp_async<4>(&a[stage][k][row], &A[inside ? std::int64_t(row0 + row) * K + k0 + k : 0],  // caught here
                    inside);
      }
      for (int i = thread; i < BK * BN / 4; i += S::threads) {
        const int k = i / (BN / 4), column = i % (BN / 4) * 4;
        const int left = k0 + k < K ? N - (column0 + column) : 0;  // elements of the row from here on
        const float* from = &B[left > 0 ? std::int64_t(k0 + k) * N + column0 + column : 0];
        if (b_is_aligned) {
          cp_async<16>(&b[stage][k][column], from, left > 0);  // caught here
        } else {
          for (int j = 0; j < 4; ++j)
            cp_async<4>(&b[stage][k][column + j], j < left ? &from[j] : B, j < left);  // caught here
        }
      }
    }
    cp_async_commit();  // a group a step, also an empty one: the wait counts them
  };

  for (int step = 0; step < S::STAGES - 1; ++step) start(step);

  float sum[TM][TN] = {};
  for (int step = 0; step * BK < K; ++step) {
    cp_async_wait<S::STAGES - 2>();  // this step's tiles have arrived, as far as this thread copied them
    __syncthreads();                 // and as far as the others did; and everyone has read the stage before
    start(step + S::STAGES - 1);     // into the stage before

    const int stage = step % (S::STAGES - 1);
#pragma unroll
    for (int k = 0; k < BK; ++k) {
      float of_a[TM], of_b[TN];
#pragma unroll
      for (int i = 0; i < TM; i += 4)
        read_quad(&of_a[i], &a[stage][k][own_row + i / 4 * (S::WM / 2)]);  // caught here
#pragma unroll
      for (int j = 0; j < TN; j += 4)
        read_quad(&of_b[j], &b[stage][k][own_column + j / 4 * (S::WN / 2)]);  // caught here
#pragma unroll
      for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j) sum[i][j] = fmaf(of_a[i], of_b[j], sum[i][j]);
    }
  }
#pragma unroll
  for (int i = 0; i < TM; ++i)
#pragma unroll
    for (int j = 0; j < TN; j += 4)
      store_quad(C, row0 + own_row + i / 4 * (S::WM / 2) + i % 4, column0 + own_column + j / 4 * (S::WN / 2),
                 M, N, make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]));
}

template <class S>
static constexpr Rung describe(const char* name) {
  return {
      .name = name,
      .idea = "the copies of a later step are started into the stage that is being computed on",
      .source = __FILE__,
      .tile = S::tile,
      .block = {.x = S::threads, .y = 1},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = S::STAGES * S::BK * (S::BM + S::pad + S::BN) * std::int64_t(sizeof(float)),
      .kernel = cp_async_into_live_stage<S>,
      .predict = [](const Problem& p) -> PredictedCounts { return counts_of_tiles(S::tile, p); },
  };
}

TILEWRIGHT_RUNGS(describe<CpAsyncIntoLiveStageSizes>("cp_async_into_live_stage"))
