// SPDX-License-Identifier: MIT
//
// shared_slices: blocks share the tiles of a middle-sized C by steps, and the warps of a block share each step by K.
//
// From stream_k: groups of a block's warps compute the whole tile, each over its own k of a step, as the warps of sliced_k do. So a
// small tile has eight warps of many sums a thread. Nothing is packed: the copies transpose A, four bytes each. What K lacks to
// whole steps is missing in a tile's first one, so that no copy beside the multiply-adds is guarded. Where tiles can be cut into
// equal parts for nearly all multiprocessors, they are, so that each block has one piece. A few rows or columns past whole tiles
// are added up without tiles.
//   shared_slices_256x128  one slice a step of eight warps: for large C;
//   shared_slices_128x128  two slices, four warps each;
//   shared_slices_64x128   four slices, two warps each;
//   shared_slices_64x64    one slice of two warps, and six blocks on a multiprocessor: for edges;
//   shared_slices_32x64    eight slices, a warp each, of 64 sums a thread as well.
//
// Predicted, for T tiles in P pieces: T·K·(BM + BN) loads; the shared accesses of whole tiles, and for each piece
// threads·(TM + TN) reads more, and threads·TM·TN reads and writes; the parts of stream_k.
// Banks: a quarter-warp reads 1 or 2 quads of A and 8 or 4 neighbours of B; the slices' sums lie thread by thread.
// Registers: a sum and the operand that changes at each multiply-add are in different banks.
// Should bind: the multiply-add pipe, of all multiprocessors to the end.
#include "kernels/grouped_tiles.h"
#include "kernels/quads.h"
#include "kernels/register_banks.h"
#include "kernels/rung.h"
#include "kernels/step_shares.h"
#include "kernels/thin_edges.h"
#include "kernels/transposing_copies.h"
#include "kernels/words/cp_async.h"
#include "kernels/words/launch_overlap.h"

using tilewright::add_parts;
using tilewright::ceil_div;
using tilewright::compute_thin_edges;
using tilewright::cp_async_commit;
using tilewright::cp_async_wait;
using tilewright::Grid;
using tilewright::GridOrder;
using tilewright::GroupedTile;
using tilewright::let_next_launch_begin;
using tilewright::neighbours_exchanged;
using tilewright::Piece;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::read_quad;
using tilewright::rows_are_aligned;
using tilewright::Rung;
using tilewright::SharedWork;
using tilewright::StepShares;
using tilewright::store_quad;
using tilewright::sum_of_parts;
using tilewright::take_exchanged;
using tilewright::ThinEdges;
using tilewright::TransposedStage;
using tilewright::TransposingCopies;
using tilewright::wait_for_launch_before;
using tilewright::WarpPlace;

struct SharedSlices256x128 {
  static constexpr int BM = 256, BN = 128, TM = 16, TN = 8;
  static constexpr int lanes_down = 8, lanes_across = 4;  // of a warp
  static constexpr int slices = 1;                        // of a step
  static constexpr int slice_k = 8;                       // k of a slice: the main loop's body
  static constexpr int copies_until = 4;  // of the body's k, beside which the next step's copies are spread
  static constexpr int STAGES = 3;        // copies of the tiles: one is computed on, the others arrive
  static constexpr int blocks =
      1;  // a multiprocessor holds: at most 65536 / (blocks * threads) registers a thread
  // Whether the sums pass shared memory: several slices are added there, one passes it for the registers' sake.
  static constexpr bool through_shared = true;
};

struct SharedSlices128x128 {
  static constexpr int BM = 128, BN = 128, TM = 16, TN = 8, lanes_down = 8, lanes_across = 4;
  static constexpr int slices = 2, slice_k = 8, copies_until = 4, STAGES = 3, blocks = 1;
  static constexpr bool through_shared = true;
};

struct SharedSlices64x128 {
  static constexpr int BM = 64, BN = 128, TM = 16, TN = 8, lanes_down = 4, lanes_across = 8;
  static constexpr int slices = 4, slice_k = 8, copies_until = 4, STAGES = 3, blocks = 1;
  static constexpr bool through_shared = true;
};

