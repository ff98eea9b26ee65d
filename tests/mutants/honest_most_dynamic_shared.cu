// SPDX-License-Identifier: MIT
//
// All of the shared memory that a block may have, 227 KiB of it dynamic: a long piece of the rows of A in it, the last of which
// begins far beyond the 48 KiB that a kernel has without asking.
//
// Caught: nothing
#include "kernels/rung.h"

using tilewright::ceil_div;
using tilewright::GridOrder;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::Rung;

template <int T, int LENGTH>
__global__ void honest_most_dynamic_shared(const float* A, const float* B, float* C, int M, int N, int K) {
  extern __shared__ float a[];  // (row, k), k fastest
  const int tx = int(threadIdx.x), ty = int(threadIdx.y);
  const int row = int(blockIdx.y) * T + ty, column = int(blockIdx.x) * T + tx;
  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += LENGTH) {
    const int length = K - k0 < LENGTH ? K - k0 : LENGTH;
    if (row < M)
      for (int k = tx; k < length; k += T) a[ty * LENGTH + k] = A[std::int64_t(row) * K + k0 + k];
    __syncthreads();
    if (row < M && column < N)
      for (int k = 0; k < length; ++k)
        sum = fmaf(a[ty * LENGTH + k], B[std::int64_t(k0 + k) * N + column], sum);
    __syncthreads();
  }
  if (row < M && column < N) C[std::int64_t(row) * N + column] = sum;
}

template <int T, int LENGTH>
static constexpr Rung describe(const char* name) {
  static_assert(T * LENGTH * sizeof(float) == 227 << 10, "all there is");
  return {
      .name = name,
      .idea = "a long piece of A in all of the shared memory that a block may have",
      .source = __FILE__,
      .tile = {.BM = T, .BN = T, .BK = LENGTH},
      .block = {.x = T, .y = T},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = 0,
      .kernel = honest_most_dynamic_shared<T, LENGTH>,
      .predict = [](const Problem& p) -> PredictedCounts {
        return {.global_reads = p.M * p.K * ceil_div(p.N, T) + p.M * p.N * p.K,
                .global_writes = p.M * p.N,
                .shared_reads = p.M * p.N * p.K,
                .shared_writes = p.M * p.K * ceil_div(p.N, T)};
      },
      .dynamic_shared_bytes = T* LENGTH* std::int64_t(sizeof(float)),
  };
}

TILEWRIGHT_RUNGS(describe<16, 3632>("honest_most_dynamic_shared"))
