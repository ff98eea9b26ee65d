// SPDX-License-Identifier: MIT
//
// split_k: several blocks share a tile of C, each with a part of K, where there are too few tiles to fill the GPU.
//
// From async_copy, the grid has a z: block z of `splits` walks along its share of the steps of K, the first shares one step
// longer where the steps do not divide. What comes out of it is a part of the tile's sums.
//   split_k         writes them to scratch and arrives at the tile's counter; the last to arrive adds the parts, always in the
//                   order of K, so the bits do not depend on who was last.
//   split_k_atomic  adds them to C, which starts as zeros, in no fixed order: not deterministic.
//
// Predicted: the loads and shared accesses of async_copy, and with S = splits > 1, Q = 4⌈N/4⌉ and T tiles,
//   split_k         S·M·Q elements written to scratch and S·M·Q read, S·T atomics;
//   split_k_atomic  S·M·N atomics in place of M·N stores.
// Banks: as async_copy.
// Should bind: issue slots, as async_copy, of all multiprocessors and not of T/2 of them.
#include "kernels/arrival.h"
#include "kernels/quads.h"
#include "kernels/rung.h"
#include "kernels/words/cp_async.h"

using tilewright::arrives_last;
using tilewright::ceil_div;
using tilewright::counts_of_tiles;
using tilewright::cp_async;
using tilewright::cp_async_commit;
using tilewright::cp_async_wait;
using tilewright::Grid;
using tilewright::GridOrder;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::read_quad;
using tilewright::rows_are_aligned;
using tilewright::Rung;
using tilewright::store_quad;

struct SplitKSizes {
  static constexpr int BM = 128, BN = 128, BK = 8, WM = 64, WN = 32, TM = 8, TN = 8;
  static constexpr int STAGES = 4;      // copies of the tiles: one is computed on, the others arrive
  static constexpr int pad = 4;         // floats behind each row of the transposed tile of A
  static constexpr int lanes_down = 8;  // of a warp's 32 lanes; the others lie across
  static constexpr int lanes_across = 4;
  static constexpr int threads = BM * BN / (TM * TN);
  static constexpr int blocks = 2;  // a multiprocessor holds: at most 128 registers a thread
  static constexpr tilewright::Tile tile{.BM = BM, .BN = BN, .BK = BK, .TM = TM, .TN = TN};
  // A share is at least so long that it loads what it costs to share: BM·BN written and BM·BN read.
  static constexpr int fewest_steps = 2 * BM * BN / (BK * (BM + BN));
  static_assert(TM == 8 && TN == 8, "two pieces of four each way");
  static_assert(WM == lanes_down * TM && WN == lanes_across * TN,
                "the lanes' register tiles fill the warp's tile");
  static_assert(BM % WM == 0 && BN % WN == 0, "warp tiles fill the block's tile");
  static_assert(BK % 4 == 0, "four neighbours are one access");
  static_assert(BK == 8 && (BM + pad) % 32 == 4, "eight k of four rows, which a warp copies, fill the banks");

  static constexpr std::int64_t tiles(const Problem& p) { return ceil_div(p.M, BM) * ceil_div(p.N, BN); }
  // As many as fill the multiprocessors once, if the shares are long enough.
  static constexpr std::int64_t splits(const Problem& p) {
    const std::int64_t fitting = std::int64_t{blocks} * p.multiprocessors / tiles(p);
    const std::int64_t worthwhile = ceil_div(p.K, BK) / fewest_steps;
    const std::int64_t fewer = fitting < worthwhile ? fitting : worthwhile;
    return fewer < 1 ? 1 : fewer;
  }
};

template <class S>
struct SplitKTiles {
  float a[S::STAGES][S::BK][S::BM + S::pad];  // (stage, k, row), row fastest: A transposed
  float b[S::STAGES][S::BK][S::BN];           // (stage, k, column), column fastest
};

// One warp, 8 lanes down and 4 across, each with 2 x 2 pieces of 4 x 4:
//                       columns  0…3   4…7   8…11  12…15 | 16…31 the same again
//                  rows 0…3       0     1     2     3
//                  rows 4…7       4     5     6     7
//                        …                  …
//                  rows 28…31    28    29    30    31
//                  rows 32…63     the same again
template <class S>
struct SplitKPlace {
  int thread = int(threadIdx.x);
  int warp = thread / 32, lane = thread % 32;
  int warp_row = warp / (S::BN / S::WN) * S::WM, warp_column = warp % (S::BN / S::WN) * S::WN;
  int own_row = warp_row + lane / S::lanes_across * 4, own_column = warp_column + lane % S::lanes_across * 4;
  int row0 = int(blockIdx.y) * S::BM, column0 = int(blockIdx.x) * S::BN;

  // Of C, where row i and the four columns from j on of the register tile lie.
  __device__ int row(int i) const { return row0 + own_row + i / 4 * (S::WM / 2) + i % 4; }
  __device__ int column(int j) const { return column0 + own_column + j / 4 * (S::WN / 2); }
};

