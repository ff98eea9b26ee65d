// SPDX-License-Identifier: MIT
//
// input_overwritten: direct that writes to an element of A.
//
// This product may come out right, depending on who read A[0] before; the next one on the same inputs is
// wrong.
//
// Caught: input_modified
#include "kernels/rung.h"

using tilewright::GridOrder;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::Rung;

template <int T>
__global__ void input_overwritten(const float* A, const float* B, float* C, int M, int N, int K) {
  const int row = int(blockIdx.y) * T + int(threadIdx.y);
  const int column = int(blockIdx.x) * T + int(threadIdx.x);
  if (row >= M || column >= N) return;

  float sum = 0.0f;
  for (int k = 0; k < K; ++k) {
    sum = fmaf(A[std::int64_t(row) * K + k], B[std::int64_t(k) * N + column], sum);
  }
  C[std::int64_t(row) * N + column] = sum;
  if (row == 0 && column == 0) const_cast<float*>(A)[0] = 2.0f;  // caught here
}

template <int T>
static constexpr Rung describe(const char* name) {
  static_assert(T * T <= 1024, "a block has at most 1024 threads");
  return {
      .name = name,
      .idea = "one element of A is overwritten",
      .source = __FILE__,
      .tile = {.BM = T, .BN = T, .BK = 1},
      .block = {.x = T, .y = T},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = 0,
      .kernel = input_overwritten<T>,
      .predict = [](const Problem& p) -> PredictedCounts {
        return {.global_reads = 2 * p.M * p.N * p.K,
                .global_writes = p.M * p.N,
                .shared_reads = 0,
                .shared_writes = 0};
      },
  };
}

TILEWRIGHT_RUNGS(describe<16>("input_overwritten"))
