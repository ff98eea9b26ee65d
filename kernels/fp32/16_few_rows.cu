// SPDX-License-Identifier: MIT
//
// few_rows: all rows of C are in the tile, and B, which is nearly all there is to load, goes from global memory to registers.
//
// From sliced_k: where M is so small that each element of B is used by one tile alone, shared memory has nothing to share. A
// team of threads covers the columns of a tile, 16 bytes each, and keeps G rows of B under way in registers while it computes on
// G others; A's few rows are in shared memory, transposed, where a team reads one address. The teams of a block share K chunk by
// chunk, the blocks of a column share the chunks; the last block to arrive adds the parts.
//   few_rows_16, few_rows_1  16 rows and one; tiles of 128 columns, a team is a warp;
//   few_rows_1_narrow        one row and 32 columns: four teams a warp, so many tiles that few blocks share one.
//
// Predicted: M·K·⌈N/BN⌉ + K·N·⌈M/ROWS⌉ loads; in shared memory, for each k of a team ROWS reads a thread and ROWS writes
// in all, and 2·teams·ROWS·BN more a block; with S = splits > 1, Q = 4⌈N/4⌉ and T tiles: S·M·Q elements written to scratch
// and read, S·T atomics.
// Banks: A is read by broadcast, of the narrow tile's four teams two by two; a warp copies 8 k of 4 rows, which are ROWS + 4
// floats a k apart: 8 groups of 4 banks.
// Should bind: global memory, on B.
#include "kernels/arrival.h"
#include "kernels/quads.h"
#include "kernels/rung.h"
#include "kernels/words/cp_async.h"
#include "kernels/words/launch_overlap.h"

using tilewright::arrives_last;
using tilewright::ceil_div;
using tilewright::cp_async;
using tilewright::cp_async_commit;
using tilewright::cp_async_wait;
using tilewright::Grid;
using tilewright::GridOrder;
using tilewright::let_next_launch_begin;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::read_quad;
using tilewright::rows_are_aligned;
using tilewright::Rung;
using tilewright::store_quad;
using tilewright::sum_of_parts;
using tilewright::wait_for_launch_before;

// ROWS of C; G rows of B under way, `groups` times G k of a chunk for each team; STAGES copies of the chunk of A.
template <int ROWS_, int BN_, int G_, int groups_, int STAGES_, int threads_, int blocks_>
struct FewRowsSizes {
  static constexpr int ROWS = ROWS_, BN = BN_, G = G_, groups = groups_, STAGES = STAGES_;
  static constexpr int threads = threads_, blocks = blocks_;  // of a block; that a multiprocessor holds
  static constexpr int TN = 4;
  static constexpr int team = BN / TN, teams = threads / team;  // threads that cover a row of the tile
  static constexpr int team_k = G * groups;                     // of a chunk, one team's
  static constexpr int BK = team_k * teams;                     // k of a chunk
  static constexpr int row_of_a = ROWS + (ROWS > 4 ? 4 : 0);    // floats from one k of A to the next
  static constexpr tilewright::Tile tile{.BM = ROWS, .BN = BN, .BK = BK, .TM = ROWS, .TN = TN};
  static_assert(32 % team == 0, "a warp has whole teams");
  static_assert(ROWS == 1 || ROWS % 4 == 0, "rows of A are read by quads or alone");
  static_assert(groups % 2 == 0, "two sets of registers take turns, the same ones in each chunk");
  static_assert(ROWS > 1 || G % 4 == 0, "the only row is read four k at a time");
  static_assert(ROWS <= 4 || row_of_a % 8 == 4, "8 k of four rows, which a warp copies, fill the banks");

  static constexpr std::int64_t tiles(const Problem& p) { return ceil_div(p.M, ROWS) * ceil_div(p.N, BN); }
  // As many as fill the multiprocessors once, if there are chunks for them.
  static constexpr std::int64_t splits(const Problem& p) {
    const std::int64_t fitting = std::int64_t{blocks} * p.multiprocessors / tiles(p);
    const std::int64_t chunks = ceil_div(p.K, BK);
    const std::int64_t fewer = fitting < chunks ? fitting : chunks;
    return fewer < 1 ? 1 : fewer;
  }
};

template <class S>
struct alignas(16) FewRowsShared {
  union {
    float a[S::STAGES][S::BK][S::row_of_a];      // (stage, k, row), row fastest: A transposed
    float4 parts[S::teams][S::ROWS][S::BN / 4];  // (team, row, quad), when the stages have been read
  };
  int last;
};

// Four neighbours of a row of B, `left` of which are there; zeros behind.
__device__ __forceinline__ float4 load_left(const float* from, int left) {
  return make_float4(left > 0 ? from[0] : 0.0f, left > 1 ? from[1] : 0.0f, left > 2 ? from[2] : 0.0f,
                     left > 3 ? from[3] : 0.0f);
}

