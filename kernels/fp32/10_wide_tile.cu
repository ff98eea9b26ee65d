// SPDX-License-Identifier: MIT
//
// wide_tile: each thread computes 16 x 8 of C, and has the operands of the next k at hand before it needs them.
//
// From async_copy: a larger register tile, for fewer shared reads a multiply-add; operands in registers twice, so that
// those of k+1 are read while k is computed, across the barrier as well; multiply-adds that turn round at each row's end, so
// that neighbours share an operand; a step of 16 k, whose copies are spread over its first half. Nothing is guarded in the
// main loop: the remainder of K comes first, and blocks inside of C run code of their own.
//
// Predicted: the elements of async_copy but TM + TN = 24 shared reads for 128 multiply-adds, 3/16 each instead of 1/4;
// 8·BK·(BM + pad + BN) bytes of shared memory.
// Banks: reads as async_copy, 4 distinct quads of A and 8 of B. Stores of A: lane l copies k = l%8 of row l/8 as there.
// Should bind: the multiply-add pipe, with the other instructions of a step in the issue slots beside it.
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

struct WideTileSizes {
  static constexpr int BM = 128, BN = 128, BK = 16, WM = 64, WN = 64, TM = 16, TN = 8;
  static constexpr int STAGES = 2;      // copies of the tiles: one is computed on, the other arrives
  static constexpr int pad = 4;         // floats behind each row of the transposed tile of A
  static constexpr int lanes_down = 4;  // of a warp's 32 lanes; the others lie across
  static constexpr int lanes_across = 8;
  static constexpr int threads = BM * BN / (TM * TN);
  static constexpr int blocks = 2;  // a multiprocessor holds: at most 255 registers a thread
  static constexpr int parts = 8;   // of a step's copies, one beside each of its first k
  static constexpr tilewright::Tile tile{.BM = BM, .BN = BN, .BK = BK, .TM = TM, .TN = TN};
  static_assert(WM == lanes_down * TM && WN == lanes_across * TN,
                "the lanes' register tiles fill the warp's tile");
  static_assert(BM % WM == 0 && BN % WN == 0, "warp tiles fill the block's tile");
  static_assert(TM % 4 == 0 && TN % 4 == 0 && BK % 8 == 0,
                "four neighbours are one access, eight k one sector");
  static_assert(BM % (threads / 8) == 0 && threads % (BN / 4) == 0,
                "the threads copy whole rows in each pass");
  static_assert((BM + pad) % 32 == 4, "eight k of four rows, which a warp copies, fill the banks");
  static_assert(parts < BK, "a step's copies are committed before its last k");
};

// The copies of a step that one thread makes. Unit i of A: row + (i·rows_a) % BM, and 8 k further on for each BM that
// passes; of B: as many floats as one copy moves, rows_b rows further on.
template <class S, int BBytes>
struct WideTileCopies {
  static constexpr int width_b = BBytes / 4;
  static constexpr int rows_a = S::threads / 8;
  static constexpr int rows_b = S::threads / (S::BN / 4);
  static constexpr int a = S::BM * S::BK / S::threads;
  static constexpr int b = S::BK / rows_b * (4 / width_b);
};