// The sums of this block's share of the steps: async_copy from there to there.
template <class S>
__device__ __forceinline__ void add_share(const float* A, const float* B, int M, int N, int K,
                                          const SplitKPlace<S>& place, SplitKTiles<S>& tiles,
                                          float (&sum)[S::TM][S::TN]) {
  constexpr int BM = S::BM, BN = S::BN, BK = S::BK, TM = S::TM, TN = S::TN;
  const int steps = (K + BK - 1) / BK, splits = int(gridDim.z), split = int(blockIdx.z);
  const int share = steps / splits, longer = steps % splits;  // the first `longer` shares have one step more
  const int first = split * share + min(split, longer);
  const int end = first + share + (split < longer ? 1 : 0);

  const bool b_is_aligned = rows_are_aligned(B, N);
  // Load: starts the copies of one step's tiles, zero where they reach past the matrix; nothing past the last step.
  const auto start = [&](int step) {
    const int k0 = step * BK, stage = (step - first) % S::STAGES;
    if (step < end) {
      for (int i = place.thread; i < BM * BK; i += S::threads) {
        const int row = i / BK, k = i % BK;
        const bool inside = place.row0 + row < M && k0 + k < K;
        cp_async<4>(&tiles.a[stage][k][row], &A[inside ? std::int64_t(place.row0 + row) * K + k0 + k : 0],
                    inside);
      }
      for (int i = place.thread; i < BK * BN / 4; i += S::threads) {
        const int k = i / (BN / 4), column = i % (BN / 4) * 4;
        const int left = k0 + k < K ? N - (place.column0 + column) : 0;  // elements of the row from here on
        const float* from = &B[left > 0 ? std::int64_t(k0 + k) * N + place.column0 + column : 0];
        if (b_is_aligned) {
          cp_async<16>(&tiles.b[stage][k][column], from, left > 0);
        } else {
          for (int j = 0; j < 4; ++j)
            cp_async<4>(&tiles.b[stage][k][column + j], j < left ? &from[j] : B, j < left);
        }
      }
    }
    cp_async_commit();  // a group a step, also an empty one: the wait counts them
  };

  for (int step = first; step < first + S::STAGES - 1; ++step) start(step);

  for (int step = first; step < end; ++step) {
    cp_async_wait<S::STAGES - 2>();  // this step's tiles have arrived, as far as this thread copied them
    __syncthreads();                 // and as far as the others did; and everyone has read the stage before
    start(step + S::STAGES - 1);     // into the stage before

    const int stage = (step - first) % S::STAGES;
#pragma unroll
    for (int k = 0; k < BK; ++k) {
      float of_a[TM], of_b[TN];
#pragma unroll
      for (int i = 0; i < TM; i += 4)
        read_quad(&of_a[i], &tiles.a[stage][k][place.own_row + i / 4 * (S::WM / 2)]);
#pragma unroll
      for (int j = 0; j < TN; j += 4)
        read_quad(&of_b[j], &tiles.b[stage][k][place.own_column + j / 4 * (S::WN / 2)]);
#pragma unroll
      for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j) sum[i][j] = fmaf(of_a[i], of_b[j], sum[i][j]);
    }
  }
}

// Store: where no other block has a share.
template <class S>
__device__ __forceinline__ void store_sums(float* C, int M, int N, const SplitKPlace<S>& place,
                                           const float (&sum)[S::TM][S::TN]) {
#pragma unroll
  for (int i = 0; i < S::TM; ++i)
#pragma unroll
    for (int j = 0; j < S::TN; j += 4)
      store_quad(C, place.row(i), place.column(j), M, N,
                 make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]));
}

// Where the parts of one tile lie in scratch: behind the counters, part after part, and in a part the q-th four sums of all
// threads side by side, so that a warp's accesses are of neighbours.
template <class S>
__device__ __forceinline__ float4* part_of(float* scratch, int split, int thread) {
  const int tiles = int(gridDim.x * gridDim.y), tile = int(blockIdx.y * gridDim.x + blockIdx.x);
  float4* const parts = reinterpret_cast<float4*>(&scratch[(tiles + 3) / 4 * 4]);
  return &parts[(std::int64_t(tile) * gridDim.z + split) * (S::BM * S::BN / 4) + thread];
}

