// SPDX-License-Identifier: MIT
//
// register_double_buffer: the next tile is on its way, in registers, while this one is computed.
//
// From warp_tile, the tiles in shared memory are there twice. A step first asks global memory for the next tile, then
// computes on this one, and only then stores what has come to the other copy: the loads have the whole step to arrive, and
// one barrier a step is enough, since nobody writes to what others still read.
//
// Predicted: the accesses of warp_tile; one barrier a step instead of two; 8·BK·(BM + pad + BN) bytes of shared memory.
// Banks: as warp_tile.
// Should bind: shared reads and multiply-adds share the issue slots: (TM + TN)/4 reads for TM·TN multiply-adds in each k.
#include "kernels/quads.h"
#include "kernels/rung.h"

using tilewright::ceil_div;
using tilewright::counts_of_tiles;
using tilewright::GridOrder;
using tilewright::load_quad;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::read_quad;
using tilewright::Rung;
using tilewright::store_quad;

struct RegisterDoubleBufferSizes {
  static constexpr int BM = 128, BN = 128, BK = 8, WM = 64, WN = 32, TM = 8, TN = 8;
  static constexpr int pad = 4;         // floats behind each row of the transposed tile of A
  static constexpr int lanes_down = 8;  // of a warp's 32 lanes; the others lie across
  static constexpr int lanes_across = 4;
  static constexpr int threads = BM * BN / (TM * TN);
  static constexpr int blocks = 2;  // a multiprocessor holds: at most 128 registers a thread
  static constexpr tilewright::Tile tile{.BM = BM, .BN = BN, .BK = BK, .TM = TM, .TN = TN};
  static_assert(TM == 8 && TN == 8, "two pieces of four each way");
  static_assert(WM == lanes_down * TM && WN == lanes_across * TN,
                "the lanes' register tiles fill the warp's tile");
  static_assert(BM % WM == 0 && BN % WN == 0, "warp tiles fill the block's tile");
  static_assert(BK % 4 == 0, "four neighbours are one access");
  static_assert(BM * BK == 4 * threads && BK * BN == 4 * threads,
                "each thread loads four of A and four of B");
  static_assert(4 * (BM + pad) % 32 == 16,
                "the two groups of k that a warp stores lie in different halves of the banks");
};

// One warp, 8 lanes down and 4 across, each with 2 x 2 pieces of 4 x 4:
//                       columns  0…3   4…7   8…11  12…15 | 16…31 the same again
//                  rows 0…3       0     1     2     3
//                  rows 4…7       4     5     6     7
//                        …                  …
//                  rows 28…31    28    29    30    31
//                  rows 32…63     the same again
template <class S>
__global__ void __launch_bounds__(S::threads, S::blocks)
    register_double_buffer(const float* A, const float* B, float* C, int M, int N, int K) {
  constexpr int BM = S::BM, BN = S::BN, BK = S::BK, TM = S::TM, TN = S::TN;
  alignas(16) __shared__ float a[2][BK][BM + S::pad];  // (copy, k, row), row fastest: A transposed
  alignas(16) __shared__ float b[2][BK][BN];           // (copy, k, column), column fastest

  const int thread = int(threadIdx.x);
  const int warp = thread / 32, lane = thread % 32;
  const int warp_row = warp / (BN / S::WN) * S::WM, warp_column = warp % (BN / S::WN) * S::WN;
  const int own_row = warp_row + lane / S::lanes_across * 4;
  const int own_column = warp_column + lane % S::lanes_across * 4;
  const int row0 = int(blockIdx.y) * BM;
  const int column0 = int(blockIdx.x) * BN;

  // What this thread loads of each tile: four neighbours of A along k, four of B along a row.
  const int load_row = thread / (BK / 4), load_k = thread % (BK / 4) * 4;
  const int load_step = thread / (BN / 4), load_column = thread % (BN / 4) * 4;
  const auto load_a = [&](int k0) { return load_quad(A, row0 + load_row, k0 + load_k, M, K); };
  const auto load_b = [&](int k0) { return load_quad(B, k0 + load_step, column0 + load_column, K, N); };
  const auto store = [&](int copy, float4 of_a, float4 of_b) {
    a[copy][load_k][load_row] = of_a.x;
    a[copy][load_k + 1][load_row] = of_a.y;
    a[copy][load_k + 2][load_row] = of_a.z;
    a[copy][load_k + 3][load_row] = of_a.w;
    *reinterpret_cast<float4*>(&b[copy][load_step][load_column]) = of_b;
  };

  store(0, load_a(0), load_b(0));
  __syncthreads();  // the first tile is complete

  float sum[TM][TN] = {};
  int copy = 0;
  for (int k0 = 0; k0 < K; k0 += BK) {
    // Load: the next tile, zero where it reaches past the matrix; all of it lies past the end in the last step.
    const float4 next_a = load_a(k0 + BK);
    const float4 next_b = load_b(k0 + BK);

#pragma unroll 4  // unrolled whole, it needs a register more than there are
    for (int k = 0; k < BK; ++k) {
      float of_a[TM], of_b[TN];
#pragma unroll
      for (int i = 0; i < TM; i += 4) read_quad(&of_a[i], &a[copy][k][own_row + i / 4 * (S::WM / 2)]);
#pragma unroll
      for (int j = 0; j < TN; j += 4) read_quad(&of_b[j], &b[copy][k][own_column + j / 4 * (S::WN / 2)]);
#pragma unroll
      for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j) sum[i][j] = fmaf(of_a[i], of_b[j], sum[i][j]);
    }

    copy ^= 1;
    store(copy, next_a, next_b);
    __syncthreads();  // the next tile is complete, and everyone has read this one
  }
#pragma unroll
  for (int i = 0; i < TM; ++i)
#pragma unroll
    for (int j = 0; j < TN; j += 4)
      store_quad(C, row0 + own_row + i / 4 * (S::WM / 2) + i % 4, column0 + own_column + j / 4 * (S::WN / 2),
                 M, N, make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]));
}

template <class S>
static constexpr Rung describe(const char* name) {
  return {
      .name = name,
      .idea = "the next tile is loaded to registers while this one is computed; one barrier a step",
      .source = __FILE__,
      .tile = S::tile,
      .block = {.x = S::threads, .y = 1},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = 2 * S::BK * (S::BM + S::pad + S::BN) * std::int64_t(sizeof(float)),
      .kernel = register_double_buffer<S>,
      .predict = [](const Problem& p) -> PredictedCounts {
        PredictedCounts counts = counts_of_tiles(S::tile, p);
        // The last step stores a tile of zeros that nobody reads.
        counts.shared_writes += ceil_div(p.M, S::BM) * ceil_div(p.N, S::BN) * S::BK * (S::BM + S::BN);
        return counts;
      },
  };
}

TILEWRIGHT_RUNGS(describe<RegisterDoubleBufferSizes>("register_double_buffer"))
