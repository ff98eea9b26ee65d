// SPDX-License-Identifier: MIT
//
// tensor_copy: two instructions of one thread have a step's tiles copied, by the copy engine, in place of every thread's own.
//
// From stream_k: a tensor copy for the tile of A and one for that of B; no thread computes an address of A or B or guards one,
// since what lies outside of the matrices arrives as zeros. Each stage has a barrier that counts its bytes. A stage is filled
// again one barrier after that which ends its reading, and a whole stage at once.
//
// Predicted: the counts of stream_k, but that of A and B only what lies inside is read, a box at a time.
// Banks: 8 distinct quads of A and 4 of B in a warp's read, all neighbours: none twice.
// Registers: a sum and the operand that changes at each multiply-add are in different banks (kernels/register_banks.h).
// Should bind: the multiply-add pipe, with nothing but shared reads beside it.
#include "kernels/grouped_tiles.h"
#include "kernels/packing.h"
#include "kernels/quads.h"
#include "kernels/register_banks.h"
#include "kernels/rung.h"
#include "kernels/step_shares.h"
#include "kernels/words/launch_overlap.h"
#include "kernels/words/tensor_copy.h"

using tilewright::add_parts;
using tilewright::bulk_barrier_expect;
using tilewright::bulk_barrier_fence;
using tilewright::bulk_barrier_init;
using tilewright::bulk_barrier_wait;
using tilewright::BulkBarrier;
using tilewright::ceil_div;
using tilewright::counts_of_packed_tiles;
using tilewright::counts_of_tiles;
using tilewright::first_packs;
using tilewright::Grid;
using tilewright::GridOrder;
using tilewright::GroupedTile;
using tilewright::let_next_launch_begin;
using tilewright::neighbours_exchanged;
using tilewright::Packing;
using tilewright::Piece;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::read_quad;
using tilewright::Rung;
using tilewright::SharedWork;
using tilewright::StepShares;
using tilewright::store_quad;
using tilewright::take_exchanged;
using tilewright::TensorMap;
using tilewright::Tensors;
using tilewright::TensorSource;
using tilewright::wait_for_launch_before;
using tilewright::WarpPlace;

struct TensorCopySizes {
  static constexpr int BM = 128, BN = 128, BK = 32, TM = 16, TN = 8;
  static constexpr int STAGES = 3;      // of tiles: one is computed on, one was before it, one arrives
  static constexpr int passing = 4;     // rows of a thread's sums that pass shared memory at once
  static constexpr int body = 8;        // k of the main loop's body
  static constexpr int blocks = 2;      // a multiprocessor holds: at most 255 registers a thread
  static constexpr int lanes_down = 8;  // of a warp's 32 lanes; the others lie across
  static constexpr int lanes_across = 4;
  static constexpr int WM = lanes_down * TM, WN = lanes_across * TN;
  static constexpr int threads = BM * BN / (TM * TN);
  static constexpr int group = 8;         // rows of tiles that the blocks walk over together
  static constexpr bool overlaps = true;  // launches: the kernel that packs waits too
  static constexpr int counters = 4096;   // in front of what is packed, one for each shared tile
  static constexpr tilewright::Tile tile{.BM = BM, .BN = BN, .BK = BK, .TM = TM, .TN = TN};
  static constexpr int tile_a = BK * BM, tile_b = BK * BN, sums = passing * TN * threads;  // floats
  static_assert(BM % WM == 0 && BN % WN == 0, "warp tiles fill the block's tile");
  static_assert(TM % 4 == 0 && TN % 4 == 0, "four neighbours are one access");
  static_assert(TM % passing == 0, "the rows of sums pass in whole groups");
  static_assert(BK % body == 0 && body % 2 == 0, "whole bodies; two sets of operands take turns");
  static_assert(BM <= 256 && BN <= 256 && BK <= 256, "a box has at most 256 a side");
  static_assert(tile_a % 32 == 0 && tile_b % 32 == 0, "a box's place is a multiple of 128 bytes");
  static_assert(STAGES >= 3, "a stage is filled again one barrier after that which ends its reading");

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

// One warp, 8 lanes down and 4 across, each with 4 x 2 pieces of 4 x 4:
//                       columns  0…3   4…7   8…11  12…15 | 16…31 the same again
//                  rows 0…3       0     1     2     3
//                  rows 4…7       4     5     6     7
//                        …                  …
//                  rows 28…31    28    29    30    31
//                  rows 32…63, and so on: the same again

// Static shared memory, as large as the tiles behind it are aligned, so that nobody pads it.
template <class S>
struct alignas(128) TensorCopySignals {
  BulkBarrier full[S::STAGES];
  int last;  // whether the block is the last of a tile's
};

// What the first thread has copied: step after step, into a ring of stages, and piece after piece.
template <class S>
struct TensorCopies {
  const TensorMap &of_a, &of_b;
  int M, N;
  SharedWork work;                              // from the piece on that is copied after this one
  int left = 0, row0 = 0, column0 = 0, k0 = 0;  // steps of this piece; where the next one lies