struct SharedSlices64x64 {
  static constexpr int BM = 64, BN = 64, TM = 8, TN = 8, lanes_down = 4, lanes_across = 8;
  static constexpr int slices = 1, slice_k = 16, copies_until = 6, STAGES = 3, blocks = 6;
  static constexpr bool through_shared = false;
};

struct SharedSlices32x64 {
  static constexpr int BM = 32, BN = 64, TM = 8, TN = 8, lanes_down = 4, lanes_across = 8;
  static constexpr int slices = 8, slice_k = 16, copies_until = 14, STAGES = 3, blocks = 1;
  static constexpr bool through_shared = true;
};

template <class Chosen>
struct SharedSlicesSizes : Chosen {
  using Chosen::BM, Chosen::BN, Chosen::TM, Chosen::TN, Chosen::lanes_down, Chosen::lanes_across,
      Chosen::slices, Chosen::slice_k, Chosen::copies_until, Chosen::STAGES, Chosen::blocks,
      Chosen::through_shared;
  static constexpr int BK = slices * slice_k;  // k of a step
  static constexpr int pad = 4;                // floats behind each k of the tile of A
  static constexpr int WM = lanes_down * TM, WN = lanes_across * TN;
  static constexpr int of_slice = BM * BN / (TM * TN);  // threads
  static constexpr int threads = slices * of_slice;
  static constexpr int group = 8;  // rows of tiles that the blocks walk over together
  static constexpr tilewright::Tile tile{.BM = BM, .BN = BN, .BK = BK, .TM = TM, .TN = TN};
  static constexpr int quads = TM * TN / 4;  // of a thread's sums
  // What a thread has of the tile when the slices have been added: as many rows of its sums as each slice's gets.
  struct Added {
    static constexpr int BM = Chosen::BM, BN = Chosen::BN, TM = Chosen::TM / slices, TN = Chosen::TN,
                         threads = SharedSlicesSizes::threads;
  };
  static_assert(BM % WM == 0 && BN % WN == 0, "warp tiles fill the block's tile");
  static_assert(TM % 4 == 0 && TN % 4 == 0, "four neighbours are one access");
  static_assert(slices == 1 || through_shared, "slices are added in shared memory");
  static_assert(TM % slices == 0, "after the slices are added, a thread has whole rows of its sums");
  static_assert(of_slice % 32 == 0, "a slice has whole warps");
  static_assert(slice_k % 2 == 0, "two sets of operands take turns");
  static_assert(copies_until < slice_k, "a step's copies start before the barrier behind the body");

