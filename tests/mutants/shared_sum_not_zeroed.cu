// SPDX-License-Identifier: MIT
//
// shared_sum_not_zeroed: direct with its sums in shared memory, which nobody sets to zero.
//
// Shared memory starts with what the last block left there. On a fresh GPU that is often zero, and the kernel
// seems right.
//
// Caught: uninitialized_shared_read
#include "kernels/rung.h"

using tilewright::GridOrder;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::Rung;

template <int T>
__global__ void shared_sum_not_zeroed(const float* A, const float* B, float* C, int M, int N, int K) {
  const int row = int(blockIdx.y) * T + int(threadIdx.y);
  const int column = int(blockIdx.x) * T + int(threadIdx.x);
  if (row >= M || column >= N) return;

  __shared__ float sums[T][T];  // (row, column)
  float& sum = sums[threadIdx.y][threadIdx.x];
  for (int k = 0; k < K; ++k) {
    sum = fmaf(A[std::int64_t(row) * K + k], B[std::int64_t(k) * N + column], sum);  // caught here
  }
  C[std::int64_t(row) * N + column] = sum;
}

template <int T>
static constexpr Rung describe(const char* name) {
  static_assert(T * T <= 1024, "a block has at most 1024 threads");
  return {
      .name = name,
      .idea = "sums in shared memory that start from garbage",
      .source = __FILE__,
      .tile = {.BM = T, .BN = T, .BK = 1},
      .block = {.x = T, .y = T},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = T * T * std::int64_t(sizeof(float)),
      .kernel = shared_sum_not_zeroed<T>,
      .predict = [](const Problem& p) -> PredictedCounts {
        return {.global_reads = 2 * p.M * p.N * p.K,
                .global_writes = p.M * p.N,
                .shared_reads = p.M * p.N * (p.K + 1),
                .shared_writes = p.M * p.N * p.K};
      },
  };
}

TILEWRIGHT_RUNGS(describe<16>("shared_sum_not_zeroed"))
