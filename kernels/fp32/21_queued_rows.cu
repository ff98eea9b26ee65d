// SPDX-License-Identifier: MIT
//
// queued_rows: as few_rows for up to sixteen rows, but B waits for its turn in shared memory, of which there is more than of
// registers.
//
// From few_rows: rows of B under way hold no registers. Each thread has a queue of its own in shared memory, QUEUE slots with a quad
// of G rows each; it fills them by copies of 16 bytes, QUEUE - 1 slots ahead, and nobody else reads them. So B needs no barrier: a
// thread waits for its own copies, whose groups are done in their order. Those of A go along in the groups of B.
//
// Predicted: the loads, sums of teams and of splits of few_rows; in shared memory, for each k of a team ROWS reads a thread and
// ROWS writes in all, of A, and BN of both, of B.
// Banks: A as in few_rows. Of B a warp writes and reads 512 neighbouring bytes; where rows are not aligned, it writes with 16
// bytes between its lanes: 4 ways.
// Should bind: global memory, on B: its bandwidth, with three times as much under way.
#include "kernels/arrival.h"
#include "kernels/quads.h"
#include "kernels/rung.h"
#include "kernels/words/cp_async.h"
#include "kernels/words/launch_overlap.h"

using tilewright::arrives_last;
using tilewright::ceil_div;
using tilewright::cp_async;
using tilewright::cp_async_commit;
using tilewright::cp_async_past_l1;
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
using tilewright::sum_of_far_parts;
using tilewright::sum_of_parts;
using tilewright::wait_for_launch_before;

