// SPDX-License-Identifier: MIT
//
// shared_out_of_bounds: direct with its sums in shared memory, each one place too far.
//
// Only the last thread of a block goes past the end of the array, which is the end of the block's shared
// memory.
//
// Caught: out_of_bounds
// Shape: 17x19x23
#include "kernels/rung.h"

using tilewright::GridOrder;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::Rung;

template <int T>
__global__ void shared_out_of_bounds(const float* A, const float* B, float* C, int M, int N, int K) {
  const int row = int(blockIdx.y) * T + int(threadIdx.y);
  const int column = int(blockIdx.x) * T + int(threadIdx.x);
  if (row >= M || column >= N) return;

  __shared__ float sums[T * T];
  const int slot = int(threadIdx.y) * T + int(threadIdx.x) + 1;
  sums[slot] = 0.0f;  // caught here
  for (int k = 0; k < K; ++k) {
    sums[slot] = fmaf(A[std::int64_t(row) * K + k], B[std::int64_t(k) * N + column], sums[slot]);
  }
  C[std::int64_t(row) * N + column] = sums[slot];
}

template <int T>
static constexpr Rung describe(const char* name) {
  static_assert(T * T <= 1024, "a block has at most 1024 threads");
  return {
      .name = name,
      .idea = "writes one float behind shared memory",
      .source = __FILE__,
      .tile = {.BM = T, .BN = T, .BK = 1},
      .block = {.x = T, .y = T},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = T * T * std::int64_t(sizeof(float)),
      .kernel = shared_out_of_bounds<T>,
      .predict = [](const Problem& p) -> PredictedCounts {
        return {.global_reads = 2 * p.M * p.N * p.K,
                .global_writes = p.M * p.N,
                .shared_reads = p.M * p.N * (p.K + 1),
                .shared_writes = p.M * p.N * (p.K + 1)};
      },
  };
}

TILEWRIGHT_RUNGS(describe<16>("shared_out_of_bounds"))