  __device__ __forceinline__ void start(float* tile_a, float* tile_b, BulkBarrier* full) {
    if (left == 0) {
      Piece piece;
      if (!work.next(piece)) return;
      const GroupedTile<S> tile(piece.tile, M, N);
      left = piece.steps;
      row0 = tile.row0;
      column0 = tile.column0;
      k0 = piece.first * S::BK;
    }
    bulk_barrier_expect(full, (S::tile_a + S::tile_b) * int(sizeof(float)));
    tilewright::tensor_copy(tile_a, of_a, row0, k0, full);
    tilewright::tensor_copy(tile_b, of_b, column0, k0, full);
    k0 += S::BK;
    --left;
  }
};

// A thread's sums through shared memory, (quad, thread), where nobody else reads them, and back in order.
template <class S>
__device__ __forceinline__ void pass_shared(const float (&sum)[S::TM][S::TN], float* shared,
                                            float (&in_order)[S::TM][S::TN]) {
  float4* const sums = reinterpret_cast<float4*>(shared) + threadIdx.x;
#pragma unroll
  for (int first = 0; first < S::TM; first += S::passing) {
#pragma unroll
    for (int i = 0; i < S::passing; ++i)
#pragma unroll
      for (int j = 0; j < S::TN; j += 4)
        sums[(i * S::TN + j) / 4 * S::threads] = neighbours_exchanged(&sum[first + i][j]);
    __syncwarp();  // else the compiler knows what is read, and stores nothing
#pragma unroll
    for (int i = 0; i < S::passing; ++i)
#pragma unroll
      for (int j = 0; j < S::TN; j += 4)
        take_exchanged(sums[(i * S::TN + j) / 4 * S::threads], &in_order[first + i][j]);
    __syncwarp();
  }
}

template <class S>
__global__ void __launch_bounds__(S::threads, S::blocks)
    tensor_copy(const __grid_constant__ TensorMap of_a, const __grid_constant__ TensorMap of_b, float* C,
                int M, int N, int K, float* scratch) {
  extern __shared__ __align__(128) float tensor_copy_tiles[];
  __shared__ TensorCopySignals<S> signals;
  let_next_launch_begin();
  wait_for_launch_before();
  const Packing<S> packing(M, N, K);

  constexpr int BM = S::BM, BN = S::BN, TM = S::TM, TN = S::TN;
  float* const tiles_a = tensor_copy_tiles;                          // (stage, k, row), row fastest
  float* const tiles_b = tensor_copy_tiles + S::STAGES * S::tile_a;  // (stage, k, column), column fastest
  const WarpPlace<S> place;
  const int steps = (K + S::BK - 1) / S::BK, tiles_of_c = (M + BM - 1) / BM * ((N + BN - 1) / BN);
  SharedWork work{.tiles = tiles_of_c, .steps = steps};
  TensorCopies<S> copies{.of_a = of_a, .of_b = of_b, .M = M, .N = N, .work = work};
  const bool copying = threadIdx.x == 0;
  const auto start = [&](int to) {
    copies.start(tiles_a + to * S::tile_a, tiles_b + to * S::tile_b, &signals.full[to]);
  };
  if (copying) {
    for (int i = 0; i < S::STAGES; ++i) bulk_barrier_init(&signals.full[i], 1);
    bulk_barrier_fence();
  }
  __syncthreads();  // the barriers are there
  if (copying)
    for (int i = 0; i < S::STAGES - 1; ++i) start(i);

  float of_a_k[2][TM], of_b_k[2][TN];  // the operands of this k and of the next
  const auto read = [&](int set, const float* a, const float* b) {
#pragma unroll
    for (int i = 0; i < TM; i += 4) read_quad(&of_a_k[set][i], &a[i * S::lanes_down]);
#pragma unroll
    for (int j = 0; j < TN; j += 4) read_quad(&of_b_k[set][j], &b[j * S::lanes_across]);
  };
  const float *a = tiles_a + place.own_row, *b = tiles_b + place.own_column;
  int stage = 0;
  unsigned parity = 0;  // of the phase in which this stage is filled
  bulk_barrier_wait(&signals.full[0], parity);
  read(0, a, b);

  Piece piece;
  while (work.next(piece)) {
    const bool more = work.is_left();  // then the next one's first operands are read beside this one's last k
    float sum[TM][TN] = {};
    for (int left = piece.steps; left > 0; --left) {
#pragma unroll 1
      for (int k0 = 0; k0 < S::BK; k0 += S::body) {
#pragma unroll
        for (int k = 0; k < S::body; ++k) {
          if (k < S::body - 1) {
            read((k + 1) % 2, a + (k + 1) * BM, b + (k + 1) * BN);
          } else {
            a += S::body * BM;
            b += S::body * BN;
            if (k0 == S::BK - S::body) {
              // At the very end this stage again, which is there, and nothing is left to start: rather than a guard, which
              // keeps reads from moving between multiply-adds.
              const bool goes_on = left > 1 || more;
              const int before = stage == 0 ? S::STAGES - 1 : stage - 1;
              if (goes_on) stage = stage + 1 == S::STAGES ? 0 : stage + 1;
              if (goes_on && stage == 0) parity ^= 1;
              bulk_barrier_wait(&signals.full[stage], parity);
              // Everyone has asked for the last operands of these tiles, and computed with all of those before: those
              // may be overwritten. These may not yet: what was asked for may still be on its way.
              __syncthreads();
              if (copying) start(before);
              a = tiles_a + place.own_row + stage * S::tile_a;
              b = tiles_b + place.own_column + stage * S::tile_b;
            }
            read((k + 1) % 2, a, b);
          }
#pragma unroll
          for (int i = 0; i < TM; ++i)
#pragma unroll
            for (int n = 0; n < TN; ++n) {
              const int j = i % 2 == 0 ? n : TN - 1 - n;  // turns round, so that neighbours share an operand
              sum[i][j] = fmaf(of_a_k[k % 2][i], of_b_k[k % 2][j], sum[i][j]);
            }
        }
      }
    }
    float in_order[TM][TN];
    pass_shared<S>(sum, tiles_b + S::STAGES * S::tile_b, in_order);
    if (piece.steps < steps &&
        !add_parts<S>(work.shares(), piece.tile, &scratch[piece.tile],
                      reinterpret_cast<float4*>(&scratch[packing.end]), &signals.last, in_order))
      continue;
    const GroupedTile<S> tile(piece.tile, M, N);
#pragma unroll
    for (int i = 0; i < TM; ++i)
#pragma unroll
      for (int j = 0; j < TN; j += 4)
        store_quad(C, tile.row0 + place.own_row + i / 4 * 4 * S::lanes_down + i % 4,
                   tile.column0 + place.own_column + j * S::lanes_across, M, N,
                   make_float4(in_order[i][j], in_order[i][j + 1], in_order[i][j + 2], in_order[i][j + 3]));
  }
}

template <class S>
static constexpr Rung describe_tensor_copy(const char* name) {
  return {
      .name = name,
      .idea =
          "the copy engine brings a step's tiles by two instructions of one thread, with zeros at the edges",
      .source = __FILE__,
      .tile = S::tile,
      .block = {.x = S::threads, .y = 1},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = std::int64_t(sizeof(TensorCopySignals<S>)),
      .kernel = nullptr,
      .predict = [](const Problem& p) -> PredictedCounts {
        PredictedCounts counts = counts_of_packed_tiles<S>(p);
        counts.global_reads = counts_of_tiles(S::tile, p).global_reads + p.M * p.K +
                              (Packing<S>(p.M, p.N, p.K).of_b ? p.K * p.N : 0);
        const StepShares shares = S::shares(p);
        counts.shared_reads +=
            std::int64_t{shares.blocks} * S::threads * (S::TM + S::TN);  // those at a block's very end
        const std::int64_t parts = shares.parts(), pieces = S::tiles(p) - shares.tiles + shares.pieces();
        counts.shared_reads += pieces * S::BM * S::BN;  // the sums, as they pass
        counts.shared_writes += pieces * S::BM * S::BN;
        counts.global_reads += parts * (S::BM * S::BN + 1);  // an atomic is a read and a write
        counts.global_writes += parts * (S::BM * S::BN + 1);
        counts.shared_reads += parts * S::threads;  // whether it is the last, for every thread of the block
        counts.shared_writes += parts;
        return counts;
      },
      .dynamic_shared_bytes = (S::STAGES * (S::tile_a + S::tile_b) + S::sums) * std::int64_t(sizeof(float)),
      .grid = [](const Problem& p) -> Grid {
        return {S::blocks_of(p), 1};
      },
      .scratch_floats = [](const Problem& p) -> std::int64_t {
        return Packing<S>(p.M, p.N, p.K).end + 2 * S::shares(p).sharers * S::BM * S::BN;
      },
      .scratch_counters = [](const Problem& p) -> std::int64_t { return S::shares(p).tiles; },
      .first = first_packs<S>(),
      .tensors = [](const Problem& p) -> Tensors {
        const Packing<S> packing(p.M, p.N, p.K);
        return {.a = {TensorSource::scratch, packing.a, p.K, p.M, packing.rows, S::BK, S::BM},
                .b = {packing.of_b ? TensorSource::scratch : TensorSource::B, packing.of_b ? packing.b : 0,
                      p.K, p.N, packing.pitch, S::BK, S::BN}};
      },
      .tensor_kernel = tensor_copy<S>,
      .overlaps = S::overlaps,
  };
}

TILEWRIGHT_RUNGS(describe_tensor_copy<TensorCopySizes>("tensor_copy"))