struct QueuedRowsSizes {
  static constexpr int ROWS = 16, BN = 128, TN = 4;
  static constexpr int G = 4, QUEUE = 4;  // rows of B in a slot; slots, of which all but one are under way
  static constexpr int groups = 4;        // times G k of a chunk for each team
  static constexpr int STAGES = 3;        // copies of the chunk of A
  static constexpr int threads = 512, blocks = 1;               // of a block; that a multiprocessor holds
  static constexpr int team = BN / TN, teams = threads / team;  // threads that cover a row of the tile
  static constexpr int team_k = G * groups;                     // of a chunk, one team's
  static constexpr int BK = team_k * teams;                     // k of a chunk
  static constexpr int pass_k = threads / ROWS;                 // k of A that the threads copy in one pass
  static constexpr int row_of_a = ROWS + 4;                     // floats from one k of A to the next
  static constexpr tilewright::Tile tile{.BM = ROWS, .BN = BN, .BK = BK, .TM = ROWS, .TN = TN};
  static_assert(team == 32, "a team is a warp");
  static_assert(ROWS % 4 == 0, "rows of A are read by quads");
  static_assert(BK % pass_k == 0, "whole passes copy a chunk of A");
  static_assert(row_of_a % 8 == 4, "8 k of four rows, which a warp copies, fill the banks");
  static_assert((STAGES - 1) * groups >= QUEUE - 1,
                "a chunk of A arrives with rows of B that are read QUEUE - 1 groups after it was started");
  static_assert(threads == ROWS * BN / 4, "after the main loop, a thread has one quad of the tile");

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
struct alignas(16) QueuedRowsShared {
  union {
    struct {
      float a[S::STAGES][S::BK][S::row_of_a];  // (stage, k, row), row fastest: A transposed
      float4 b[S::QUEUE][S::G][S::threads];    // (slot, row of B, thread): each thread's own
    };
    float4 parts[S::teams][S::ROWS][S::BN / 4];  // (team, row, quad), when all that has been read
  };
  int last;
};

// This team's sums over its k of this block's chunks, stored beside those of the other teams.
template <class S>
__device__ __forceinline__ void add_chunks(const float* A, const float* B, int M, int N, int K,
                                           QueuedRowsShared<S>& shared) {
  constexpr int ROWS = S::ROWS, BK = S::BK, G = S::G;
  const int thread = int(threadIdx.x), team = thread / S::team, place = thread % S::team;
  const std::int64_t chunks = (std::int64_t(K) + BK - 1) / BK, splits = gridDim.z, split = blockIdx.z;
  const int first = int(chunks * split / splits);
  int chunks_left = int(chunks * (split + 1) / splits) - first;

  // A: lane l of a warp copies k = l % 8 of row l / 8. Rows past the edge are copied as zeros, by an address within.
  const int row0 = int(blockIdx.y) * ROWS, row_a = thread / 8 % ROWS;
  const int k_a = thread % 8 + thread / (8 * ROWS) * 8;
  const bool row_is_there = row0 + row_a < M;
  const float* from_a = A + std::int64_t(row_is_there ? row0 + row_a : 0) * K + first * BK + k_a;
  int k_a_left = row_is_there ? K - first * BK - k_a : 0;
  // Load: starts the copies of the next chunk of A.
  const auto start = [&](int stage) {
#pragma unroll
    for (int k = 0; k < BK; k += S::pass_k)
      cp_async<4>(&shared.a[stage][k_a + k][row_a], k < k_a_left ? from_a + k : A, k < k_a_left);
    from_a += BK;
    k_a_left -= BK;
  };

  // B: G rows into a slot of the queue, zeros where no k is left; for threads past the edge of C none is.
  const int column = int(blockIdx.x) * S::BN + place * 4, left = N - column;
  const int first_k = first * BK + team * S::team_k;
  const float* from_b = B + std::int64_t(first_k) * N + column;
  int k_b_left = left > 0 ? K - first_k : 0;
  const bool aligned = rows_are_aligned(B, N);
  int groups_left = chunks_left * S::groups;  // that are to be started
  const auto fetch = [&](int slot) {
    if (groups_left == 0) return;
    float* const to = &shared.b[slot][0][thread].x;
    constexpr int row_of_b = S::threads * 4;  // floats from one row of a slot to the next
    if (aligned && k_b_left >= G) {
#pragma unroll
      for (int g = 0; g < G; ++g) cp_async_past_l1(to + g * row_of_b, from_b + std::int64_t(g) * N, true);
    } else {
#pragma unroll
      for (int g = 0; g < G; ++g) {
#pragma unroll
        for (int j = 0; j < 4; ++j) {
          const bool inside = g < k_b_left && j < left;
          cp_async<4>(to + g * row_of_b + j, inside ? from_b + std::int64_t(g) * N + j : B, inside);
        }
      }
    }
    from_b += std::int64_t(G) * N;
    k_b_left -= G;
    if (--groups_left % S::groups != 0) return;
    from_b += std::int64_t(BK - S::team_k) * N;  // to this team's k of the next chunk
    k_b_left -= BK - S::team_k;
  };

#pragma unroll
  for (int stage = 0; stage < S::STAGES - 1; ++stage)
    if (stage < chunks_left) start(stage);
#pragma unroll 1
  for (int slot = 0; slot < S::QUEUE - 1; ++slot) {
    fetch(slot);
    cp_async_commit();  // the first one takes the chunks of A along
  }
  float sum[ROWS][S::TN] = {};
  int slot = 0;
#pragma unroll 1
  for (int stage = 0; chunks_left > 0; --chunks_left) {
    cp_async_wait<S::QUEUE - 2>();  // this chunk of A has arrived, as far as this thread copied it
    __syncthreads();                // and as far as the others did; and everyone has read the stage before
    if (chunks_left >= S::STAGES) start(stage == 0 ? S::STAGES - 1 : stage - 1);

    const float* a = &shared.a[stage][team * S::team_k][0];
    stage = stage + 1 == S::STAGES ? 0 : stage + 1;
#pragma unroll 1
    for (int group = 0; group < S::groups; ++group) {
      cp_async_wait<S::QUEUE - 2>();  // these rows of B have arrived, which no other thread reads
      float4 of_b[G];
#pragma unroll
      for (int g = 0; g < G; ++g) of_b[g] = shared.b[slot][g][thread];
      fetch(slot == 0 ? S::QUEUE - 1 : slot - 1);  // into the slot that was read before this one
      cp_async_commit();  // a group each time, also an empty one: the wait counts them
      slot = slot + 1 == S::QUEUE ? 0 : slot + 1;
#pragma unroll
      for (int g = 0; g < G; ++g) {
        const float* const of_k = &a[(group * G + g) * S::row_of_a];
        float of_a[ROWS];
#pragma unroll
        for (int i = 0; i < ROWS; i += 4) read_quad(&of_a[i], &of_k[i]);
        const float4 row = of_b[g];
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
    queued_rows(const float* A, const float* B, float* C, int M, int N, int K, float* scratch) {
  extern __shared__ float4 dynamic_shared[];
  QueuedRowsShared<S>& shared = *reinterpret_cast<QueuedRowsShared<S>*>(dynamic_shared);
  constexpr int quads = S::ROWS * S::BN / 4;  // of a tile, one a thread
  const int thread = int(threadIdx.x);
  const int row = int(blockIdx.y) * S::ROWS + thread / (S::BN / 4);
  const int column = int(blockIdx.x) * S::BN + thread % (S::BN / 4) * 4;
  wait_for_launch_before();
  add_chunks<S>(A, B, M, N, K, shared);
  let_next_launch_begin();
  __syncthreads();

  // In scratch: the tiles' counters; then, from a line of 128 bytes on, tile by tile the parts of its splits.
  const int splits = int(gridDim.z), tiles = int(gridDim.x * gridDim.y);
  const int tile = int(blockIdx.y * gridDim.x + blockIdx.x);
  float4* const parts =
      reinterpret_cast<float4*>(&scratch[(tiles + 31) / 32 * 32]) + std::int64_t(tile) * splits * quads;
  const bool inside = row < M && column < N;
  const float4 total = sum_of_parts(&shared.parts[0][0][thread], quads, S::teams);
  if (splits == 1)
    store_quad(C, row, column, M, N, total);
  else if (inside)
    parts[int(blockIdx.z) * quads + thread] = total;
  if (splits == 1 || !arrives_last(&scratch[tile], unsigned(splits), &shared.last)) return;

  // Add: all parts, its own too, in the order of K.
  if (inside) store_quad(C, row, column, M, N, sum_of_far_parts(&parts[thread], quads, splits));
}

template <class S>
static constexpr PredictedCounts predict_queued_rows(const Problem& p) {
  const std::int64_t down = ceil_div(p.M, S::ROWS), across = ceil_div(p.N, S::BN);
  const std::int64_t steps = down * across * ceil_div(p.K, S::BK) * S::BK;  // k, over all tiles
  const std::int64_t splits = S::splits(p), blocks = splits * down * across;
  const std::int64_t teams_sums = blocks * S::teams * S::ROWS * S::BN;
  PredictedCounts counts{.global_reads = p.M * p.K * across + p.K * p.N * down,
                         .global_writes = p.M * p.N,
                         .shared_reads = steps * (S::team * S::ROWS + S::BN) + teams_sums,
                         .shared_writes = steps * (S::ROWS + S::BN) + teams_sums};
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
      .idea = "few rows of C: each thread's rows of B wait in a queue of its own in shared memory",
      .source = __FILE__,
      .tile = S::tile,
      .block = {.x = S::threads, .y = 1},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = 0,
      .kernel = nullptr,
      .predict = predict_queued_rows<S>,
      .dynamic_shared_bytes = std::int64_t(sizeof(QueuedRowsShared<S>)),
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
      .scratch_kernel = queued_rows<S>,
      .overlaps = true,
  };
}

TILEWRIGHT_RUNGS(describe<QueuedRowsSizes>("queued_rows"))
