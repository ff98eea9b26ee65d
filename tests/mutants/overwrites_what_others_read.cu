// SPDX-License-Identifier: MIT
//
// overwrites_what_others_read: direct whose last thread clears a shared word after it has read it, while
// others may still have to.
//
// The thread has read the word itself just before, so a detector that remembers only the latest reader takes
// it for the thread's own.
//
// Caught: race
#include "kernels/rung.h"

using tilewright::ceil_div;
using tilewright::GridOrder;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::Rung;

template <int T>
__global__ void overwrites_what_others_read(const float* A, const float* B, float* C, int M, int N, int K) {
  const int row = int(blockIdx.y) * T + int(threadIdx.y);
  const int column = int(blockIdx.x) * T + int(threadIdx.x);

  __shared__ int steps;
  const bool last = threadIdx.x == T - 1 && threadIdx.y == T - 1;
  if (last) steps = K;
  __syncthreads();
  const int own_steps = steps;  // caught here
  if (last) steps = 0;          // caught here

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
      .idea = "a shared word is cleared while others may still read it",
      .source = __FILE__,
      .tile = {.BM = T, .BN = T, .BK = 1},
      .block = {.x = T, .y = T},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = sizeof(int),
      .kernel = overwrites_what_others_read<T>,
      .predict = [](const Problem& p) -> PredictedCounts {
        const std::int64_t blocks = ceil_div(p.M, T) * ceil_div(p.N, T);
        return {.global_reads = 2 * p.M * p.N * p.K,
                .global_writes = p.M * p.N,
                .shared_reads = blocks * T * T,
                .shared_writes = 2 * blocks};
      },
  };
}

TILEWRIGHT_RUNGS(describe<16>("overwrites_what_others_read"))
