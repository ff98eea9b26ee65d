// SPDX-License-Identifier: MIT
//
// paired_slices: two blocks share a small tile by K and add what they have without going to global memory.
//
// From shared_slices: a tile has 2 blocks, or pairs of them, each with an equal share of its steps. A pair is a cluster: its blocks run
// at the same time and read each other's shared memory. Each gives the other one half of its sums and adds up the other half,
// so that the pair's sums are spread over both. Where more pairs share a tile, their halves go through global memory: half as
// many parts as blocks, half as large, and for each half another block adds them. Whole tiles, edges too.
//   paired_slices_32x64  eight slices, a warp each, of 64 sums a thread;
//   paired_slices_64x64  of 128 sums a thread.
//
// Predicted, for T tiles in P blocks, H = BM·BN/2: T·K·(BM + BN) loads; the shared accesses of shared_slices, and for each block H
// reads and writes more; where pairs share tiles, P·H elements written to scratch and read, and P atomics.
// Banks: as in shared_slices; what is given lies thread by thread.
// Registers: as in shared_slices.
// Should bind: the multiply-add pipe where K is long; else latency, of the first step and of what follows the last.
#include "kernels/arrival.h"
#include "kernels/grouped_tiles.h"
#include "kernels/quads.h"
#include "kernels/register_banks.h"
#include "kernels/rung.h"
#include "kernels/transposing_copies.h"
#include "kernels/words/cluster.h"
#include "kernels/words/cp_async.h"
#include "kernels/words/launch_overlap.h"

using tilewright::arrives_last;
using tilewright::ceil_div;
using tilewright::cp_async_commit;
using tilewright::cp_async_wait;
using tilewright::Grid;
using tilewright::GridOrder;
using tilewright::GroupedTile;
using tilewright::let_next_launch_begin;
using tilewright::neighbours_exchanged;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::read_quad;
using tilewright::rows_are_aligned;
using tilewright::Rung;
using tilewright::shared_of_neighbour;
using tilewright::store_quad;
using tilewright::sum_of;
using tilewright::sum_of_far_parts;
using tilewright::sum_of_parts;
using tilewright::take_exchanged;
using tilewright::TransposedStage;
using tilewright::TransposingCopies;
using tilewright::wait_for_cluster;
using tilewright::wait_for_launch_before;
using tilewright::WarpPlace;

struct PairedSlices32x64 {
  static constexpr int BM = 32, BN = 64, TM = 8, TN = 8;
  static constexpr int lanes_down = 4, lanes_across = 8;  // of a warp
  static constexpr int slices = 8;                        // of a step, a warp each
  static constexpr int slice_k = 16;                      // k of a slice: the main loop's body
  static constexpr int copies_until = 14;  // of the body's k, beside which the next step's copies are spread
  static constexpr int STAGES = 3;         // copies of the tiles: one is computed on, the others arrive
};

struct PairedSlices64x64 {
  static constexpr int BM = 64, BN = 64, TM = 16, TN = 8, lanes_down = 4, lanes_across = 8;
  static constexpr int slices = 8, slice_k = 8, copies_until = 4, STAGES = 3;
};

template <class Chosen>
struct PairedSlicesSizes : Chosen {
  using Chosen::BM, Chosen::BN, Chosen::TM, Chosen::TN, Chosen::lanes_down, Chosen::lanes_across,
      Chosen::slices, Chosen::slice_k, Chosen::copies_until, Chosen::STAGES;
  static constexpr int BK = slices * slice_k;  // k of a step
  static constexpr int pad = 4;                // floats behind each k of the tile of A
  static constexpr int WM = lanes_down * TM, WN = lanes_across * TN;
  static constexpr int of_slice = BM * BN / (TM * TN);  // threads
  static constexpr int threads = slices * of_slice;
  static constexpr int blocks = 1;        // a multiprocessor holds
  static constexpr int pair = 2;          // blocks of a cluster
  static constexpr int fewest_steps = 2;  // of a block, where more pairs than one share a tile
  static constexpr int group = 8;         // rows of tiles that the blocks walk over together
  static constexpr tilewright::Tile tile{.BM = BM, .BN = BN, .BK = BK, .TM = TM, .TN = TN};
  static constexpr int quads = TM * TN / 4;    // of a thread's sums
  static constexpr int rows = TM / slices;     // of them that are its own, when the slices have been added
  static constexpr int half = BM * BN / pair;  // floats: what a block has when the halves have been exchanged
  static_assert(BM % WM == 0 && BN % WN == 0, "warp tiles fill the block's tile");
  static_assert(TM % 4 == 0, "four neighbours are one access");
  static_assert(TN == 4 * pair, "of each row, a block of the pair keeps four neighbours");
  static_assert(TM % slices == 0, "after the slices are added, a thread has whole rows of its sums");
  static_assert(of_slice % 32 == 0, "a slice has whole warps");
  static_assert(slice_k % 2 == 0, "two sets of operands take turns");
  static_assert(copies_until < slice_k, "a step's copies start before the barrier behind the body");

