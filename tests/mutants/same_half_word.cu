// SPDX-License-Identifier: MIT
//
// same_half_word: honest_half_words in which two neighbouring threads write the same lower half.
//
// Who comes last wins; the upper halves are still each thread's own, so the result is nearly right.
//
// Caught: race
#include "kernels/rung.h"

using tilewright::ceil_div;
using tilewright::GridOrder;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::Rung;

template <int T>
__global__ void same_half_word(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ std::uint16_t low[T * T];   // the lower halves of the sums: two threads' in each word
  __shared__ std::uint16_t high[T * T];  // and the upper ones
  const int row = int(blockIdx.y) * T + int(threadIdx.y);
  const int column = int(blockIdx.x) * T + int(threadIdx.x);
  const int thread = int(threadIdx.y) * T + int(threadIdx.x);

  float sum = 0.0f;
  for (int k = 0; k < K && row < M && column < N; ++k) {
    sum = fmaf(A[std::int64_t(row) * K + k], B[std::int64_t(k) * N + column], sum);
  }
  low[thread / 2 * 2] = std::uint16_t(__float_as_uint(sum));  // caught here
  high[thread] = std::uint16_t(__float_as_uint(sum) >> 16);
  __syncthreads();

  const float kept = __uint_as_float(unsigned(high[thread]) << 16 | low[thread]);
  if (row < M && column < N) C[std::int64_t(row) * N + column] = kept;
}

template <int T>
static constexpr Rung describe(const char* name) {
  static_assert(T * T <= 1024, "a block has at most 1024 threads");
  return {
      .name = name,
      .idea = "two threads write one 16-bit half",
      .source = __FILE__,
      .tile = {.BM = T, .BN = T, .BK = 1},
      .block = {.x = T, .y = T},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = 2 * T * T * std::int64_t(sizeof(std::uint16_t)),
      .kernel = same_half_word<T>,
      .predict = [](const Problem& p) -> PredictedCounts {
        const std::int64_t threads = ceil_div(p.M, T) * ceil_div(p.N, T) * T * T;
        return {.global_reads = 2 * p.M * p.N * p.K,
                .global_writes = p.M * p.N,
                .shared_reads = threads,  // two halves of an element each
                .shared_writes = threads};
      },
  };
}

TILEWRIGHT_RUNGS(describe<16>("same_half_word"))
