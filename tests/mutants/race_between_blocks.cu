// SPDX-License-Identifier: MIT
//
// race_between_blocks: direct that looks at an element which a thread of another block writes.
//
// Blocks have no order and no barrier: it is either not written yet or being written. Each of two blocks
// looks at the other's, so whichever comes second reads what the first has written.
//
// Caught: race
#include "kernels/rung.h"

using tilewright::GridOrder;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::Rung;

template <int T>
__global__ void race_between_blocks(const float* A, const float* B, float* C, int M, int N, int K) {
  const int row = int(blockIdx.y) * T + int(threadIdx.y);
  const int column = int(blockIdx.x) * T + int(threadIdx.x);
  if (row >= M || column >= N) return;

  float sum = 0.0f;
  for (int k = 0; k < K; ++k) {
    sum = fmaf(A[std::int64_t(row) * K + k], B[std::int64_t(k) * N + column], sum);
  }
  C[std::int64_t(row) * N + column] = sum;
  const int partner = column ^ T;  // the same thread's column in the neighbouring block
  if (partner < N) {
    const float other = C[std::int64_t(row) * N + partner];  // caught here
    if (other != other) C[std::int64_t(row) * N + column] = 0.0f;
  }
}

template <int T>
static constexpr Rung describe(const char* name) {
  static_assert(T * T <= 1024, "a block has at most 1024 threads");
  return {
      .name = name,
      .idea = "reads an element of C that another block writes",
      .source = __FILE__,
      .tile = {.BM = T, .BN = T, .BK = 1},
      .block = {.x = T, .y = T},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = 0,
      .kernel = race_between_blocks<T>,
      .predict = [](const Problem& p) -> PredictedCounts {
        return {.global_reads = 2 * p.M * p.N * p.K,
                .global_writes = p.M * p.N,
                .shared_reads = 0,
                .shared_writes = 0};
      },
  };
}

TILEWRIGHT_RUNGS(describe<16>("race_between_blocks"))
