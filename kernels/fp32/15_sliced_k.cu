// SPDX-License-Identifier: MIT
//
// sliced_k: the warps of a block share a tile of C by K, and so do the blocks, where C is too small to share out otherwise.
//
// From split_k: a tile of 32 x 32, so that a small C has many; all eight warps compute the whole tile, each over its own eight
// k of a step of 64, and their sums are added in shared memory; A stays as it is, row by row, and is read four k at a time;
// the parts of blocks are added in two levels, groups of `fan` first, so that no block adds hundreds.
//
// Predicted: the loads and shared accesses of a tile of BM x BN, and for each block 2·slices·BM·BN shared accesses more; with
// S = splits > 1, G = ⌈S/fan⌉ groups, Q = 4⌈N/4⌉ and T tiles: S·M·Q elements written to scratch and read, S·T atomics;
// where G > 1, G·M·Q and G·T more.
// Banks: a quarter-warp reads one quad of A and 8 of B; the 4 rows of A that a warp reads begin 4 banks apart.
// Should bind: latency, of the first step's loads and of the arrivals, where K is short; else the multiply-add pipe.
#include "kernels/arrival.h"
#include "kernels/quads.h"
#include "kernels/rung.h"
#include "kernels/words/cp_async.h"
#include "kernels/words/launch_overlap.h"

using tilewright::arrives_last;
using tilewright::ceil_div;
using tilewright::counts_of_tiles;
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

struct SlicedKSizes {
  static constexpr int BM = 32, BN = 32, TM = 8, TN = 4;
  static constexpr int slices = 8;             // of a step, a warp each
  static constexpr int slice_k = 8;            // k of a slice
  static constexpr int BK = slices * slice_k;  // k of a step
  static constexpr int STAGES = 4;             // copies of the tiles: one is computed on, the others arrive
  static constexpr int pad = 4;                // floats behind each row of the tile of A
  static constexpr int lanes_down = BM / TM;   // of a warp's 32 lanes; the others lie across
  static constexpr int lanes_across = BN / TN;
  static constexpr int threads = 32 * slices;
  static constexpr int blocks = 2;             // a multiprocessor holds: at most 128 registers a thread
  static constexpr int fan = 16;               // splits of a group, whose last block adds them
  static constexpr int fewest_steps = STAGES;  // of a split, so that its stages are filled once
  static constexpr tilewright::Tile tile{.BM = BM, .BN = BN, .BK = BK, .TM = TM, .TN = TN};
  static_assert(lanes_down * lanes_across == 32, "a warp computes the whole tile");
  static_assert(TN == 4 && slice_k % 4 == 0, "a lane reads quads");
  static_assert(BM * BN / 4 == threads, "after the slices are added, a thread has one quad of the tile");
  static_assert((BK + pad) % 32 == 4, "neighbouring rows of A begin four banks apart");

  static constexpr std::int64_t tiles(const Problem& p) { return ceil_div(p.M, BM) * ceil_div(p.N, BN); }
  // As many as fill the multiprocessors once, if the splits are long enough.
  static constexpr std::int64_t splits(const Problem& p) {
    const std::int64_t fitting = std::int64_t{blocks} * p.multiprocessors / tiles(p);
    const std::int64_t worthwhile = ceil_div(p.K, BK) / fewest_steps;
    const std::int64_t fewer = fitting < worthwhile ? fitting : worthwhile;
    return fewer < 1 ? 1 : fewer;
  }
  static constexpr std::int64_t groups(const Problem& p) { return ceil_div(splits(p), fan); }
};

template <class S>
struct SlicedKStage {
  float a[S::BM][S::BK + S::pad];  // (row, k), k fastest
  float b[S::BK][S::BN];           // (k, column), column fastest
};

template <class S>
struct alignas(16) SlicedKShared {
  union {
    SlicedKStage<S> stages[S::STAGES];
    float4 slices[S::slices][S::threads];  // (slice, quad), when the stages have been read
  };
  int last;
};

// Four neighbours into shared memory, the first `left` of them, zeros behind; at once, or one by one where Bytes is 4.
template <int Bytes>
__device__ __forceinline__ void copy_quad(float* to, const float* from, int left) {
  if constexpr (Bytes == 16) {
    cp_async_past_l1(to, from, left > 0);
  } else {
#pragma unroll
    for (int j = 0; j < 4; ++j) cp_async<4>(to + j, j < left ? from + j : from, j < left);
  }
}

