// SPDX-License-Identifier: MIT
//
// stream_k: the tiles that are left over after whole waves are shared out by steps, so that all blocks end together.
//
// From persistent: of T tiles and W blocks, T % W tiles are shared. Their steps, tile after tile, are cut into W shares of nearly one
// length, and a share may begin and end within a tile. What a block has of a tile that it does not have whole it writes to
// scratch; the last of the tile's blocks to arrive adds the parts, always in the order of K, so the bits do not depend on
// who was last. After its share a block computes whole tiles, as before.
//   stream_k_128  the sizes of persistent;
//   stream_k_64   tiles of 64 x 64, and four blocks on a multiprocessor: for products with few tiles.
//
// Predicted: the counts of persistent, and with p parts of shared tiles p·BM·BN elements written to scratch and as many read,
// p atomics, and p·(threads + 1) accesses of the word that says whether a block is the last.
// Banks: as packed; of stream_k_64 too, whose warps are 32 x 64.
// Should bind: the multiply-add pipe, of all multiprocessors to the end.
#include "kernels/grouped_tiles.h"
#include "kernels/packing.h"
#include "kernels/quads.h"
#include "kernels/rung.h"
#include "kernels/step_shares.h"
#include "kernels/words/cp_async.h"

using tilewright::add_parts;
using tilewright::ceil_div;
using tilewright::counts_of_packed_tiles;
using tilewright::cp_async;
using tilewright::cp_async_commit;
using tilewright::cp_async_past_l1;
using tilewright::cp_async_wait;
using tilewright::first_packs;
using tilewright::Grid;
using tilewright::GridOrder;
using tilewright::GroupedTile;
using tilewright::Packing;
using tilewright::Piece;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::read_quad;
using tilewright::Rung;
using tilewright::SharedWork;
using tilewright::StepShares;
using tilewright::store_quad;
using tilewright::WarpPlace;

struct StreamK128 {
  static constexpr int BM = 128, BN = 128, BK = 32, TM = 8, TN = 16;
  static constexpr int STAGES = 3;  // copies of the tiles: one is computed on, the others arrive
  static constexpr int body = 8;    // k of the main loop's body, and of the slab that is copied beside it
  static constexpr int blocks = 2;  // a multiprocessor holds: at most 255 registers a thread
};

struct StreamK64 {
  static constexpr int BM = 64, BN = 64, BK = 16, TM = 8, TN = 8;
  static constexpr int STAGES = 6, body = 16, blocks = 4;
};

template <class Chosen>
struct StreamKSizes : Chosen {
  using Chosen::BM, Chosen::BN, Chosen::BK, Chosen::TM, Chosen::TN, Chosen::STAGES, Chosen::body,
      Chosen::blocks;
  static constexpr int copies_at = 5;   // k of the body beside which a slab's copies start
  static constexpr int lanes_down = 4;  // of a warp's 32 lanes; the others lie across
  static constexpr int lanes_across = 8;
  static constexpr int WM = lanes_down * TM, WN = lanes_across * TN;
  static constexpr int threads = BM * BN / (TM * TN);
  static constexpr int group = 8;        // rows of tiles that the blocks walk over together
  static constexpr int counters = 4096;  // in front of what is packed, one for each shared tile
  static constexpr tilewright::Tile tile{.BM = BM, .BN = BN, .BK = BK, .TM = TM, .TN = TN};
  static constexpr int slab_a = body * BM, slab_b = body * BN;  // floats
  static constexpr int slabs = BK / body;                       // of a step
  static constexpr int ring = STAGES * slabs;                   // slabs that there is room for
  static_assert(BM % WM == 0 && BN % WN == 0, "warp tiles fill the block's tile");
  static_assert(TM % 4 == 0 && TN % 4 == 0, "four neighbours are one access");
  static_assert(BK % body == 0 && body % 2 == 0, "whole bodies; two sets of operands take turns");
  static_assert(threads % (BM / 4) == 0 && threads % (BN / 4) == 0,
                "the threads copy whole rows in each pass");
  static_assert(slab_a % (4 * threads) == 0 && slab_b % (4 * threads) == 0, "and a slab in whole passes");
  static_assert(copies_at < body - 1, "a slab's copies start before the barrier behind the body");

  static constexpr std::int64_t tiles(const Problem& p) { return ceil_div(p.M, BM) * ceil_div(p.N, BN); }
  // As many as run at once, and none without a step.
  static constexpr std::int64_t blocks_of(const Problem& p) {
    const std::int64_t places = std::int64_t{blocks} * p.multiprocessors;
    const std::int64_t all = tiles(p) * ceil_div(p.K, BK);
    if (places == 0) return tiles(p);
    const std::int64_t most = places < counters ? places : counters;
    return most < all ? most : all;
  }
  static constexpr StepShares shares(const Problem& p) {
    return {int(tiles(p) % blocks_of(p)), int(ceil_div(p.K, BK)), int(blocks_of(p))};
  }
};
using StreamK128Sizes = StreamKSizes<StreamK128>;
using StreamK64Sizes = StreamKSizes<StreamK64>;

