// SPDX-License-Identifier: MIT
//
// tensor_copy, but wrong: only the first tiles of a block are waited for. There is
// one block, so that it has several steps at small shapes.
//
// Caught: race
// Shape: 17x20x200
// Shape: 130x19x100
#include "kernels/arrival.h"
#include "kernels/quads.h"
#include "kernels/rung.h"
#include "kernels/words/tensor_copy.h"

using tilewright::arrives_last;
using tilewright::bulk_barrier_expect;
using tilewright::bulk_barrier_fence;
using tilewright::bulk_barrier_init;
using tilewright::bulk_barrier_wait;
using tilewright::BulkBarrier;
using tilewright::ceil_div;
using tilewright::counts_of_tiles;
using tilewright::Grid;
using tilewright::GridOrder;
using tilewright::load_quad;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::read_quad;
using tilewright::Rung;
using tilewright::store_quad;
using tilewright::TensorMap;
using tilewright::Tensors;
using tilewright::TensorSource;

struct TensorCopySizes {
  static constexpr int BM = 128, BN = 128, BK = 32, WM = 64, WN = 64, TM = 8, TN = 16;
  static constexpr int STAGES = 3;      // of tiles: one is computed on, one was just before, one arrives
  static constexpr int lanes_down = 8;  // of a warp's 32 lanes; the others lie across
  static constexpr int lanes_across = 4;
  static constexpr int threads = BM * BN / (TM * TN);
  static constexpr int blocks = 2;    // a multiprocessor holds: at most 255 registers a thread
  static constexpr int unrolled = 8;  // k that are written out
  static constexpr int group = 8;     // rows of tiles that are gone through column by column
  static constexpr tilewright::Tile tile{.BM = BM, .BN = BN, .BK = BK, .TM = TM, .TN = TN};
  static_assert(WM == lanes_down * TM && WN == lanes_across * TN,
                "the lanes' register tiles fill the warp's tile");
  static_assert(BM % WM == 0 && BN % WN == 0, "warp tiles fill the block's tile");
  static_assert(TM % 4 == 0 && TN % 4 == 0, "four neighbours are one access");
  static_assert(BK % unrolled == 0 && unrolled % 2 == 0, "two sets of operands take turns");
  static_assert(BM <= 256 && BN <= 256 && BK <= 256, "a box has at most 256 a side");
  static_assert(BM * BK * 4 % 128 == 0 && BK * BN * 4 % 128 == 0, "a box's place is a multiple of 128 bytes");
  static_assert(STAGES >= 3, "a stage is filled again one barrier after that which ends its reading");
};

// Steps of one tile that one block computes.
struct StepsOfTile {
  int tile = 0, first = 0, count = 0;
};

// Which block computes which steps. As many tiles as fill all blocks evenly are computed whole; the rest come first, and
// their steps, one tile's after the other's, are shared out evenly.
struct StepShares {
  int steps, tiles, blocks;  // steps of a tile
  int shared;                // tiles, the first ones
  int sharers;               // blocks, the first ones: each has a step at least

  __host__ __device__ StepShares(int steps_of_tile, int all_tiles, int all_blocks)
      : steps(steps_of_tile),
        tiles(all_tiles),
        blocks(all_blocks),
        shared(all_tiles < all_blocks ? all_tiles : all_tiles % all_blocks),
        sharers(shared_steps() < all_blocks ? int(shared_steps()) : all_blocks) {}
  __host__ __device__ std::int64_t shared_steps() const { return std::int64_t(shared) * steps; }
  __host__ __device__ std::int64_t begin(int block) const { return shared_steps() * block / sharers; }
  // Whose share has this one of the shared steps.
  __host__ __device__ int sharer(std::int64_t step) const {
    return int(((step + 1) * sharers - 1) / shared_steps());
  }
  __host__ __device__ int first_sharer(int tile) const { return sharer(std::int64_t(tile) * steps); }
  __host__ __device__ int last_sharer(int tile) const { return sharer(std::int64_t(tile + 1) * steps - 1); }
};