// One block's tile of C. `inside`: it reaches past neither edge of C. BBytes: what a copy of B moves.
template <class S, bool inside, int BBytes>
__device__ __forceinline__ void wide_tile_block(const float* A, const float* B, float* C, int M, int N, int K,
                                                float (&a)[S::STAGES][S::BK][S::BM + S::pad],
                                                float (&b)[S::STAGES][S::BK][S::BN]) {
  using Copies = WideTileCopies<S, BBytes>;
  constexpr int BM = S::BM, BN = S::BN, BK = S::BK, TM = S::TM, TN = S::TN;
  const int thread = int(threadIdx.x);
  const int warp = thread / 32, lane = thread % 32;
  const int own_row = warp / (BN / S::WN) * S::WM + lane / S::lanes_across * 4;
  const int own_column = warp % (BN / S::WN) * S::WN + lane % S::lanes_across * 4;
  const int row0 = int(blockIdx.y) * BM;
  const int column0 = int(blockIdx.x) * BN;

  const int steps = (K + BK - 1) / BK;
  const int first = K - (steps - 1) * BK;  // k of the first step: the remainder, so that later ones are whole
  const int row_a = thread / 8, k_a = thread % 8;
  const int k_b = thread / (BN / 4), column_b = thread % (BN / 4) * 4;
  const float* from_a = A + std::int64_t(row0 + row_a) * K + k_a;
  const float* from_b = B + std::int64_t(k_b) * N + column0 + column_b;

  // Load: starts unit i of one step's copies, zero where it lies outside of the matrix or past `valid` k.
  const auto copy_a = [&](int i, int stage, int valid) {
    const int row = i * Copies::rows_a % BM, k = i * Copies::rows_a / BM * 8;
    const bool there = (inside || row0 + row_a + row < M) && (valid == BK || k_a + k < valid);
    cp_async<4>(&a[stage][k_a + k][row_a + row], there ? from_a + std::int64_t(row) * K + k : A, there);
  };
  const auto copy_b = [&](int i, int stage, int valid) {
    const int k = i / (4 / Copies::width_b) * Copies::rows_b, column = i % (4 / Copies::width_b);
    const bool there = (inside || column0 + column_b + column < N) && (valid == BK || k_b + k < valid);
    cp_async<BBytes>(&b[stage][k_b + k][column_b + column], there ? from_b + std::int64_t(k) * N + column : B,
                     there);
  };
  const auto copy_part = [&](int part, int stage, int valid) {
#pragma unroll
    for (int i = 0; i < Copies::a; ++i)
      if (i * S::parts / Copies::a == part) copy_a(i, stage, valid);
#pragma unroll
    for (int i = 0; i < Copies::b; ++i)
      if (i * S::parts / Copies::b == part) copy_b(i, stage, valid);
  };
  const auto advance = [&](int k) {
    from_a += k;
    from_b += std::int64_t(k) * N;
  };

#pragma unroll
  for (int part = 0; part < S::parts; ++part) copy_part(part, 0, first);
  cp_async_commit();
  advance(first);

  float sum[TM][TN] = {};
  float of_a[2][TM], of_b[2][TN];  // the operands of this k and of the next
  const auto read = [&](int set, int stage, int k) {
#pragma unroll
    for (int i = 0; i < TM; i += 4) read_quad(&of_a[set][i], &a[stage][k][own_row + i * S::lanes_down]);
#pragma unroll
    for (int j = 0; j < TN; j += 4) read_quad(&of_b[set][j], &b[stage][k][own_column + j * S::lanes_across]);
  };
  cp_async_wait<0>();
  __syncthreads();  // the first tiles are complete
  read(0, 0, 0);

  for (int step = 0; step < steps; ++step) {
    const int stage = step % S::STAGES, next = (step + 1) % S::STAGES;
    const bool more = step + 1 < steps;
#pragma unroll
    for (int k = 0; k < BK; ++k) {
      if (k < BK - 1) {
        read((k + 1) % 2, stage, k + 1);
      } else if (more) {
        cp_async_wait<0>();
        __syncthreads();  // the next tiles are complete, and everyone has read these
        read((k + 1) % 2, next, 0);
      }
      if (k < S::parts && more) copy_part(k, next, BK);
      if (k == S::parts) cp_async_commit();
#pragma unroll
      for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int n = 0; n < TN; ++n) {
          const int j = i % 2 == 0 ? n : TN - 1 - n;  // turns round, so that neighbours share an operand
          sum[i][j] = fmaf(of_a[k % 2][i], of_b[k % 2][j], sum[i][j]);
        }
    }
    advance(BK);
  }
#pragma unroll
  for (int i = 0; i < TM; ++i)
#pragma unroll
    for (int j = 0; j < TN; j += 4)
      store_quad(C, row0 + own_row + i / 4 * 4 * S::lanes_down + i % 4,
                 column0 + own_column + j * S::lanes_across, M, N,
                 make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]));
}

// One warp, 4 lanes down and 8 across, each with 4 x 2 pieces of 4 x 4:
//                       columns  0…3   4…7   …  28…31 | 32…63 the same again
//                  rows 0…3       0     1    …    7
//                  rows 4…7       8     9    …   15
//                  rows 8…11     16    17    …   23
//                  rows 12…15    24    25    …   31
//                  rows 16…31, 32…47, 48…63   the same again
template <class S>
__global__ void __launch_bounds__(S::threads, S::blocks)
    wide_tile(const float* A, const float* B, float* C, int M, int N, int K) {
  alignas(16)
      __shared__ float a[S::STAGES][S::BK][S::BM + S::pad];  // (stage, k, row), row fastest: A transposed
  alignas(16) __shared__ float b[S::STAGES][S::BK][S::BN];   // (stage, k, column), column fastest
  const bool inside = std::int64_t(blockIdx.y + 1) * S::BM <= M && std::int64_t(blockIdx.x + 1) * S::BN <= N;
  if (!inside)
    wide_tile_block<S, false, 4>(A, B, C, M, N, K, a, b);
  else if (rows_are_aligned(B, N))
    wide_tile_block<S, true, 16>(A, B, C, M, N, K, a, b);
  else
    wide_tile_block<S, true, 4>(A, B, C, M, N, K, a, b);
}

template <class S>
static constexpr Rung describe(const char* name) {
  return {
      .name = name,
      .idea = "a thread computes 16 x 8 of C and reads the operands of the next k before it needs them",
      .source = __FILE__,
      .tile = S::tile,
      .block = {.x = S::threads, .y = 1},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = S::STAGES * S::BK * (S::BM + S::pad + S::BN) * std::int64_t(sizeof(float)),
      .kernel = wide_tile<S>,
      .predict = [](const Problem& p) -> PredictedCounts { return counts_of_tiles(S::tile, p); },
  };
}

TILEWRIGHT_RUNGS(describe<WideTileSizes>("wide_tile"))
