// SPDX-License-Identifier: MIT
//
// sums_not_changed_back: neighbouring sums change places on their way into shared memory, as in shared_slices, and not on their
// way out.
//
// Caught: wrong_value
// Shape: 5x8x3
#include "kernels/rung.h"

using tilewright::ceil_div;
using tilewright::Grid;
using tilewright::GridOrder;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::Rung;

// A thread has four columns of a row.
template <int T>
__global__ void sums_not_changed_back(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float4 sums[T];
  const int row = int(blockIdx.x) * T + int(threadIdx.x), column = int(blockIdx.y) * 4;
  if (row >= M) return;
  float sum[4] = {};
  for (int k = 0; k < K; ++k)
    for (int j = 0; j < 4 && column + j < N; ++j)
      sum[j] = fmaf(A[std::int64_t(row) * K + k], B[std::int64_t(k) * N + column + j], sum[j]);
  sums[threadIdx.x] = make_float4(sum[1], sum[0], sum[3], sum[2]);
  const float4 own = sums[threadIdx.x];
  const float as_they_lie[4] = {own.x, own.y, own.z, own.w};
  for (int j = 0; j < 4 && column + j < N; ++j) C[std::int64_t(row) * N + column + j] = as_they_lie[j];
}

template <int T>
static constexpr Rung describe(const char* name) {
  return {
      .name = name,
      .idea = "four sums a thread, of which neighbours have changed places",
      .source = __FILE__,
      .tile = {.BM = T, .BN = 4, .BK = 1},
      .block = {.x = T, .y = 1},
      .grid_order = GridOrder::rows_along_x,
      .static_shared_bytes = T * std::int64_t(sizeof(float4)),
      .kernel = sums_not_changed_back<T>,
      .predict = [](const Problem& p) -> PredictedCounts {
        const std::int64_t threads = p.M * ceil_div(p.N, 4);
        return {.global_reads = 2 * p.M * p.N * p.K,
                .global_writes = p.M * p.N,
                .shared_reads = 4 * threads,
                .shared_writes = 4 * threads};
      },
      .grid = [](const Problem& p) -> Grid {
        return {ceil_div(p.M, T), ceil_div(p.N, 4)};
      },
  };
}

TILEWRIGHT_RUNGS(describe<32>("sums_not_changed_back"))