// This warp's sums over its slice of this block's steps: lane 8d + c has the rows d, d + 4, … d + 28 and the columns
// 4c … 4c + 3 of the tile. Bytes: what a copy moves.
template <class S, int Bytes>
__device__ __forceinline__ void add_slice(const float* A, const float* B, int M, int N, int K,
                                          SlicedKStage<S>* stages, float (&sum)[S::TM][S::TN]) {
  constexpr int BK = S::BK, TM = S::TM, TN = S::TN;
  constexpr int rows_a = S::threads / (BK / 4), rows_b = S::threads / (S::BN / 4);  // a pass of copies fills
  constexpr int copies_a = S::BM / rows_a, copies_b = BK / rows_b;
  const int thread = int(threadIdx.x), lane = thread % 32;
  const int row0 = int(blockIdx.y) * S::BM, column0 = int(blockIdx.x) * S::BN;
  const std::int64_t steps = (std::int64_t(K) + BK - 1) / BK, splits = gridDim.z, split = blockIdx.z;
  const int first = int(steps * split / splits), end = int(steps * (split + 1) / splits);

  // What this thread copies of a step. Rows and columns past the edges are copied as zeros, by addresses within.
  const int row_a = thread / (BK / 4), k_a = thread % (BK / 4) * 4;
  const int k_b = thread / (S::BN / 4), column_b = thread % (S::BN / 4) * 4;
  const int left_b = N - column0 - column_b;
  const float* from_a[copies_a];
  const float* from_b[copies_b];
#pragma unroll
  for (int i = 0; i < copies_a; ++i)
    from_a[i] = A + std::int64_t(min(row0 + row_a + i * rows_a, M - 1)) * K + first * BK + k_a;
#pragma unroll
  for (int i = 0; i < copies_b; ++i)
    from_b[i] = B + std::int64_t(first * BK + k_b + i * rows_b) * N + (left_b > 0 ? column0 + column_b : 0);
  int k_left = K - first * BK, steps_left = end - first;
  SlicedKStage<S>* into = stages;

  const auto copy = [&](bool whole) {
#pragma unroll
    for (int i = 0; i < copies_a; ++i) {
      const int left = row0 + row_a + i * rows_a >= M ? 0 : whole ? 4 : k_left - k_a;
      copy_quad<Bytes>(&into->a[row_a + i * rows_a][k_a], whole || left > 0 ? from_a[i] : A, left);
      from_a[i] += BK;
    }
#pragma unroll
    for (int i = 0; i < copies_b; ++i) {
      const int left = whole || k_b + i * rows_b < k_left ? left_b : 0;
      copy_quad<Bytes>(&into->b[k_b + i * rows_b][column_b], whole || left > 0 ? from_b[i] : B, left);
      from_b[i] += std::int64_t(BK) * N;
    }
  };
  // Load: starts the copies of the next step's tiles; nothing past the last step.
  const auto start = [&] {
    if (steps_left > 0) {
      if (k_left >= BK)
        copy(true);
      else
        copy(false);
      k_left -= BK;
      --steps_left;
      into = into == stages + S::STAGES - 1 ? stages : into + 1;
    }
    cp_async_commit();  // a group a step, also an empty one: the wait counts them
  };

#pragma unroll
  for (int stage = 0; stage < S::STAGES - 1; ++stage) start();

  const int slice = thread / 32 * S::slice_k;
  const SlicedKStage<S>* stage = stages;
  for (int step = first; step < end; ++step) {
    cp_async_wait<S::STAGES - 2>();  // this step's tiles have arrived, as far as this thread copied them
    __syncthreads();                 // and as far as the others did; and everyone has read the stage before
    start();                         // into the stage before

    const float* a = &stage->a[lane / S::lanes_across][slice];
    const float* b = &stage->b[slice][lane % S::lanes_across * 4];
#pragma unroll
    for (int k4 = 0; k4 < S::slice_k; k4 += 4) {
      float of_a[TM][4];
#pragma unroll
      for (int i = 0; i < TM; ++i) read_quad(of_a[i], &a[i * S::lanes_down * (BK + S::pad) + k4]);
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        float of_b[TN];
        read_quad(of_b, &b[(k4 + k) * S::BN]);
#pragma unroll
        for (int i = 0; i < TM; ++i)
#pragma unroll
          for (int n = 0; n < TN; ++n) {
            const int j = i % 2 == 0 ? n : TN - 1 - n;  // turns round, so that neighbours share an operand
            sum[i][j] = fmaf(of_a[i][k], of_b[j], sum[i][j]);
          }
      }
    }
    stage = stage == stages + S::STAGES - 1 ? stages : stage + 1;
  }
}

// Adds the slices, in the order of K. A thread has the thread-th quad of the tile, counted along its rows.
template <class S>
__device__ __forceinline__ float4 add_slices(const float (&sum)[S::TM][S::TN],
                                             float4 (&slices)[S::slices][S::threads]) {
  const int thread = int(threadIdx.x), slice = thread / 32, lane = thread % 32;
  cp_async_wait<0>();  // groups without copies; the stages' memory is used anew
  __syncthreads();     // and everyone has read the last stage
#pragma unroll
  for (int i = 0; i < S::TM; ++i)
    slices[slice][lane + i * S::lanes_down * (S::BN / 4)] =
        make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
  __syncthreads();
  return sum_of_parts(&slices[0][thread], S::threads, S::slices);
}

