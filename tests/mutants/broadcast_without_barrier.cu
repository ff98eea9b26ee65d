// SPDX-License-Identifier: MIT
//
// broadcast_without_barrier: direct whose threads learn K from the first thread of the block, without waiting
// for it.
//
// One thread writes one word and the others read it. If the writer happens to come first the result is right;
// then only the reads show the race, and if it comes last only the write does.
//
// Caught: race
#include "kernels/rung.h"

using tilewright::ceil_div;
using tilewright::GridOrder;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::Rung;

template <int T>
__global__ void broadcast_without_barrier(const float* A, const float* B, float* C, int M, int N, int K) {
  const int row = int(blockIdx.y) * T + int(threadIdx.y);
  const int column = int(blockIdx.x) * T + int(threadIdx.x);

  __shared__ int steps;
  if (threadIdx.x == 0 && threadIdx.y == 0) steps = K;  // caught here
  const int own_steps = steps;                          // caught here

  float sum = 0.0f;
  for (int k = 0; k < own_steps && row < M && column < N; ++k) {
    sum = fmaf(A[std::int64_t(row) * K + k], B[std::int64_t(k) * N + column], sum);
  }
  if (row < M && column < N) C[std::int64_t(row) * N + column] = sum;
}

template <int T>
static constexpr Rung describe(const char* name) {
  static_assert(T * T <= 1024, "a block has at most 1024 threads");
  return {
      .name = name,
      .idea = "one thread writes what all read, with no barrier between",
      .source = __FILE__,
      .tile = {.BM = T, .BN = T, .BK = 1},
      .block = {.x = T, .y = T},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = sizeof(int),
      .kernel = broadcast_without_barrier<T>,
      .predict = [](const Problem& p) -> PredictedCounts {
        const std::int64_t blocks = ceil_div(p.M, T) * ceil_div(p.N, T);
        return {.global_reads = 2 * p.M * p.N * p.K,
                .global_writes = p.M * p.N,
                .shared_reads = blocks * T * T,
                .shared_writes = blocks};
      },
  };
}

TILEWRIGHT_RUNGS(describe<16>("broadcast_without_barrier"))