  static constexpr std::int64_t tiles(const Problem& p) { return ceil_div(p.M, BM) * ceil_div(p.N, BN); }
  // Of a tile: as many as fill the multiprocessors once, if their blocks have steps enough.
  static constexpr std::int64_t pairs(const Problem& p) {
    const std::int64_t fitting = p.multiprocessors / (pair * tiles(p));
    const std::int64_t worthwhile = ceil_div(p.K, BK) / (pair * fewest_steps);
    const std::int64_t fewer = fitting < worthwhile ? fitting : worthwhile;
    return fewer < 1 ? 1 : fewer;
  }
  static constexpr std::int64_t blocks_of(const Problem& p) { return tiles(p) * pairs(p) * pair; }
  // In scratch, for each half of a tile a counter; then, from a line of 128 bytes on, of each half the parts of the pairs.
  __host__ __device__ static constexpr std::int64_t parts(std::int64_t halves) {
    return (halves + 31) / 32 * 32;
  }
};

// One warp, here 4 lanes down and 8 across; a lane has TM / 4 x TN / 4 pieces of 4 x 4:
//                       columns  0…3   4…7   …  28…31 | 32…63, and so on: the same again
//                  rows 0…3       0     1    …    7
//                  rows 4…7       8     9    …   15
//                  rows 8…11     16    17    …   23
//                  rows 12…15    24    25    …   31
//                  rows 16…31, and so on: the same again

template <class S>
struct alignas(16) PairedSlicesMemory {
  union {
    TransposedStage<S> stages[S::STAGES];
    float4 sums[S::slices][S::quads][S::of_slice];  // of all threads, when the stages have been read
  };
  float4 given[S::rows][S::threads];  // to the other block of the pair
  int last;                           // whether the pair is the last of a tile's
};

// This thread's sums over its slice of `steps` steps. The first `missing` k of the first one do not exist.
template <class S, int Bytes>
__device__ __forceinline__ void add_slice(TransposingCopies<S, Bytes>& copies, const WarpPlace<S>& place,
                                          int steps, int missing, TransposedStage<S>* stages,
                                          float (&sum)[S::TM][S::TN]) {
  constexpr int TM = S::TM, TN = S::TN;
  const int slice = int(threadIdx.x) / S::of_slice * S::slice_k;
#pragma unroll
  for (int i = 0; i < S::STAGES - 1; ++i) {
    if (i == 0 && missing > 0)
      copies.start(stages[0], missing);
    else if (i < steps)
      copies.start(stages[i], 0);
    copies.go_on();
    cp_async_commit();  // a group a step, also an empty one: the wait counts them
  }

  float of_a[2][TM], of_b[2][TN];  // the operands of this k and of the next
  const auto read = [&](int set, const TransposedStage<S>* stage, int k) {
    const float *a = &stage->a[slice][place.own_row], *b = &stage->b[slice][place.own_column];
#pragma unroll
    for (int j = 0; j < TN; j += 4) read_quad(&of_b[set][j], &b[k * S::BN + j * S::lanes_across]);
#pragma unroll
    for (int i = 0; i < TM; i += 4) read_quad(&of_a[set][i], &a[k * (S::BM + S::pad) + i * S::lanes_down]);
  };
  const auto behind = [&](TransposedStage<S>* stage) {
    return stage == stages + S::STAGES - 1 ? stages : stage + 1;
  };
  TransposedStage<S>*stage = stages, *into = stages + S::STAGES - 1;
  cp_async_wait<S::STAGES - 2>();
  __syncthreads();  // the first tiles are complete
  read(0, stage, 0);

#pragma unroll 1
  for (int left = steps; left > 0; --left) {
    const bool copying = left >= S::STAGES;
#pragma unroll
    for (int k = 0; k < S::slice_k; ++k) {
      if (k == S::slice_k - 1) {
        cp_async_commit();
        cp_async_wait<S::STAGES - 2>();
        __syncthreads();  // the next tiles are complete, and everyone has read these
        // At the very end this stage again, which is there: rather than a guard, which keeps reads from moving between
        // multiply-adds.
        if (left > 1) stage = behind(stage);
      }
      read((k + 1) % 2, stage, (k + 1) % S::slice_k);
      if (k < S::copies_until && copying) copies.start_share(k, *into);  // into the stage before
#pragma unroll
      for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int n = 0; n < TN; ++n) {
          const int j = i % 2 == 0 ? n : TN - 1 - n;  // turns round, so that neighbours share an operand
          sum[i][j] = fmaf(of_a[k % 2][i], of_b[k % 2][j], sum[i][j]);
        }
    }
    into = behind(into);
    copies.go_on();
  }
}