// This team's sums over its k of this block's chunks, stored beside those of the other teams.
template <class S>
__device__ __forceinline__ void add_chunks(const float* A, const float* B, int M, int N, int K,
                                           FewRowsShared<S>& shared) {
  constexpr int ROWS = S::ROWS, BK = S::BK, G = S::G;
  const int thread = int(threadIdx.x), team = thread / S::team, place = thread % S::team;
  const std::int64_t chunks = (std::int64_t(K) + BK - 1) / BK, splits = gridDim.z, split = blockIdx.z;
  const int first = int(chunks * split / splits);
  int chunks_left = int(chunks * (split + 1) / splits) - first;

  // A: lane l of a warp copies k = l % 8 of row l / 8. Rows past the edge are copied as zeros, by an address within.
  constexpr int pass_k = S::threads / ROWS;  // k that the threads copy in one pass
  const int row0 = int(blockIdx.y) * ROWS, row_a = thread / 8 % ROWS;
  const int k_a = thread % 8 + thread / (8 * ROWS) * 8;
  const bool row_is_there = row0 + row_a < M;
  const float* from_a = A + std::int64_t(row_is_there ? row0 + row_a : 0) * K + first * BK + k_a;
  int k_a_left = row_is_there ? K - first * BK - k_a : 0;
  // Load: starts the copies of the next chunk of A.
  const auto start = [&](int stage) {
#pragma unroll
    for (int k = 0; k < BK; k += pass_k) {
      if (k_a + k >= BK) break;  // more threads than a chunk has elements
      cp_async<4>(&shared.a[stage][k_a + k][row_a], k < k_a_left ? from_a + k : A, k < k_a_left);
    }
    from_a += BK;
    k_a_left -= BK;
  };

  // B: G rows into one set of registers, zeros where no k is left; for threads past the edge of C none is.
  const int column = int(blockIdx.x) * S::BN + place * 4, left = N - column;
  const int first_k = first * BK + team * S::team_k;
  const float* from_b = B + std::int64_t(first_k) * N + column;
  int k_b_left = left > 0 ? K - first_k : 0;
  const bool aligned = rows_are_aligned(B, N);
  float4 of_b[2][G];
  const auto fetch = [&](int set, int group) {
    if (aligned && k_b_left >= G) {
#pragma unroll
      for (int g = 0; g < G; ++g)
        of_b[set][g] = __ldg(reinterpret_cast<const float4*>(from_b + std::int64_t(g) * N));
    } else {
#pragma unroll
      for (int g = 0; g < G; ++g)
        of_b[set][g] = load_left(from_b + std::int64_t(g) * N, g < k_b_left ? left : 0);
    }
    from_b += std::int64_t(G) * N;
    k_b_left -= G;
    if (group + 1 < S::groups) return;
    from_b += std::int64_t(BK - S::team_k) * N;  // to this team's k of the next chunk
    k_b_left -= BK - S::team_k;
  };

#pragma unroll
  for (int stage = 0; stage < S::STAGES - 1; ++stage) {
    if (stage < chunks_left) start(stage);
    cp_async_commit();  // a group a chunk, also an empty one: the wait counts them
  }
  fetch(0, 0);
  float sum[ROWS][S::TN] = {};
  for (int stage = 0; chunks_left > 0; --chunks_left) {
    cp_async_wait<S::STAGES - 2>();  // this chunk of A has arrived, as far as this thread copied it
    __syncthreads();                 // and as far as the others did; and everyone has read the stage before
    if (chunks_left >= S::STAGES) start(stage == 0 ? S::STAGES - 1 : stage - 1);
    cp_async_commit();

    const float* a = &shared.a[stage][team * S::team_k][0];
    stage = stage + 1 == S::STAGES ? 0 : stage + 1;
#pragma unroll 2
    for (int group = 0; group < S::groups; ++group) {
      if (group + 1 < S::groups || chunks_left > 1) fetch((group + 1) % 2, (group + 1) % S::groups);
      [[maybe_unused]] float of_four[4];  // where A has one row: of four k, which lie side by side
#pragma unroll
      for (int g = 0; g < G; ++g) {
        const float* const of_k = &a[(group * G + g) * S::row_of_a];
        float of_a[ROWS];
        if constexpr (ROWS == 1) {
          if (g % 4 == 0) read_quad(of_four, of_k);
          of_a[0] = of_four[g % 4];
        } else {
#pragma unroll
          for (int i = 0; i < ROWS; i += 4) read_quad(&of_a[i], &of_k[i]);
        }
        const float4 row = of_b[group % 2][g];
#pragma unroll
        for (int i = 0; i < ROWS; ++i) {
          sum[i][0] = fmaf(of_a[i], row.x, sum[i][0]);
          sum[i][1] = fmaf(of_a[i], row.y, sum[i][1]);
          sum[i][2] = fmaf(of_a[i], row.z, sum[i][2]);
          sum[i][3] = fmaf(of_a[i], row.w, sum[i][3]);
        }
      }
    }
  }
  cp_async_wait<0>();  // groups without copies; the stages' memory is used anew
  __syncthreads();     // and everyone has read the last stage
#pragma unroll
  for (int i = 0; i < ROWS; ++i)
    shared.parts[team][i][place] = make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
}

