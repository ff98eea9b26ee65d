// SPDX-License-Identifier: MIT
//
// Three blocks share a tile of C, each with every third k, and add their sums to a C that starts as zeros.
//
// Caught: nothing
#include "kernels/rung.h"

using tilewright::ceil_div;
using tilewright::Grid;
using tilewright::GridOrder;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::Rung;

template <int T, int SPLITS>
__global__ void honest_adds_to_output(const float* A, const float* B, float* C, int M, int N, int K) {
  const int row = int(blockIdx.y) * T + int(threadIdx.y), column = int(blockIdx.x) * T + int(threadIdx.x);
  if (row >= M || column >= N) return;
  float sum = 0.0f;
  for (int k = int(blockIdx.z); k < K; k += SPLITS)
    sum = fmaf(A[std::int64_t(row) * K + k], B[std::int64_t(k) * N + column], sum);
  atomicAdd(&C[std::int64_t(row) * N + column], sum);
}

template <int T, int SPLITS>
static constexpr Rung describe(const char* name) {
  return {
      .name = name,
      .idea = "blocks that share a tile of C add their sums to it",
      .source = __FILE__,
      .tile = {.BM = T, .BN = T, .BK = 1},
      .block = {.x = T, .y = T},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = 0,
      .kernel = honest_adds_to_output<T, SPLITS>,
      .predict = [](const Problem& p) -> PredictedCounts {
        return {.global_reads = 2 * p.M * p.N * p.K + SPLITS * p.M * p.N,
                .global_writes = SPLITS * p.M * p.N,
                .shared_reads = 0,
                .shared_writes = 0};
      },
      .grid = [](const Problem& p) -> Grid {
        return {ceil_div(p.N, T), ceil_div(p.M, T), SPLITS};
      },
      .adds_to_output = true,
  };
}

TILEWRIGHT_RUNGS(describe<16, 3>("honest_adds_to_output"))
