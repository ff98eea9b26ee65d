// SPDX-License-Identifier: MIT
//
// A thread an element of C, whose first k is read before the thread waits for the launch before, which may still write it.
//
// Caught: launch_not_waited_for
#include "kernels/rung.h"
#include "kernels/words/launch_overlap.h"

using tilewright::GridOrder;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::Rung;
using tilewright::wait_for_launch_before;

template <int T>
__global__ void reads_before_it_waits(const float* A, const float* B, float* C, int M, int N, int K) {
  const int row = int(blockIdx.y) * T + int(threadIdx.y), column = int(blockIdx.x) * T + int(threadIdx.x);
  if (row >= M || column >= N) return;
  float sum = A[std::int64_t(row) * K];  // caught here
  wait_for_launch_before();
  sum *= B[column];
  for (int k = 1; k < K; ++k) sum = fmaf(A[std::int64_t(row) * K + k], B[std::int64_t(k) * N + column], sum);
  C[std::int64_t(row) * N + column] = sum;
}

template <int T>
static constexpr Rung describe(const char* name) {
  return {
      .name = name,
      .idea = "one thread an element, which does not wait for the launch before",
      .source = __FILE__,
      .tile = {.BM = T, .BN = T, .BK = 1},
      .block = {.x = T, .y = T},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = 0,
      .kernel = reads_before_it_waits<T>,
      .predict = [](const Problem& p) -> PredictedCounts {
        return {.global_reads = 2 * p.M * p.N * p.K,
                .global_writes = p.M * p.N,
                .shared_reads = 0,
                .shared_writes = 0};
      },
      .overlaps = true,
  };
}

TILEWRIGHT_RUNGS(describe<16>("reads_before_it_waits"))
