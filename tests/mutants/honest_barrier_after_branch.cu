// SPDX-License-Identifier: MIT
//
// honest_barrier_after_branch: direct with a barrier between two branches on one condition.
//
// Every thread comes to the same barrier. A host compiler may make two of it, one for each way the condition
// can go, and tell by the first branch what the second will be; it is still one barrier.
//
// Caught: nothing
#include "kernels/rung.h"

using tilewright::ceil_div;
using tilewright::GridOrder;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::Rung;

template <int T>
__global__ void honest_barrier_after_branch(const float* A, const float* B, float* C, int M, int N, int K) {
  const int row = int(blockIdx.y) * T + int(threadIdx.y);
  const int column = int(blockIdx.x) * T + int(threadIdx.x);
  const bool inside = row < M && column < N;

  float sum = 0.0f;
  for (int k = 0; k < K && inside; ++k) {
    sum = fmaf(A[std::int64_t(row) * K + k], B[std::int64_t(k) * N + column], sum);
  }
  if (inside) C[std::int64_t(row) * N + column] = sum;
  __syncthreads();

  float other = 0.0f;
  if (inside && threadIdx.x < T - 1 && column + 1 < N) other = C[std::int64_t(row) * N + column + 1];
  __syncthreads();
  if (inside) C[std::int64_t(row) * N + column] = other == other ? sum : other;
}

template <int T>
static constexpr Rung describe(const char* name) {
  static_assert(T * T <= 1024, "a block has at most 1024 threads");
  return {
      .name = name,
      .idea = "a barrier between two branches on one condition",
      .source = __FILE__,
      .tile = {.BM = T, .BN = T, .BK = 1},
      .block = {.x = T, .y = T},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = 0,
      .kernel = honest_barrier_after_branch<T>,
      .predict = [](const Problem& p) -> PredictedCounts {
        const std::int64_t neighbours = p.M * (p.N - ceil_div(p.N, T));
        return {.global_reads = 2 * p.M * p.N * p.K + neighbours,
                .global_writes = 2 * p.M * p.N,
                .shared_reads = 0,
                .shared_writes = 0};
      },
  };
}

TILEWRIGHT_RUNGS(describe<16>("honest_barrier_after_branch"))