  static constexpr std::int64_t tiles(const Problem& p) {
    using Edges = ThinEdges<SharedSlicesSizes>;
    return ceil_div(Edges::in_tiles(p.M, BM), BM) * ceil_div(Edges::in_tiles(p.N, BN), BN);
  }
  // As many as run at once, and none without a step. Some fewer where the tiles then fall into equal parts, so that each block
  // has one piece: a second one costs more than the places that stay empty.
  static constexpr std::int64_t blocks_of(const Problem& p) {
    const std::int64_t places = std::int64_t{blocks} * p.multiprocessors;
    const std::int64_t all = tiles(p) * ceil_div(p.K, BK);
    if (places == 0) return tiles(p);
    const std::int64_t equal = places / tiles(p) * tiles(p);
    const std::int64_t wanted = 16 * equal >= 15 * places ? equal : places;
    return wanted < all ? wanted : all;
  }
  static constexpr StepShares shares(const Problem& p) {
    return {int(tiles(p) % blocks_of(p)), int(ceil_div(p.K, BK)), int(blocks_of(p))};
  }
  // Where the parts begin in scratch, in floats: at a line of 128 bytes behind a counter for each shared tile, of which there
  // are fewer than blocks.
  __host__ __device__ static constexpr std::int64_t parts(std::int64_t blocks) {
    return (blocks + 31) / 32 * 32;
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
struct alignas(16) SharedSlicesMemory {
  union {
    TransposedStage<S> stages[S::STAGES];
    float4 sums[S::slices][S::quads][S::of_slice];  // of all threads, when the stages have been read
    ThinEdges<S> thin_edges;                        // before the first tile
  };
  int last;  // whether the block is the last of a tile's
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

// Adds the slices, in the order of K. A thread of slice s then has the s-th `Added::TM` rows of its sums.
template <class S>
__device__ __forceinline__ void add_slices(const float (&sum)[S::TM][S::TN],
                                           float4 (&sums)[S::slices][S::quads][S::of_slice],
                                           float (&added)[S::Added::TM][S::TN]) {
  constexpr int TM = S::Added::TM, TN = S::TN;
  const int thread = int(threadIdx.x) % S::of_slice, slice = int(threadIdx.x) / S::of_slice;
  if constexpr (!S::through_shared) {
#pragma unroll
    for (int i = 0; i < TM; ++i)
#pragma unroll
      for (int j = 0; j < TN; ++j) added[i][j] = sum[i][j];
    return;
  }
  __syncthreads();  // everyone has read the last stage, and no copy is under way
#pragma unroll
  for (int i = 0; i < S::TM; ++i)
#pragma unroll
    for (int j = 0; j < TN; j += 4) sums[slice][(i * TN + j) / 4][thread] = neighbours_exchanged(&sum[i][j]);
  __syncthreads();
#pragma unroll
  for (int i = 0; i < TM; ++i)
#pragma unroll
    for (int j = 0; j < TN; j += 4) {
      const float4 total =
          sum_of_parts(&sums[0][((slice * TM + i) * TN + j) / 4][thread], S::quads * S::of_slice, S::slices);
      take_exchanged(total, &added[i][j]);
    }
}

// M: of C's rows, those that tiles cover.
template <class S, int Bytes>
__device__ __forceinline__ void compute_pieces(const float* A, const float* B, float* C, int M, int N, int K,
                                               float* scratch, SharedSlicesMemory<S>& shared) {
  constexpr int TM = S::Added::TM, TN = S::TN;
  const WarpPlace<S> place{.warp = int(threadIdx.x) % S::of_slice / 32};
  const int first_row = int(threadIdx.x) / S::of_slice * TM;  // of its sums, when the slices are added
  const int steps = (K + S::BK - 1) / S::BK, missing = steps * S::BK - K;
  const int columns = ThinEdges<S>::in_tiles(N, S::BN);
  SharedWork work{.tiles = (M + S::BM - 1) / S::BM * ((columns + S::BN - 1) / S::BN), .steps = steps};
  TransposingCopies<S, Bytes> copies{.A = A, .B = B, .M = M, .N = N, .K = K};
  Piece piece;
  while (work.next(piece)) {
    const GroupedTile<S> tile(piece.tile, M, columns);
    copies.go_to(tile.row0, tile.column0, piece.first * S::BK - missing);
    __syncthreads();  // everyone has added the slices of the piece before
    float sum[S::TM][TN] = {};
    add_slice<S>(copies, place, piece.steps, piece.first == 0 ? missing : 0, shared.stages, sum);
    float added[TM][TN];
    add_slices<S>(sum, shared.sums, added);
    if (piece.steps < steps &&
        !add_parts<typename S::Added>(work.shares(), piece.tile, &scratch[piece.tile],
                                      reinterpret_cast<float4*>(&scratch[S::parts(gridDim.x)]), &shared.last,
                                      added))
      continue;
#pragma unroll
    for (int i = 0; i < TM; ++i) {
      const int row = (first_row + i) / 4 * 4 * S::lanes_down + (first_row + i) % 4;
#pragma unroll
      for (int j = 0; j < TN; j += 4)
        store_quad(C, tile.row0 + place.own_row + row, tile.column0 + place.own_column + j * S::lanes_across,
                   M, N, make_float4(added[i][j], added[i][j + 1], added[i][j + 2], added[i][j + 3]));
    }
  }
}

template <class S>
__global__ void __launch_bounds__(S::threads, S::blocks)
    shared_slices(const float* A, const float* B, float* C, int M, int N, int K, float* scratch) {
  extern __shared__ float4 dynamic_shared[];
  SharedSlicesMemory<S>& shared = *reinterpret_cast<SharedSlicesMemory<S>*>(dynamic_shared);
  let_next_launch_begin();
  wait_for_launch_before();
  compute_thin_edges<S>(A, B, C, M, N, K, shared.thin_edges);
  const int rows = ThinEdges<S>::in_tiles(M, S::BM);
  if (rows_are_aligned(B, N))
    compute_pieces<S, 16>(A, B, C, rows, N, K, scratch, shared);
  else
    compute_pieces<S, 4>(A, B, C, rows, N, K, scratch, shared);
}

template <class S>
static constexpr PredictedCounts predict_shared_slices(const Problem& p) {
  const StepShares shares = S::shares(p);
  const std::int64_t pieces = S::tiles(p) - shares.tiles + shares.pieces(), parts = shares.parts();
  const std::int64_t k = S::tiles(p) * ceil_div(p.K, S::BK) * S::BK;  // of all tiles, and what is missing
  const std::int64_t sums = S::through_shared ? pieces * S::slices * S::BM * S::BN : 0;
  const std::int64_t at_the_end = pieces * S::threads * (S::TM + S::TN);  // the stage that is read again
  const PredictedCounts thin = ThinEdges<S>::predicted(p);
  return {
      .global_reads = S::tiles(p) * p.K * (S::BM + S::BN) + thin.global_reads +
                      parts * (S::BM * S::BN + 1),  // + 1: an atomic
      .global_writes = p.M * p.N + parts * (S::BM * S::BN + 1),
      .shared_reads =
          k * S::of_slice * (S::TM + S::TN) + at_the_end + sums + parts * S::threads + thin.shared_reads,
      .shared_writes =
          k * (S::BM + S::BN) + sums + parts + thin.shared_writes,  // + parts: whether the block is the last
  };
}

template <class S>
static constexpr Rung describe_shared_slices(const char* name) {
  return {
      .name = name,
      .idea = "blocks share the tiles of a middle-sized C by steps, and warps share each step by K",
      .source = __FILE__,
      .tile = S::tile,
      .block = {.x = S::threads, .y = 1},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = 0,
      .kernel = nullptr,
      .predict = predict_shared_slices<S>,
      .dynamic_shared_bytes = std::int64_t(sizeof(SharedSlicesMemory<S>)),
      .grid = [](const Problem& p) -> Grid {
        return {S::blocks_of(p), 1};
      },
      .scratch_floats = [](const Problem& p) -> std::int64_t {
        const StepShares shares = S::shares(p);
        return shares.tiles == 0 ? 0 : S::parts(shares.blocks) + 2 * shares.sharers * S::BM * S::BN;
      },
      .scratch_counters = [](const Problem& p) -> std::int64_t { return S::shares(p).tiles; },
      .scratch_kernel = shared_slices<S>,
      .overlaps = true,
      .multiply_adds = [](const Problem& p) -> std::int64_t {
        return S::tiles(p) * ceil_div(p.K, S::BK) * S::BM * S::BN * S::BK + ThinEdges<S>::elements(p) * p.K;
      },
  };
}

TILEWRIGHT_RUNGS(describe_shared_slices<SharedSlicesSizes<SharedSlices256x128>>("shared_slices_256x128"),
                 describe_shared_slices<SharedSlicesSizes<SharedSlices128x128>>("shared_slices_128x128"),
                 describe_shared_slices<SharedSlicesSizes<SharedSlices64x128>>("shared_slices_64x128"),
                 describe_shared_slices<SharedSlicesSizes<SharedSlices64x64>>("shared_slices_64x64"),
                 describe_shared_slices<SharedSlicesSizes<SharedSlices32x64>>("shared_slices_32x64"))
