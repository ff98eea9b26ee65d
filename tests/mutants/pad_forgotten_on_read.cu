// SPDX-License-Identifier: MIT
//
// pad_forgotten_on_read: conflict_free whose tile of A is stored with padded rows and read without the pad.
//
// From the second k on, rows are read k·pad floats too early, and the first of these are the pads, which nobody
// writes. The first k is right.
//
// Caught: uninitialized_shared_read
#include "kernels/quads.h"
#include "kernels/rung.h"

using tilewright::counts_of_tiles;
using tilewright::GridOrder;
using tilewright::load_quad;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::read_quad;
using tilewright::Rung;
using tilewright::store_quad;

struct PadForgottenOnReadSizes {
  static constexpr int BM = 32, BN = 32, BK = 8, TM = 8, TN = 8;
  static constexpr int pad = 4;  // floats behind each row of the transposed tile of A
  static constexpr int threads = BM * BN / (TM * TN);
  static constexpr int blocks = 2;  // a multiprocessor holds: at most 128 registers a thread
  static constexpr tilewright::Tile tile{.BM = BM, .BN = BN, .BK = BK, .TM = TM, .TN = TN};
  static_assert(TM == 8 && TN == 8, "two pieces of four each way");
  static_assert(BM % TM == 0 && BN % TN == 0, "register tiles fill the block's tile");
  static_assert(BK % 4 == 0 && TM % 4 == 0 && TN % 4 == 0, "four neighbours are one access");
  static_assert(4 * (BM + pad) % 32 == 16,
                "the two groups of k that a warp stores lie in different halves of the banks");
};

template <class S>
__global__ void __launch_bounds__(S::threads, S::blocks)
    pad_forgotten_on_read(const float* A, const float* B, float* C, int M, int N, int K) {
  constexpr int BM = S::BM, BN = S::BN, BK = S::BK, TM = S::TM, TN = S::TN;
  alignas(16) __shared__ float a[BK * (BM + S::pad)];  // (k, row), row fastest: A transposed
  alignas(16) __shared__ float b[BK][BN];              // (k, column), column fastest

  const int tx = int(threadIdx.x);
  const int ty = int(threadIdx.y);
  const int thread = ty * (BN / TN) + tx;
  const int row0 = int(blockIdx.y) * BM;
  const int column0 = int(blockIdx.x) * BN;

  float sum[TM][TN] = {};
  for (int k0 = 0; k0 < K; k0 += BK) {
    // Load: four neighbours at once, zero where the tile reaches past the matrix.
    for (int i = thread; i < BM * BK / 4; i += S::threads) {
      const int row = i / (BK / 4), k = i % (BK / 4) * 4;
      const float4 quad = load_quad(A, row0 + row, k0 + k, M, K);
      a[k * (BM + S::pad) + row] = quad.x;
      a[(k + 1) * (BM + S::pad) + row] = quad.y;
      a[(k + 2) * (BM + S::pad) + row] = quad.z;
      a[(k + 3) * (BM + S::pad) + row] = quad.w;
    }
    for (int i = thread; i < BK * BN / 4; i += S::threads) {
      const int k = i / (BN / 4), column = i % (BN / 4) * 4;
      *reinterpret_cast<float4*>(&b[k][column]) = load_quad(B, k0 + k, column0 + column, K, N);
    }
    __syncthreads();  // the tile is complete before anyone reads it

#pragma unroll
    for (int k = 0; k < BK; ++k) {
      float of_a[TM], of_b[TN];
#pragma unroll
      for (int i = 0; i < TM; ++i) of_a[i] = a[k * BM + i / 4 * (BM / 2) + ty * 4 + i % 4];  // caught here
#pragma unroll
      for (int j = 0; j < TN; j += 4) read_quad(&of_b[j], &b[k][j / 4 * (BN / 2) + tx * 4]);
#pragma unroll
      for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j) sum[i][j] = fmaf(of_a[i], of_b[j], sum[i][j]);
    }
    __syncthreads();  // everyone has read the tile before it is overwritten
  }
#pragma unroll
  for (int i = 0; i < TM; ++i)
#pragma unroll
    for (int j = 0; j < TN; j += 4)
      store_quad(C, row0 + i / 4 * (BM / 2) + ty * 4 + i % 4, column0 + j / 4 * (BN / 2) + tx * 4, M, N,
                 make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]));
}

template <class S>
static constexpr Rung describe(const char* name) {
  return {
      .name = name,
      .idea = "the pad is in one of two uses of the tile of A",
      .source = __FILE__,
      .tile = S::tile,
      .block = {.x = S::BN / S::TN, .y = S::BM / S::TM},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = S::BK * (S::BM + S::pad + S::BN) * std::int64_t(sizeof(float)),
      .kernel = pad_forgotten_on_read<S>,
      .predict = [](const Problem& p) -> PredictedCounts { return counts_of_tiles(S::tile, p); },
  };
}

TILEWRIGHT_RUNGS(describe<PadForgottenOnReadSizes>("pad_forgotten_on_read"))