template <class S>
__global__ void __launch_bounds__(S::threads, S::blocks)
    few_rows(const float* A, const float* B, float* C, int M, int N, int K, float* scratch) {
  extern __shared__ float4 dynamic_shared[];
  FewRowsShared<S>& shared = *reinterpret_cast<FewRowsShared<S>*>(dynamic_shared);
  constexpr int quads = S::ROWS * S::BN / 4;  // of a tile
  const int thread = int(threadIdx.x), row0 = int(blockIdx.y) * S::ROWS, column0 = int(blockIdx.x) * S::BN;
  wait_for_launch_before();
  add_chunks<S>(A, B, M, N, K, shared);
  let_next_launch_begin();
  __syncthreads();

  // In scratch: the tiles' counters; then, from a line of 128 bytes on, tile by tile the parts of its splits.
  const int splits = int(gridDim.z), tiles = int(gridDim.x * gridDim.y);
  const int tile = int(blockIdx.y * gridDim.x + blockIdx.x);
  float4* const parts =
      reinterpret_cast<float4*>(&scratch[(tiles + 31) / 32 * 32]) + std::int64_t(tile) * splits * quads;
  for (int q = thread; q < quads; q += S::threads) {
    const float4 total = sum_of_parts(&shared.parts[0][0][q], quads, S::teams);
    const int row = row0 + q / (S::BN / 4), column = column0 + q % (S::BN / 4) * 4;
    if (splits == 1)
      store_quad(C, row, column, M, N, total);
    else if (row < M && column < N)
      parts[int(blockIdx.z) * quads + q] = total;
  }
  if (splits == 1 || !arrives_last(&scratch[tile], unsigned(splits), &shared.last)) return;

  // Add: all parts, its own too, in the order of K.
  for (int q = thread; q < quads; q += S::threads) {
    const int row = row0 + q / (S::BN / 4), column = column0 + q % (S::BN / 4) * 4;
    if (row < M && column < N) store_quad(C, row, column, M, N, sum_of_parts(&parts[q], quads, splits));
  }
}

template <class S>
static constexpr PredictedCounts predict_few_rows(const Problem& p) {
  const std::int64_t down = ceil_div(p.M, S::ROWS), across = ceil_div(p.N, S::BN);
  const std::int64_t steps = down * across * ceil_div(p.K, S::BK) * S::BK;  // k, over all tiles
  const std::int64_t splits = S::splits(p), blocks = splits * down * across;
  const std::int64_t teams_sums = blocks * S::teams * S::ROWS * S::BN;
  PredictedCounts counts{.global_reads = p.M * p.K * across + p.K * p.N * down,
                         .global_writes = p.M * p.N,
                         .shared_reads = steps * S::team * S::ROWS + teams_sums,
                         .shared_writes = steps * S::ROWS + teams_sums};
  if (splits == 1) return counts;
  const std::int64_t part = p.M * 4 * ceil_div(p.N, 4);  // of all tiles
  counts.global_writes += splits * part + blocks;
  counts.global_reads += splits * part + blocks;
  counts.shared_writes += blocks;  // whether it is the last, for every thread of the block
  counts.shared_reads += blocks * S::threads;
  return counts;
}

template <class S>
static constexpr Rung describe(const char* name) {
  return {
      .name = name,
      .idea = "few rows of C: B goes straight to registers, and teams of threads and blocks share K",
      .source = __FILE__,
      .tile = S::tile,
      .block = {.x = S::threads, .y = 1},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = 0,
      .kernel = nullptr,
      .predict = predict_few_rows<S>,
      .dynamic_shared_bytes = std::int64_t(sizeof(FewRowsShared<S>)),
      .grid = [](const Problem& p) -> Grid {
        return {ceil_div(p.N, S::BN), ceil_div(p.M, S::ROWS), S::splits(p)};
      },
      .scratch_floats = [](const Problem& p) -> std::int64_t {
        const std::int64_t splits = S::splits(p), tiles = S::tiles(p);
        return splits == 1 ? 0 : ceil_div(tiles, 32) * 32 + splits * tiles * S::ROWS * S::BN;
      },
      .scratch_counters = [](const Problem& p) -> std::int64_t {
        return S::splits(p) == 1 ? 0 : S::tiles(p);
      },
      .scratch_kernel = few_rows<S>,
      .overlaps = true,
  };
}

using FewRows16 = FewRowsSizes<16, 128, 4, 4, 3, 256, 2>;
using FewRows1 = FewRowsSizes<1, 128, 8, 2, 2, 256, 2>;
using FewRows1Narrow = FewRowsSizes<1, 32, 8, 2, 2, 512, 1>;

TILEWRIGHT_RUNGS(describe<FewRows16>("few_rows_16"), describe<FewRows1>("few_rows_1"),
                 describe<FewRows1Narrow>("few_rows_1_narrow"))