// One block's work, in the order in which it does it.
struct BlockWork {
  std::int64_t step, end;  // of the shared steps
  int whole;               // the next tile that is computed whole

  __device__ BlockWork(const StepShares& shares, int block)
      : step(block < shares.sharers ? shares.begin(block) : 0),
        end(block < shares.sharers ? shares.begin(block + 1) : 0),
        whole(shares.shared + block) {}
  // False when there is no more.
  __device__ bool next(const StepShares& shares, StepsOfTile& of) {
    if (step < end) {
      of.tile = int(step / shares.steps);
      of.first = int(step % shares.steps);
      of.count = int(end - step < shares.steps - of.first ? end - step : shares.steps - of.first);
      step += of.count;
      return true;
    }
    if (whole >= shares.tiles) return false;
    of = {whole, 0, shares.steps};
    whole += shares.blocks;
    return true;
  }
};

// Where a tile lies in C: neighbours in the order of the tiles share rows of A or columns of B.
template <class S>
struct TileOrigin {
  int row0, column0;
  __device__ TileOrigin(int tile, int M, int N) {
    const int down = (M + S::BM - 1) / S::BM, across = (N + S::BN - 1) / S::BN;
    const int group = tile / (S::group * across), rows = min(S::group, down - group * S::group);
    row0 = (group * S::group + tile % (S::group * across) % rows) * S::BM;
    column0 = tile % (S::group * across) / rows * S::BN;
  }
};

// One warp, 8 lanes down and 4 across, each with 2 x 4 pieces of 4 x 4:
//                       columns  0…3   4…7   8…11  12…15 | 16…31, 32…47, 48…63 the same again
//                  rows 0…3       0     1     2     3
//                  rows 4…7       4     5     6     7
//                        …                  …
//                  rows 28…31    28    29    30    31
//                  rows 32…63     the same again
template <class S>
struct TensorCopyPlace {
  int thread = int(threadIdx.x);
  int warp = thread / 32, lane = thread % 32;
  int own_row = warp / (S::BN / S::WN) * S::WM + lane / S::lanes_across * 4;
  int own_column = warp % (S::BN / S::WN) * S::WN + lane % S::lanes_across * 4;
};

// Static shared memory. As large as the tiles behind it are aligned, so that nobody pads it.
template <class S>
struct alignas(128) Signals {
  BulkBarrier full[S::STAGES];
  int last_to_come;
};

// The tiles of all stages and the barriers that tell when they are there. In dynamic shared memory:
// a (stage, k, row), row fastest; behind it b (stage, k, column), column fastest.
template <class S>
struct Stages {
  float* tiles;
  BulkBarrier* full;
  __device__ float* a(int stage) const { return tiles + stage * (S::BK * S::BM); }
  __device__ float* b(int stage) const {
    return tiles + S::STAGES * (S::BK * S::BM) + stage * (S::BK * S::BN);
  }
  __device__ static int next(int stage) { return stage + 1 == S::STAGES ? 0 : stage + 1; }
  __device__ static int before(int stage) { return stage == 0 ? S::STAGES - 1 : stage - 1; }
};

// The copies of one block's steps, in their order; they run ahead of the computation.
template <class S>
struct StepCopies {
  const TensorMap &of_a, &of_b;
  const StepShares& shares;
  BlockWork work;
  int left = 0, row0 = 0, column0 = 0, k0 = 0;

  // Load: the next step's tiles into this stage, if there is another step. By one thread.
  __device__ __forceinline__ void start(const Stages<S>& stages, int stage, int M, int N) {
    if (left == 0) {
      StepsOfTile of;
      if (!work.next(shares, of)) return;
      const TileOrigin<S> origin(of.tile, M, N);
      row0 = origin.row0;
      column0 = origin.column0;
      k0 = of.first * S::BK;
      left = of.count;
    }
    bulk_barrier_expect(&stages.full[stage], S::BK * (S::BM + S::BN) * int(sizeof(float)));
    tilewright::tensor_copy(stages.a(stage), of_a, row0, k0, &stages.full[stage]);     // caught here
    tilewright::tensor_copy(stages.b(stage), of_b, column0, k0, &stages.full[stage]);  // caught here
    k0 += S::BK;
    --left;
  }
};

