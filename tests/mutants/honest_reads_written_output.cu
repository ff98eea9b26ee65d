// SPDX-License-Identifier: MIT
//
// honest_reads_written_output: direct that looks at its neighbour's element of C between two barriers, and
// then writes its own again.
//
// What is read has been written before, the barriers order global memory within a block, and an element may
// be written twice by one thread: no race, no read of an unwritten output, no double write.
//
// Caught: nothing
#include "kernels/rung.h"

using tilewright::GridOrder;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::Rung;

template <int T>
__global__ void honest_reads_written_output(const float* A, const float* B, float* C, int M, int N, int K) {
  const int row = int(blockIdx.y) * T + int(threadIdx.y);
  const int column = int(blockIdx.x) * T + int(threadIdx.x);

  float sum = 0.0f;
  for (int k = 0; k < K && row < M && column < N; ++k) {
    sum = fmaf(A[std::int64_t(row) * K + k], B[std::int64_t(k) * N + column], sum);
  }
  const bool inside = row < M && column < N;
  if (inside) C[std::int64_t(row) * N + column] = sum;
  __syncthreads();

  const int neighbour = column ^ 1;  // of the same block, since T is even
  const float other = inside && neighbour < N ? C[std::int64_t(row) * N + neighbour] : sum;
  __syncthreads();

  if (inside) C[std::int64_t(row) * N + column] = other == other ? sum : other;
}

template <int T>
static constexpr Rung describe(const char* name) {
  static_assert(T * T <= 1024, "a block has at most 1024 threads");
  return {
      .name = name,
      .idea = "reads back elements of C that are written and ordered",
      .source = __FILE__,
      .tile = {.BM = T, .BN = T, .BK = 1},
      .block = {.x = T, .y = T},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = 0,
      .kernel = honest_reads_written_output<T>,
      .predict = [](const Problem& p) -> PredictedCounts {
        const std::int64_t neighbours = p.M * (p.N / 2 * 2);
        return {.global_reads = 2 * p.M * p.N * p.K + neighbours,
                .global_writes = 2 * p.M * p.N,
                .shared_reads = 0,
                .shared_writes = 0};
      },
  };
}

TILEWRIGHT_RUNGS(describe<16>("honest_reads_written_output"))