// One warp, 4 lanes down and 8 across, each with 2 x 4 pieces of 4 x 4:
//                       columns  0…3   4…7   …  28…31 | 32…63, 64…95, 96…127 the same again
//                  rows 0…3       0     1    …    7
//                  rows 4…7       8     9    …   15
//                  rows 8…11     16    17    …   23
//                  rows 12…15    24    25    …   31
//                  rows 16…31     the same again

// What one thread copies: slab after slab, into a ring of them, and piece after piece. Rows of A are `rows` apart, those of B `pitch`; what is nowhere in
// B is copied from `nowhere`, as zeros.
template <class S>
struct StreamKCopies {
  static constexpr int rows_a = S::threads / (S::BM / 4), rows_b = S::threads / (S::BN / 4);  // k of a pass
  int k_a = int(threadIdx.x) / (S::BM / 4), row = int(threadIdx.x) % (S::BM / 4) * 4;
  int k_b = int(threadIdx.x) / (S::BN / 4), column = int(threadIdx.x) % (S::BN / 4) * 4;
  const float *A, *B, *nowhere;
  int rows, pitch, M, N, K;
  SharedWork work;  // from the piece on that is copied after this one
  const float *from_a = A, *from_b = B;
  int slot = 0, left = 0;                                             // of the ring; slabs of this piece
  int k_left = 0;                                                     // of B, from this thread's first one on
  bool column_is_there = true;                                        // in B
  bool b_is_aligned = reinterpret_cast<std::uintptr_t>(B) % 16 == 0;  // and so is every row of it

  __device__ __forceinline__ void go_on() {
    Piece piece;
    if (!work.next(piece)) return;
    const GroupedTile<S> tile(piece.tile, M, N);
    left = piece.steps * S::slabs;
    k_left = K - piece.first * S::BK - k_b;
    from_a = A + std::int64_t(piece.first * S::BK + k_a) * rows + tile.row0 + row;
    column_is_there = tile.column0 + column < N;
    from_b =
        B + std::int64_t(piece.first * S::BK + k_b) * pitch + (column_is_there ? tile.column0 + column : 0);
  }

  __device__ __forceinline__ void start_slab(float* tiles_a, float* tiles_b) {
    if (left == 0) go_on();
    if (left > 0) {
      float* const to_a = tiles_a + slot * S::slab_a + int(threadIdx.x) * 4;
      float* const to_b = tiles_b + slot * S::slab_b + int(threadIdx.x) * 4;
#pragma unroll
      for (int k = 0; k < S::body; k += rows_a)
        cp_async_past_l1(to_a + k * S::BM, from_a + std::int64_t(k) * rows, true);
      if (b_is_aligned) {
#pragma unroll
        for (int k = 0; k < S::body; k += rows_b) {
          const bool there = column_is_there && k < k_left;
          cp_async_past_l1(to_b + k * S::BN, there ? from_b + std::int64_t(k) * pitch : nowhere, there);
        }
      } else {
#pragma unroll 1
        for (int i = 0; i < 4 * S::body / rows_b; ++i) {
          const int k = i / 4 * rows_b, j = i % 4;
          const bool there = column_is_there && k < k_left;
          cp_async<4>(to_b + k * S::BN + j, there ? from_b + std::int64_t(k) * pitch + j : nowhere, there);
        }
      }
      from_a += std::int64_t(S::body) * rows;
      from_b += std::int64_t(S::body) * pitch;
      k_left -= S::body;
      --left;
    }
    slot = slot + 1 == S::ring ? 0 : slot + 1;
  }
};

// Static shared memory, as large as the tiles behind it are aligned, so that nobody pads it.
struct alignas(16) StreamKSignal {
  int last;  // whether the block is the last of a tile's
};

