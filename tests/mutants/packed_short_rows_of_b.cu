// SPDX-License-Identifier: MIT
//
// packed_short_rows_of_b: packed, but wrong: the first kernel writes the rows of B as long as they are, and the copies read fours.
//
// Caught: uninitialized_scratch_read
// Shape: 17x19x23
// Shape: 5x130x40
#include "kernels/grouped_tiles.h"
#include "kernels/packing.h"
#include "kernels/quads.h"
#include "kernels/rung.h"
#include "kernels/words/cp_async.h"

using tilewright::ceil_div;
using tilewright::counts_of_packed_tiles;
using tilewright::cp_async;
using tilewright::cp_async_commit;
using tilewright::cp_async_past_l1;
using tilewright::cp_async_wait;
using tilewright::FirstKernel;
using tilewright::Grid;
using tilewright::GridOrder;
using tilewright::GroupedTile;
using tilewright::load_quad;
using tilewright::packed_piece;
using tilewright::Packing;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::read_quad;
using tilewright::Rung;
using tilewright::store_quad;
using tilewright::WarpPlace;

// A block packs 64 x 64 of A, or of B: 16 threads side by side, four elements each, 16 rows at a time.
//
// Banks: lane l writes k = 4·(l%16) … + 3 of row l/16 and reads four rows of k = l/16, 65 apart and 1 apart: 4·l + l/16 modulo
// 32, which two lanes share each time.
template <class S>
__global__ void __launch_bounds__(256)
    packed_short_rows_of_b_pack(const float* A, const float* B, float*, int M, int N, int K, float* scratch) {
  __shared__ float piece[packed_piece][packed_piece + 1];  // (k, row), row fastest
  const Packing<S> packing(M, N, K);
  const int along_k = int(packing.depth) / packed_piece;
  const int k0 = int(blockIdx.x) % along_k * packed_piece, other0 = int(blockIdx.x) / along_k * packed_piece;
  const int quad = int(threadIdx.x) % 16 * 4, first = int(threadIdx.x) / 16;

  if (other0 >= packing.rows) {  // a piece of B
    const int column = other0 - int(packing.rows) + quad;
    for (int k = k0 + first; k < min(k0 + packed_piece, K); k += 16)
      if (column < packing.pitch)
        for (int j = 0; j < min(4, N - column); ++j)
          scratch[packing.b + k * packing.pitch + column + j] = B[std::int64_t(k) * N + column + j];
    return;
  }
#pragma unroll
  for (int row = first; row < packed_piece; row += 16) {
    const float4 of_a = load_quad(A, other0 + row, k0 + quad, M, K);
    piece[quad][row] = of_a.x;
    piece[quad + 1][row] = of_a.y;
    piece[quad + 2][row] = of_a.z;
    piece[quad + 3][row] = of_a.w;
  }
  __syncthreads();
#pragma unroll
  for (int k = first; k < packed_piece; k += 16)
    *reinterpret_cast<float4*>(&scratch[packing.a + (k0 + k) * packing.rows + other0 + quad]) =
        make_float4(piece[k][quad], piece[k][quad + 1], piece[k][quad + 2], piece[k][quad + 3]);
}

template <class S>
constexpr FirstKernel packed_short_rows_of_b_first() {
  return {.kernel = packed_short_rows_of_b_pack<S>,
          .block = {.x = 256, .y = 1},
          .grid = [](const Problem& p) -> Grid {
            const Packing<S> packing(p.M, p.N, p.K);
            const std::int64_t columns = packing.of_b ? Packing<S>::up(p.N, packed_piece) : 0;
            return {packing.depth / packed_piece * ((packing.rows + columns) / packed_piece), 1};
          },
          .static_shared_bytes = packed_piece*(packed_piece + 1) * std::int64_t(sizeof(float))};
}

struct PackedShortRowsOfBSizes {
  static constexpr int BM = 128, BN = 128, BK = 32, TM = 8, TN = 16;
  static constexpr int STAGES = 3;      // copies of the tiles: one is computed on, the others arrive
  static constexpr int body = 8;        // k of the main loop's body, and of the slab that is copied beside it
  static constexpr int copies_at = 5;   // k of the body beside which that slab's copies start
  static constexpr int lanes_down = 4;  // of a warp's 32 lanes; the others lie across
  static constexpr int lanes_across = 8;
  static constexpr int WM = lanes_down * TM, WN = lanes_across * TN;
  static constexpr int threads = BM * BN / (TM * TN);
  static constexpr int blocks = 2;    // a multiprocessor holds: at most 255 registers a thread
  static constexpr int group = 8;     // rows of tiles that the blocks walk over together
  static constexpr int counters = 0;  // in front of what is packed
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
};

// One warp, 4 lanes down and 8 across, each with 2 x 4 pieces of 4 x 4:
//                       columns  0…3   4…7   …  28…31 | 32…63, 64…95, 96…127 the same again
//                  rows 0…3       0     1    …    7
//                  rows 4…7       8     9    …   15
//                  rows 8…11     16    17    …   23
//                  rows 12…15    24    25    …   31
//                  rows 16…31     the same again