// The operands of this k and of the next.
template <class S>
struct Operands {
  float a[2][S::TM], b[2][S::TN];

  __device__ __forceinline__ void read(int set, const float* of_a, const float* of_b, int k) {
#pragma unroll
    for (int i = 0; i < S::TM; i += 4) read_quad(&a[set][i], &of_a[k * S::BM + i * S::lanes_down]);
#pragma unroll
    for (int j = 0; j < S::TN; j += 4) read_quad(&b[set][j], &of_b[k * S::BN + j * S::lanes_across]);
  }
  __device__ __forceinline__ void add_products(int set, float (&sum)[S::TM][S::TN]) const {
#pragma unroll
    for (int i = 0; i < S::TM; ++i)
#pragma unroll
      for (int n = 0; n < S::TN; ++n) {
        const int j = i % 2 == 0 ? n : S::TN - 1 - n;  // turns round, so that neighbours share an operand
        sum[i][j] = fmaf(a[set][i], b[set][j], sum[i][j]);
      }
  }
};

// One step. `more`: another one follows, in this tile or in the next. Its tiles are waited for, and its first operands read,
// before the last k of this one is computed.
template <class S>
__device__ __forceinline__ void add_step(const Stages<S>& stages, int& stage, unsigned& parity, bool more,
                                         const TensorCopyPlace<S>& place, StepCopies<S>& copies, int M, int N,
                                         Operands<S>& operands, float (&sum)[S::TM][S::TN]) {
  const float* of_a = stages.a(stage) + place.own_row;
  const float* of_b = stages.b(stage) + place.own_column;
#pragma unroll 1
  for (int k0 = 0; k0 < S::BK; k0 += S::unrolled)
#pragma unroll
    for (int k = 0; k < S::unrolled; ++k) {
      if (k == S::unrolled - 1) {
        of_a += S::unrolled * S::BM;
        of_b += S::unrolled * S::BN;
        if (k0 == S::BK - S::unrolled) {
          const int next = more ? Stages<S>::next(stage) : stage;  // at the very end, what is not used
          if (more) {
            if (next == 0) parity ^= 1;
            // Everyone has asked for the last operands of this stage, and computed with all of the one before: that
            // one may be filled again. This one may not: what was asked for may still be on its way.
            __syncthreads();
            if (place.thread == 0) copies.start(stages, Stages<S>::before(stage), M, N);
          }
          of_a = stages.a(next) + place.own_row;
          of_b = stages.b(next) + place.own_column;
          stage = next;
        }
      }
      operands.read((k + 1) % 2, of_a, of_b, (k + 1) % S::unrolled);
      operands.add_products(k % 2, sum);
    }
}

// Where in scratch lie, in floats: a counter for each tile, A transposed, B where it is needed, and the parts of shared tiles.
struct TensorCopyScratch {
  std::int64_t pitch_a, pitch_b;  // from one k to the next
  std::int64_t a, b, parts;

  __host__ __device__ static std::int64_t whole(std::int64_t floats, int unit) {
    return (floats + unit - 1) / unit * unit;
  }
  __host__ __device__ TensorCopyScratch(std::int64_t tiles, std::int64_t M, std::int64_t N, std::int64_t K)
      : pitch_a(whole(M, 4)),
        pitch_b(whole(N, 4)),
        a(whole(tiles, 32)),  // 128 bytes
        b(a + whole(K * pitch_a, 32)),
        parts(b + (N == pitch_b ? 0 : whole(K * pitch_b, 32))) {}
};