template <class S>
__global__ void __launch_bounds__(S::threads, S::blocks)
    sliced_k(const float* A, const float* B, float* C, int M, int N, int K, float* scratch) {
  extern __shared__ float4 dynamic_shared[];
  SlicedKShared<S>& shared = *reinterpret_cast<SlicedKShared<S>*>(dynamic_shared);
  wait_for_launch_before();
  float sum[S::TM][S::TN] = {};
  if (rows_are_aligned(A, K) && rows_are_aligned(B, N))
    add_slice<S, 16>(A, B, M, N, K, shared.stages, sum);
  else
    add_slice<S, 4>(A, B, M, N, K, shared.stages, sum);
  let_next_launch_begin();
  float4 total = add_slices<S>(sum, shared.slices);

  const int thread = int(threadIdx.x);
  const int row = int(blockIdx.y) * S::BM + thread / (S::BN / 4);
  const int column = int(blockIdx.x) * S::BN + thread % (S::BN / 4) * 4;
  const int splits = int(gridDim.z), split = int(blockIdx.z);
  if (splits == 1) return store_quad(C, row, column, M, N, total);

  // In scratch: of each tile a counter for each group and one for the tile; then, from a line of 128 bytes on, of each tile
  // the parts of the splits and those of the groups.
  constexpr int quads = S::threads;
  const int groups = (splits + S::fan - 1) / S::fan, group = split / S::fan;
  const int in_group = min(S::fan, splits - group * S::fan);
  const int tiles = int(gridDim.x * gridDim.y), tile = int(blockIdx.y * gridDim.x + blockIdx.x);
  float* const counters = &scratch[tile * (groups + 1)];
  float4* const of_all_tiles = reinterpret_cast<float4*>(&scratch[(tiles * (groups + 1) + 31) / 32 * 32]);
  float4* const of_splits = &of_all_tiles[std::int64_t(tile) * (splits + groups) * quads + thread];
  float4* const of_groups = &of_splits[splits * quads];
  const bool inside = row < M && column < N;

  // The last block of a group adds the group's parts, in the order of K.
  if (inside) of_splits[split * quads] = total;
  if (!arrives_last(&counters[group], unsigned(in_group), &shared.last)) return;
  if (inside) total = sum_of_far_parts(&of_splits[group * S::fan * quads], quads, in_group);
  if (groups == 1) return store_quad(C, row, column, M, N, total);

  // The last group's last block adds the groups.
  if (inside) of_groups[group * quads] = total;
  if (!arrives_last(&counters[groups], unsigned(groups), &shared.last)) return;
  if (inside) total = sum_of_far_parts(of_groups, quads, groups);
  store_quad(C, row, column, M, N, total);
}

template <class S>
static constexpr PredictedCounts predict_sliced_k(const Problem& p) {
  PredictedCounts counts = counts_of_tiles(S::tile, p);
  const std::int64_t splits = S::splits(p), groups = S::groups(p), blocks = splits * S::tiles(p);
  counts.shared_writes += blocks * S::slices * S::BM * S::BN;
  counts.shared_reads += blocks * S::slices * S::BM * S::BN;
  if (splits == 1) return counts;
  const std::int64_t part = p.M * 4 * ceil_div(p.N, 4);  // of all tiles
  const std::int64_t parts = splits + (groups > 1 ? groups : 0);
  const std::int64_t arrivals = parts * S::tiles(p);
  counts.global_writes += parts * part + arrivals;
  counts.global_reads += parts * part + arrivals;
  counts.shared_writes += arrivals;  // whether it is the last, for every thread of the block
  counts.shared_reads += arrivals * S::threads;
  return counts;
}

template <class S>
static constexpr Rung describe(const char* name) {
  return {
      .name = name,
      .idea =
          "warps and blocks share a small tile of C by K; their sums are added in the order of K, in levels",
      .source = __FILE__,
      .tile = S::tile,
      .block = {.x = S::threads, .y = 1},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = 0,
      .kernel = nullptr,
      .predict = predict_sliced_k<S>,
      .dynamic_shared_bytes = std::int64_t(sizeof(SlicedKShared<S>)),
      .grid = [](const Problem& p) -> Grid {
        return {ceil_div(p.N, S::BN), ceil_div(p.M, S::BM), S::splits(p)};
      },
      .scratch_floats = [](const Problem& p) -> std::int64_t {
        const std::int64_t tiles = S::tiles(p), splits = S::splits(p), groups = S::groups(p);
        if (splits == 1) return 0;
        return ceil_div(tiles * (groups + 1), 32) * 32 + tiles * (splits + groups) * S::BM * S::BN;
      },
      .scratch_counters = [](const Problem& p) -> std::int64_t {
        return S::splits(p) == 1 ? 0 : S::tiles(p) * (S::groups(p) + 1);
      },
      .scratch_kernel = sliced_k<S>,
      .overlaps = true,
  };
}

TILEWRIGHT_RUNGS(describe<SlicedKSizes>("sliced_k"))