// What one thread copies: slab after slab, into a ring of them. Rows of A are `rows` apart, those of B `pitch`; what is nowhere in
// B is copied from `nowhere`, as zeros.
template <class S>
struct PackedCopies {
  static constexpr int rows_a = S::threads / (S::BM / 4), rows_b = S::threads / (S::BN / 4);  // k of a pass
  int k_a = int(threadIdx.x) / (S::BM / 4), row = int(threadIdx.x) % (S::BM / 4) * 4;
  int k_b = int(threadIdx.x) / (S::BN / 4), column = int(threadIdx.x) % (S::BN / 4) * 4;
  const float *A, *B, *nowhere;
  int rows, pitch, N, K;
  const float *from_a = A, *from_b = B;
  int slot = 0, left = 0;                                             // of the ring; slabs of this tile
  int k_left = 0;                                                     // of B, from this thread's first one on
  bool column_is_there = true;                                        // in B
  bool b_is_aligned = reinterpret_cast<std::uintptr_t>(B) % 16 == 0;  // and so is every row of it

  __device__ __forceinline__ void go_to(GroupedTile<S> tile, int steps) {
    left = steps * S::slabs;
    k_left = K - k_b;
    from_a = A + std::int64_t(k_a) * rows + tile.row0 + row;
    column_is_there = tile.column0 + column < N;
    from_b = B + std::int64_t(k_b) * pitch + (column_is_there ? tile.column0 + column : 0);
  }

  __device__ __forceinline__ void start_slab(float* tiles_a, float* tiles_b) {
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
          cp_async_past_l1(to_b + k * S::BN,  // caught here
                           there ? from_b + std::int64_t(k) * pitch : nowhere, there);
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

template <class S>
__global__ void __launch_bounds__(S::threads, S::blocks)
    packed_short_rows_of_b(const float*, const float* B, float* C, int M, int N, int K, float* scratch) {
  extern __shared__ __align__(16) float packed_tiles[];
  const Packing<S> packing(M, N, K);
  if (packing.of_b) B = &scratch[packing.b];

  constexpr int BM = S::BM, BN = S::BN, TM = S::TM, TN = S::TN;
  float* const tiles_a = packed_tiles;                        // (stage, k, row), row fastest
  float* const tiles_b = packed_tiles + S::ring * S::slab_a;  // (stage, k, column), column fastest
  const WarpPlace<S> place;
  const GroupedTile<S> tile(int(blockIdx.x), M, N);
  const int steps = (K + S::BK - 1) / S::BK;
  PackedCopies<S> copies{.A = &scratch[packing.a],
                         .B = B,
                         .nowhere = scratch,
                         .rows = int(packing.rows),
                         .pitch = int(packing.pitch),
                         .N = N,
                         .K = K};
  copies.go_to(tile, steps);
  for (int stage = 0; stage < S::STAGES - 1; ++stage) {
    for (int slab = 0; slab < S::slabs; ++slab) copies.start_slab(tiles_a, tiles_b);
    cp_async_commit();  // a group a step, also an empty one: the wait counts them
  }

  float sum[TM][TN] = {};
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
#pragma unroll 1
  for (int left = steps * S::slabs; left > 0; --left) {
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
        if (left > 1) read((k + 1) % 2, a, b);
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
#pragma unroll
  for (int i = 0; i < TM; ++i)
#pragma unroll
    for (int j = 0; j < TN; j += 4)
      store_quad(C, tile.row0 + place.own_row + i / 4 * 4 * S::lanes_down + i % 4,
                 tile.column0 + place.own_column + j * S::lanes_across, M, N,
                 make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]));
}

template <class S>
static constexpr Rung describe(const char* name) {
  return {
      .name = name,
      .idea = "the first kernel writes the rows of B as long as they are, and the copies read fours",
      .source = __FILE__,
      .tile = S::tile,
      .block = {.x = S::threads, .y = 1},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = 0,
      .kernel = nullptr,
      .predict = [](const Problem& p) -> PredictedCounts { return counts_of_packed_tiles<S>(p); },
      .dynamic_shared_bytes = S::ring*(S::slab_a + S::slab_b) * std::int64_t(sizeof(float)),
      .grid = [](const Problem& p) -> Grid {
        return {ceil_div(p.M, S::BM) * ceil_div(p.N, S::BN), 1};
      },
      .scratch_floats = [](const Problem& p) -> std::int64_t { return Packing<S>(p.M, p.N, p.K).end; },
      .scratch_kernel = packed_short_rows_of_b<S>,
      .first = packed_short_rows_of_b_first<S>(),
  };
}

TILEWRIGHT_RUNGS(describe<PackedShortRowsOfBSizes>("packed_short_rows_of_b"))