template <class S>
__global__ void __launch_bounds__(S::threads, S::blocks)
    stream_k(const float*, const float* B, float* C, int M, int N, int K, float* scratch) {
  extern __shared__ __align__(16) float stream_k_tiles[];
  __shared__ StreamKSignal signal;
  const Packing<S> packing(M, N, K);
  if (packing.of_b) B = &scratch[packing.b];

  constexpr int BM = S::BM, BN = S::BN, TM = S::TM, TN = S::TN;
  float* const tiles_a = stream_k_tiles;                        // (stage, k, row), row fastest
  float* const tiles_b = stream_k_tiles + S::ring * S::slab_a;  // (stage, k, column), column fastest
  const WarpPlace<S> place;
  const int steps = (K + S::BK - 1) / S::BK, tiles_of_c = (M + BM - 1) / BM * ((N + BN - 1) / BN);
  SharedWork work{.tiles = tiles_of_c, .steps = steps};
  StreamKCopies<S> copies{.A = &scratch[packing.a],
                          .B = B,
                          .nowhere = scratch,
                          .rows = int(packing.rows),
                          .pitch = int(packing.pitch),
                          .M = M,
                          .N = N,
                          .K = K,
                          .work = work};
  for (int stage = 0; stage < S::STAGES - 1; ++stage) {
    for (int slab = 0; slab < S::slabs; ++slab) copies.start_slab(tiles_a, tiles_b);
    cp_async_commit();  // a group a step, also an empty one: the wait counts them
  }

  float of_a[2][TM], of_b[2][TN];  // the operands of this k and of the next
  const auto read = [&](int set, const float* a, const float* b) {
#pragma unroll
    for (int i = 0; i < TM; i += 4) read_quad(&of_a[set][i], &a[i * S::lanes_down]);
#pragma unroll
    for (int j = 0; j < TN; j += 4) read_quad(&of_b[set][j], &b[j * S::lanes_across]);
  };
  const float *a = tiles_a + place.own_row, *b = tiles_b + place.own_column;
  cp_async_wait<S::STAGES - 2>();
  __syncthreads();  // the first tiles are complete
  read(0, a, b);

  int slot = 0;
  Piece piece;
  while (work.next(piece)) {
    const bool more = work.is_left();  // then the next one's first operands are read beside this one's last k
    float sum[TM][TN] = {};
#pragma unroll 1
    for (int left = piece.steps * S::slabs; left > 0; --left) {
#pragma unroll
      for (int k = 0; k < S::body; ++k) {
        if (k < S::body - 1) {
          read((k + 1) % 2, a + (k + 1) * BM, b + (k + 1) * BN);
        } else {
          slot = slot + 1 == S::ring ? 0 : slot + 1;
          if (slot % S::slabs == 0) {
            cp_async_commit();
            cp_async_wait<S::STAGES - 2>();
            __syncthreads();  // the next tiles are complete, and everyone has read these
          }
          a = tiles_a + place.own_row + slot * S::slab_a;
          b = tiles_b + place.own_column + slot * S::slab_b;
          if (left > 1 || more) read((k + 1) % 2, a, b);
        }
        if (k == S::copies_at) copies.start_slab(tiles_a, tiles_b);  // into the stage before
#pragma unroll
        for (int i = 0; i < TM; ++i)
#pragma unroll
          for (int n = 0; n < TN; ++n) {
            const int j = i % 2 == 0 ? n : TN - 1 - n;  // turns round, so that neighbours share an operand
            sum[i][j] = fmaf(of_a[k % 2][i], of_b[k % 2][j], sum[i][j]);
          }
      }
    }
    if (piece.steps < steps &&
        !add_parts<S>(work.shares(), piece.tile, &scratch[piece.tile],
                      reinterpret_cast<float4*>(&scratch[packing.end]), &signal.last, sum))
      continue;
    const GroupedTile<S> tile(piece.tile, M, N);
#pragma unroll
    for (int i = 0; i < TM; ++i)
#pragma unroll
      for (int j = 0; j < TN; j += 4)
        store_quad(C, tile.row0 + place.own_row + i / 4 * 4 * S::lanes_down + i % 4,
                   tile.column0 + place.own_column + j * S::lanes_across, M, N,
                   make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]));
  }
}

template <class S>
static constexpr Rung describe_stream_k(const char* name) {
  return {
      .name = name,
      .idea =
          "tiles left over after whole waves are shared out by steps; the last to finish adds the parts in "
          "the order of K",
      .source = __FILE__,
      .tile = S::tile,
      .block = {.x = S::threads, .y = 1},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = std::int64_t(sizeof(StreamKSignal)),
      .kernel = nullptr,
      .predict = [](const Problem& p) -> PredictedCounts {
        PredictedCounts counts = counts_of_packed_tiles<S>(p);
        const StepShares shares = S::shares(p);
        const std::int64_t parts = shares.parts();
        counts.global_reads += parts * (S::BM * S::BN + 1);  // an atomic is a read and a write
        counts.global_writes += parts * (S::BM * S::BN + 1);
        counts.shared_reads += parts * S::threads;  // whether it is the last, for every thread of the block
        counts.shared_writes += parts;
        return counts;
      },
      .dynamic_shared_bytes = S::ring*(S::slab_a + S::slab_b) * std::int64_t(sizeof(float)),
      .grid = [](const Problem& p) -> Grid {
        return {S::blocks_of(p), 1};
      },
      .scratch_floats = [](const Problem& p) -> std::int64_t {
        return Packing<S>(p.M, p.N, p.K).end + 2 * S::shares(p).sharers * S::BM * S::BN;
      },
      .scratch_counters = [](const Problem& p) -> std::int64_t { return S::shares(p).tiles; },
      .scratch_kernel = stream_k<S>,
      .first = first_packs<S>(),
  };
}

TILEWRIGHT_RUNGS(describe_stream_k<StreamK128Sizes>("stream_k_128"),
                 describe_stream_k<StreamK64Sizes>("stream_k_64"))