template <class S>
__global__ void __launch_bounds__(S::threads, S::blocks)
    split_k(const float* A, const float* B, float* C, int M, int N, int K, float* scratch) {
  constexpr int TM = S::TM, TN = S::TN;
  alignas(16) __shared__ SplitKTiles<S> tiles;
  __shared__ int last;
  const SplitKPlace<S> place;
  float sum[TM][TN] = {};
  add_share<S>(A, B, M, N, K, place, tiles, sum);

  const int splits = int(gridDim.z);
  if (splits == 1) return store_sums(C, M, N, place, sum);

  // Publish: this block's part, as far as it lies in C.
  float4* const part = part_of<S>(scratch, int(blockIdx.z), place.thread);
#pragma unroll
  for (int i = 0; i < TM; ++i)
#pragma unroll
    for (int j = 0; j < TN; j += 4)
      if (place.row(i) < M && place.column(j) < N)
        part[(i * TN + j) / 4 * S::threads] =
            make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);
  float* const counter = &scratch[blockIdx.y * gridDim.x + blockIdx.x];
  if (!arrives_last(counter, unsigned(splits), &last)) return;

  // Add: all parts, its own too, in the order of K.
  const float4* const first = part_of<S>(scratch, 0, place.thread);
  for (int q = 0; q < TM * TN / 4; ++q) {
    const int row = place.row(q / (TN / 4)), column = place.column(q % (TN / 4) * 4);
    if (row >= M || column >= N) continue;
    float4 total = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    for (int s = 0; s < splits; ++s) {
      const float4 of_s = first[s * (S::BM * S::BN / 4) + q * S::threads];
      total = make_float4(total.x + of_s.x, total.y + of_s.y, total.z + of_s.z, total.w + of_s.w);
    }
    store_quad(C, row, column, M, N, total);
  }
}

template <class S>
__global__ void __launch_bounds__(S::threads, S::blocks)
    split_k_atomic(const float* A, const float* B, float* C, int M, int N, int K) {
  constexpr int TM = S::TM, TN = S::TN;
  alignas(16) __shared__ SplitKTiles<S> tiles;
  const SplitKPlace<S> place;
  float sum[TM][TN] = {};
  add_share<S>(A, B, M, N, K, place, tiles, sum);

  if (gridDim.z == 1) return store_sums(C, M, N, place, sum);

#pragma unroll
  for (int i = 0; i < TM; ++i)
#pragma unroll
    for (int j = 0; j < TN; ++j) {
      const int row = place.row(i), column = place.column(j) + j % 4;
      if (row < M && column < N) atomicAdd(&C[std::int64_t(row) * N + column], sum[i][j]);
    }
}

template <class S>
static constexpr Rung describe_split_k(const char* name) {
  return {
      .name = name,
      .idea = "blocks share a tile of C by K; the last to finish adds their sums in the order of K",
      .source = __FILE__,
      .tile = S::tile,
      .block = {.x = S::threads, .y = 1},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = std::int64_t(sizeof(SplitKTiles<S>) + sizeof(int)),
      .kernel = nullptr,
      .predict = [](const Problem& p) -> PredictedCounts {
        PredictedCounts counts = counts_of_tiles(S::tile, p);
        const std::int64_t splits = S::splits(p), arrivals = splits * S::tiles(p);
        if (splits == 1) return counts;
        const std::int64_t part = p.M * 4 * ceil_div(p.N, 4);  // of all tiles
        counts.global_writes += splits * part + arrivals;
        counts.global_reads += splits * part + arrivals;
        counts.shared_writes += arrivals;  // whether it is the last, for every thread of the block
        counts.shared_reads += arrivals * S::threads;
        return counts;
      },
      .grid = [](const Problem& p) -> Grid {
        return {ceil_div(p.N, S::BN), ceil_div(p.M, S::BM), S::splits(p)};
      },
      .scratch_floats = [](const Problem& p) -> std::int64_t {
        const std::int64_t splits = S::splits(p), tiles = S::tiles(p);
        return splits == 1 ? 0 : ceil_div(tiles, 4) * 4 + splits * tiles * S::BM * S::BN;
      },
      .scratch_counters = [](const Problem& p) -> std::int64_t {
        return S::splits(p) == 1 ? 0 : S::tiles(p);
      },
      .scratch_kernel = split_k<S>,
  };
}

template <class S>
static constexpr Rung describe_split_k_atomic(const char* name) {
  return {
      .name = name,
      .idea = "blocks share a tile of C by K and add their sums to it atomically, in no fixed order",
      .source = __FILE__,
      .tile = S::tile,
      .block = {.x = S::threads, .y = 1},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = std::int64_t(sizeof(SplitKTiles<S>)),
      .kernel = split_k_atomic<S>,
      .predict = [](const Problem& p) -> PredictedCounts {
        PredictedCounts counts = counts_of_tiles(S::tile, p);
        const std::int64_t splits = S::splits(p);
        if (splits == 1) return counts;
        counts.global_reads += splits * p.M * p.N;  // an atomic is a read and a write
        counts.global_writes = splits * p.M * p.N;
        return counts;
      },
      .grid = [](const Problem& p) -> Grid {
        return {ceil_div(p.N, S::BN), ceil_div(p.M, S::BM), S::splits(p)};
      },
      .adds_to_output = true,
  };
}

TILEWRIGHT_RUNGS(describe_split_k<SplitKSizes>("split_k"),
                 describe_split_k_atomic<SplitKSizes>("split_k_atomic"))