// Adds the slices, in the order of K. A thread of slice s then has the s-th `rows` rows of its sums.
template <class S>
__device__ __forceinline__ void add_slices(const float (&sum)[S::TM][S::TN],
                                           float4 (&sums)[S::slices][S::quads][S::of_slice],
                                           float (&added)[S::rows][S::TN]) {
  constexpr int TN = S::TN;
  const int thread = int(threadIdx.x) % S::of_slice, slice = int(threadIdx.x) / S::of_slice;
  __syncthreads();  // everyone has read the last stage, and no copy is under way
#pragma unroll
  for (int i = 0; i < S::TM; ++i)
#pragma unroll
    for (int j = 0; j < TN; j += 4) sums[slice][(i * TN + j) / 4][thread] = neighbours_exchanged(&sum[i][j]);
  __syncthreads();
#pragma unroll
  for (int i = 0; i < S::rows; ++i)
#pragma unroll
    for (int j = 0; j < TN; j += 4) {
      const float4 total = sum_of_parts(&sums[0][((slice * S::rows + i) * TN + j) / 4][thread],
                                        S::quads * S::of_slice, S::slices);
      take_exchanged(total, &added[i][j]);
    }
}

// Gives the other block of the pair its half of these sums, four neighbours of each row, and adds to the own half what that one
// has of it.
template <class S>
__device__ __forceinline__ void exchange_halves(const float (&added)[S::rows][S::TN], int rank,
                                                float4 (&given)[S::rows][S::threads],
                                                float4 (&kept)[S::rows]) {
  const int thread = int(threadIdx.x);
#pragma unroll
  for (int i = 0; i < S::rows; ++i) {
    const float* const row = added[i];
    const float4 first = make_float4(row[0], row[1], row[2], row[3]);
    const float4 second = make_float4(row[4], row[5], row[6], row[7]);
    kept[i] = rank == 0 ? first : second;
    given[i][thread] = rank == 0 ? second : first;
  }
  wait_for_cluster();
#pragma unroll
  for (int i = 0; i < S::rows; ++i)
    kept[i] = sum_of(kept[i], *shared_of_neighbour(&given[i][thread], 1 - rank));
  // Both have read: from now on either may leave. At the end, behind the stores of C, the barrier would wait for those too.
  wait_for_cluster();
}

template <class S, int Bytes>
__device__ __forceinline__ void compute_part(const float* A, const float* B, float* C, int M, int N, int K,
                                             int pairs, float* scratch, PairedSlicesMemory<S>& shared) {
  const WarpPlace<S> place{.warp = int(threadIdx.x) % S::of_slice / 32};
  const int steps = (K + S::BK - 1) / S::BK, missing = steps * S::BK - K;
  const int parts = pairs * S::pair, part = int(blockIdx.x) % parts, number = int(blockIdx.x) / parts;
  const int first = int(std::int64_t(steps) * part / parts);
  const int end = int(std::int64_t(steps) * (part + 1) / parts);
  const GroupedTile<S> tile(number, M, N);
  TransposingCopies<S, Bytes> copies{.A = A, .B = B, .M = M, .N = N, .K = K};
  copies.go_to(tile.row0, tile.column0, first * S::BK - missing);
  float sum[S::TM][S::TN] = {};
  if (first < end)  // of a single step the first block has none
    add_slice<S>(copies, place, end - first, first == 0 ? missing : 0, shared.stages, sum);
  let_next_launch_begin();
  float added[S::rows][S::TN];
  add_slices<S>(sum, shared.sums, added);
  const int rank = part % S::pair;
  float4 kept[S::rows];
  exchange_halves<S>(added, rank, shared.given, kept);

  if (pairs > 1) {
    const int half = number * S::pair + rank, halves = int(gridDim.x) / pairs;
    float4* const of_pairs =
        reinterpret_cast<float4*>(&scratch[S::parts(halves) + std::int64_t(half) * pairs * S::half]);
    constexpr int quads = S::half / 4;
#pragma unroll
    for (int i = 0; i < S::rows; ++i)
      of_pairs[part / S::pair * quads + i * S::threads + int(threadIdx.x)] = kept[i];
    if (!arrives_last(&scratch[half], unsigned(pairs), &shared.last)) return;
#pragma unroll
    for (int i = 0; i < S::rows; ++i)
      kept[i] = sum_of_far_parts(&of_pairs[i * S::threads + int(threadIdx.x)], quads, pairs);
  }
  const int first_row = int(threadIdx.x) / S::of_slice * S::rows;  // of its sums
#pragma unroll
  for (int i = 0; i < S::rows; ++i)
    store_quad(C, tile.row0 + place.own_row + (first_row + i) / 4 * 4 * S::lanes_down + (first_row + i) % 4,
               tile.column0 + place.own_column + rank * 4 * S::lanes_across, M, N, kept[i]);
}

