// SPDX-License-Identifier: MIT
//
// two_threads_one_element: direct that clamps the column to the last one instead of masking.
//
// Every thread beyond the edge computes the last column again and writes it again. The values are right, as
// long as all of them are equal; the work and the traffic are not, and with an epilogue that reads C neither
// are the values.
//
// Caught: double_write
#include "kernels/rung.h"

using tilewright::GridOrder;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::Rung;

template <int T>
__global__ void two_threads_one_element(const float* A, const float* B, float* C, int M, int N, int K) {
  const int row = int(blockIdx.y) * T + int(threadIdx.y);
  const int column = min(int(blockIdx.x) * T + int(threadIdx.x), N - 1);
  if (row >= M) return;

  float sum = 0.0f;
  for (int k = 0; k < K; ++k) {
    sum = fmaf(A[std::int64_t(row) * K + k], B[std::int64_t(k) * N + column], sum);
  }
  C[std::int64_t(row) * N + column] = sum;  // caught here
}

template <int T>
static constexpr Rung describe(const char* name) {
  static_assert(T * T <= 1024, "a block has at most 1024 threads");
  return {
      .name = name,
      .idea = "threads beyond the edge write the last column again",
      .source = __FILE__,
      .tile = {.BM = T, .BN = T, .BK = 1},
      .block = {.x = T, .y = T},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = 0,
      .kernel = two_threads_one_element<T>,
      .predict = [](const Problem& p) -> PredictedCounts {
        return {.global_reads = 2 * p.M * p.N * p.K,
                .global_writes = p.M * p.N,
                .shared_reads = 0,
                .shared_writes = 0};
      },
  };
}

TILEWRIGHT_RUNGS(describe<16>("two_threads_one_element"))