// Of a tile that several blocks share: writes this block's part to scratch, and in the block that comes last adds all parts,
// its own too, in the order of K. False in the other blocks. A share has at most two parts: the end of one tile and the
// beginning of another; the q-th four sums of all threads lie side by side.
template <class S>
__device__ __forceinline__ bool add_parts(const StepShares& shares, int tile, int M, int N, int K,
                                          float* scratch, int thread, int* last_to_come,
                                          float (&sum)[S::TM][S::TN]) {
  constexpr int TN = S::TN, quads = S::TM * TN / 4;
  const int first = shares.first_sharer(tile), last = shares.last_sharer(tile);
  float4* const parts =
      reinterpret_cast<float4*>(&scratch[TensorCopyScratch(shares.tiles, M, N, K).parts]) + thread;
  const auto part_of = [&](int block) {
    return parts + (2 * std::int64_t(block) + (block == first ? 1 : 0)) * (S::BM * S::BN / 4);
  };
  float4* const own = part_of(int(blockIdx.x));
#pragma unroll
  for (int q = 0; q < quads; ++q) {
    const float* four = &sum[q / (TN / 4)][q % (TN / 4) * 4];
    own[q * S::threads] = make_float4(four[0], four[1], four[2], four[3]);
  }
  if (!arrives_last(&scratch[tile], unsigned(last - first + 1), last_to_come)) return false;
#pragma unroll
  for (int q = 0; q < S::TM * TN; ++q) sum[q / TN][q % TN] = 0.0f;
  for (int block = first; block <= last; ++block) {
    const float4* const part = part_of(block);
#pragma unroll
    for (int q = 0; q < quads; ++q) {
      const float4 four = part[q * S::threads];
      float* const to = &sum[q / (TN / 4)][q % (TN / 4) * 4];
      to[0] += four.x;
      to[1] += four.y;
      to[2] += four.z;
      to[3] += four.w;
    }
  }
  return true;
}

template <class S>
__device__ __forceinline__ void store_tile(float* C, int M, int N, const TileOrigin<S>& origin,
                                           const TensorCopyPlace<S>& place,
                                           const float (&sum)[S::TM][S::TN]) {
#pragma unroll
  for (int i = 0; i < S::TM; ++i)
#pragma unroll
    for (int j = 0; j < S::TN; j += 4)
      store_quad(C, origin.row0 + place.own_row + i / 4 * 4 * S::lanes_down + i % 4,
                 origin.column0 + place.own_column + j * S::lanes_across, M, N,
                 make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]));
}

template <class S>
__global__ void __launch_bounds__(S::threads, S::blocks)
    tensor_copy_waits_once(const __grid_constant__ TensorMap of_a, const __grid_constant__ TensorMap of_b,
                           float* C, int M, int N, int K, float* scratch) {
  extern __shared__ __align__(128) float tiles[];
  __shared__ Signals<S> signals;
  const TensorCopyPlace<S> place;
  const Stages<S> stages{tiles, signals.full};
  const StepShares shares((K + S::BK - 1) / S::BK, ((M + S::BM - 1) / S::BM) * ((N + S::BN - 1) / S::BN),
                          int(gridDim.x));
  BlockWork work(shares, int(blockIdx.x));
  StepCopies<S> copies{of_a, of_b, shares, work};

  if (place.thread == 0) {
    for (int stage = 0; stage < S::STAGES; ++stage) bulk_barrier_init(&stages.full[stage], 1);
    bulk_barrier_fence();
  }
  __syncthreads();
  if (place.thread == 0)
    for (int stage = 0; stage < S::STAGES - 1; ++stage) copies.start(stages, stage, M, N);

  float sum[S::TM][S::TN];
  Operands<S> operands;
  int stage = 0;
  unsigned parity = 0;
  StepsOfTile of, next;
  bool more = work.next(shares, of);  // no block is without work
  bulk_barrier_wait(&stages.full[0], parity);
  operands.read(0, stages.a(0) + place.own_row, stages.b(0) + place.own_column, 0);
  while (more) {
    more = work.next(shares, next);
#pragma unroll
    for (int q = 0; q < S::TM * S::TN; ++q) sum[q / S::TN][q % S::TN] = 0.0f;
    for (int step = 0; step < of.count; ++step)
      add_step<S>(stages, stage, parity, more || step + 1 < of.count, place, copies, M, N, operands, sum);
    if (of.count == shares.steps ||
        add_parts<S>(shares, of.tile, M, N, K, scratch, place.thread, &signals.last_to_come, sum))
      store_tile<S>(C, M, N, TileOrigin<S>(of.tile, M, N), place, sum);
    of = next;
  }
}