template <class S>
__global__ void __launch_bounds__(S::threads, S::blocks)
    paired_slices(const float* A, const float* B, float* C, int M, int N, int K, float* scratch) {
  extern __shared__ float4 dynamic_shared[];
  PairedSlicesMemory<S>& shared = *reinterpret_cast<PairedSlicesMemory<S>*>(dynamic_shared);
  wait_for_launch_before();
  const int tiles = (M + S::BM - 1) / S::BM * ((N + S::BN - 1) / S::BN),
            pairs = int(gridDim.x) / (tiles * S::pair);
  if (rows_are_aligned(B, N))
    compute_part<S, 16>(A, B, C, M, N, K, pairs, scratch, shared);
  else
    compute_part<S, 4>(A, B, C, M, N, K, pairs, scratch, shared);
}

template <class S>
static constexpr PredictedCounts predict_paired_slices(const Problem& p) {
  const std::int64_t k = S::tiles(p) * ceil_div(p.K, S::BK) * S::BK;  // of all tiles, and what is missing
  const std::int64_t blocks = S::blocks_of(p), sums = blocks * S::slices * S::BM * S::BN;
  const std::int64_t with_steps = p.K > S::BK ? blocks : S::tiles(p);
  const std::int64_t at_the_end = with_steps * S::threads * (S::TM + S::TN);  // the stage that is read again
  const std::int64_t parts = S::pairs(p) == 1 ? 0 : blocks;                   // halves of tiles
  return {
      .global_reads = S::tiles(p) * p.K * (S::BM + S::BN) + parts * (S::half + 1),  // + 1: an atomic
      .global_writes = p.M * p.N + parts * (S::half + 1),
      .shared_reads =
          k * S::of_slice * (S::TM + S::TN) + at_the_end + sums + blocks * S::half + parts * S::threads,
      .shared_writes =
          k * (S::BM + S::BN) + sums + blocks * S::half + parts,  // + parts: whether it is the last
  };
}

template <class S>
static constexpr Rung describe_paired_slices(const char* name) {
  return {
      .name = name,
      .idea = "two blocks share a small tile by K, as a cluster, and exchange halves of their sums",
      .source = __FILE__,
      .tile = S::tile,
      .block = {.x = S::threads, .y = 1},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = 0,
      .kernel = nullptr,
      .predict = predict_paired_slices<S>,
      .dynamic_shared_bytes = std::int64_t(sizeof(PairedSlicesMemory<S>)),
      .grid = [](const Problem& p) -> Grid {
        return {S::blocks_of(p), 1};
      },
      .scratch_floats = [](const Problem& p) -> std::int64_t {
        const std::int64_t halves = S::tiles(p) * S::pair;
        return S::pairs(p) == 1 ? 0 : S::parts(halves) + halves * S::pairs(p) * S::half;
      },
      .scratch_counters = [](const Problem& p) -> std::int64_t {
        return S::pairs(p) == 1 ? 0 : S::tiles(p) * S::pair;
      },
      .scratch_kernel = paired_slices<S>,
      .overlaps = true,
      .cluster = S::pair,
      .multiply_adds = [](const Problem& p) -> std::int64_t {
        return S::tiles(p) * ceil_div(p.K, S::BK) * S::BM * S::BN * S::BK;
      },
  };
}

TILEWRIGHT_RUNGS(describe_paired_slices<PairedSlicesSizes<PairedSlices32x64>>("paired_slices_32x64"),
                 describe_paired_slices<PairedSlicesSizes<PairedSlices64x64>>("paired_slices_64x64"))
