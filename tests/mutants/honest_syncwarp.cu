// SPDX-License-Identifier: MIT
//
// honest_syncwarp: each row of the block keeps its part of A in shared memory; a row is half a warp, so that
// __syncwarp is all the order that its threads need.
//
// Caught: nothing
#include "kernels/rung.h"

using tilewright::GridOrder;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::Rung;

template <int T>
__global__ void honest_syncwarp(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float a[T][T];  // (row, k), k fastest

  const int tx = int(threadIdx.x);
  const int ty = int(threadIdx.y);
  const int row = int(blockIdx.y) * T + ty;
  const int column = int(blockIdx.x) * T + tx;

  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    a[ty][tx] = row < M && k0 + tx < K ? A[std::int64_t(row) * K + k0 + tx] : 0.0f;
    __syncwarp();

    for (int k = 0; k < T && k0 + k < K; ++k) {
      if (column < N) sum = fmaf(a[ty][k], B[std::int64_t(k0 + k) * N + column], sum);
    }
    __syncwarp();
  }
  if (row < M && column < N) C[std::int64_t(row) * N + column] = sum;
}

template <int T>
static constexpr Rung describe(const char* name) {
  static_assert(32 % T == 0, "a row of the block belongs to one warp");
  return {
      .name = name,
      .idea = "rows of A handed on within a warp",
      .source = __FILE__,
      .tile = {.BM = T, .BN = T, .BK = T},
      .block = {.x = T, .y = T},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = T * T * std::int64_t(sizeof(float)),
      .kernel = honest_syncwarp<T>,
      .predict = [](const Problem& p) -> PredictedCounts {
        const std::int64_t down = tilewright::ceil_div(p.M, T), along = tilewright::ceil_div(p.N, T);
        return {.global_reads = p.M * p.K * along + down * T * p.N * p.K,
                .global_writes = p.M * p.N,
                .shared_reads = down * T * p.N * p.K,
                .shared_writes = down * along * tilewright::ceil_div(p.K, T) * T * T};
      },
  };
}

TILEWRIGHT_RUNGS(describe<16>("honest_syncwarp"))