// What the first kernel's blocks do: the first of them transpose a square of A each, the others copy a part of B each.
struct LayoutSizes {
  static constexpr int side = 64;                     // of a square of A
  static constexpr int rows_b = 16, columns_b = 256;  // of a part of B
  static constexpr int threads = 256;
  static_assert(threads == columns_b && threads % (side / 4) == 0 && side % 4 == 0,
                "a thread has a column of B, and quads of A");
};

template <class L>
__device__ __forceinline__ void transpose_square(const float* A, float* to, int M, int K, int row0, int k0,
                                                 int pitch, float (&square)[L::side][L::side + 1]) {
  constexpr int across = L::side / 4, rows = L::threads / across;
  const int four = int(threadIdx.x) % across * 4, one = int(threadIdx.x) / across;
#pragma unroll
  for (int i = 0; i < L::side; i += rows) {
    const float4 along_k = load_quad(A, row0 + one + i, k0 + four, M, K);
    square[four][one + i] = along_k.x;
    square[four + 1][one + i] = along_k.y;
    square[four + 2][one + i] = along_k.z;
    square[four + 3][one + i] = along_k.w;
  }
  __syncthreads();
  if (row0 + four >= pitch) return;
#pragma unroll
  for (int i = 0; i < L::side; i += rows) {
    const float* const along_rows = &square[one + i][four];
    if (k0 + one + i < K)
      *reinterpret_cast<float4*>(&to[std::int64_t(k0 + one + i) * pitch + row0 + four]) =
          make_float4(along_rows[0], along_rows[1], along_rows[2], along_rows[3]);
  }
}

template <class L>
__device__ __forceinline__ void copy_part(const float* B, float* to, int N, int K, int k0, int column,
                                          int pitch) {
  if (column >= N) return;
#pragma unroll
  for (int k = 0; k < L::rows_b; ++k)
    if (k0 + k < K) to[std::int64_t(k0 + k) * pitch + column] = B[std::int64_t(k0 + k) * N + column];
}

template <class S, class L>
__global__ void __launch_bounds__(L::threads)
    tensor_copy_waits_once_layout(const float* A, const float* B, float*, int M, int N, int K,
                                  float* scratch) {
  __shared__ float square[L::side][L::side + 1];  // (k, row), row fastest
  const TensorCopyScratch places(std::int64_t((M + S::BM - 1) / S::BM) * ((N + S::BN - 1) / S::BN), M, N, K);
  const int along_k = (K + L::side - 1) / L::side, squares = along_k * ((M + L::side - 1) / L::side);
  const int block = int(blockIdx.x), part = block - squares, across = (N + L::columns_b - 1) / L::columns_b;
  if (block < squares)
    transpose_square<L>(A, &scratch[places.a], M, K, block / along_k * L::side, block % along_k * L::side,
                        int(places.pitch_a), square);
  else
    copy_part<L>(B, &scratch[places.b], N, K, part / across * L::rows_b,
                 part % across * L::columns_b + int(threadIdx.x), int(places.pitch_b));
}

template <class S>
static StepShares shares_of(const Problem& p) {
  const std::int64_t steps = ceil_div(p.K, S::BK), tiles = ceil_div(p.M, S::BM) * ceil_div(p.N, S::BN);
  constexpr std::int64_t places = 1;
  return {int(steps), int(tiles), int(places < tiles * steps ? places : tiles * steps)};
}

static TensorCopyScratch scratch_of(const StepShares& shares, const Problem& p) {
  return {shares.tiles, p.M, p.N, p.K};
}

template <class S, class L>
static PredictedCounts predict(const Problem& p) {
  const StepShares shares = shares_of<S>(p);
  const TensorCopyScratch places = scratch_of(shares, p);
  PredictedCounts counts = counts_of_tiles(S::tile, p);
  counts.shared_reads += std::int64_t{shares.blocks} * S::threads * (S::TM + S::TN);  // of a block's first k
  counts.global_reads += p.M * p.K;                                                   // the first kernel
  counts.global_writes += places.pitch_a * p.K;
  counts.shared_reads += places.pitch_a * p.K;
  counts.shared_writes += ceil_div(p.M, L::side) * ceil_div(p.K, L::side) * L::side * L::side;
  if (p.N % 4 != 0) {
    counts.global_reads += p.N * p.K;
    counts.global_writes += p.N * p.K;
  }
  std::int64_t arrivals = 0;
  for (int tile = 0; tile < shares.shared; ++tile) {
    const int sharers = shares.last_sharer(tile) - shares.first_sharer(tile) + 1;
    if (sharers > 1) arrivals += sharers;
  }
  counts.global_writes += arrivals * (S::BM * S::BN + 1);  // a part and the counter
  counts.global_reads += arrivals * (S::BM * S::BN + 1);
  counts.shared_writes += arrivals;  // whether it is the last, for every thread of the block
  counts.shared_reads += arrivals * S::threads;
  return counts;
}

template <class S, class L>
static constexpr Rung describe(const char* name) {
  return {
      .name = name,
      .idea =
          "tensor copies bring the tiles, from A transposed beforehand; blocks share out what tiles are left",
      .source = __FILE__,
      .tile = S::tile,
      .block = {.x = S::threads, .y = 1},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = sizeof(Signals<S>),
      .kernel = nullptr,
      .predict = predict<S, L>,
      .dynamic_shared_bytes = S::STAGES * S::BK * (S::BM + S::BN) * std::int64_t(sizeof(float)),
      .grid = [](const Problem& p) -> Grid {
        return {shares_of<S>(p).blocks, 1};
      },
      .scratch_floats = [](const Problem& p) -> std::int64_t {
        const StepShares shares = shares_of<S>(p);
        return scratch_of(shares, p).parts + 2 * std::int64_t{shares.sharers} * S::BM * S::BN;
      },
      .scratch_counters = [](const Problem& p) -> std::int64_t { return shares_of<S>(p).tiles; },
      .first = {.kernel = tensor_copy_waits_once_layout<S, L>,
                .block = {.x = L::threads, .y = 1},
                .grid = [](const Problem& p) -> Grid {
                  const std::int64_t parts = ceil_div(p.K, L::rows_b) * ceil_div(p.N, L::columns_b);
                  return {ceil_div(p.K, L::side) * ceil_div(p.M, L::side) + (p.N % 4 == 0 ? 0 : parts), 1};
                },
                .static_shared_bytes = L::side*(L::side + 1) * std::int64_t(sizeof(float))},
      .tensors = [](const Problem& p) -> Tensors {
        const TensorCopyScratch places = scratch_of(shares_of<S>(p), p);
        const bool direct = p.N % 4 == 0;
        return {.a = {TensorSource::scratch, places.a, p.K, p.M, places.pitch_a, S::BK, S::BM},
                .b = {direct ? TensorSource::B : TensorSource::scratch, direct ? 0 : places.b, p.K, p.N,
                      places.pitch_b, S::BK, S::BN}};
      },
      .tensor_kernel = tensor_copy_waits_once<S>,
  };
}

TILEWRIGHT_RUNGS(describe<TensorCopySizes, LayoutSizes>("tensor_copy_waits_once"))
