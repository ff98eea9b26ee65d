// SPDX-License-Identifier: MIT
//
// no_column_mask_on_store: shared_tile whose store is masked by the row alone.
//
// Row-major storage has no gap between rows: columns beyond N are the first columns of the next row, which
// another thread writes as well, and who comes last wins. Only the last row's overhang leaves C.
//
// Caught: double_write
#include "kernels/rung.h"

using tilewright::ceil_div;
using tilewright::GridOrder;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::Rung;

template <int T>
__global__ void no_column_mask_on_store(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float a[T][T];  // (row, k), k fastest
  __shared__ float b[T][T];  // (k, column), column fastest

  const int tx = int(threadIdx.x);
  const int ty = int(threadIdx.y);
  const int row = int(blockIdx.y) * T + ty;
  const int column = int(blockIdx.x) * T + tx;

  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    a[ty][tx] = row < M && k0 + tx < K ? A[std::int64_t(row) * K + k0 + tx] : 0.0f;
    b[ty][tx] = k0 + ty < K && column < N ? B[std::int64_t(k0 + ty) * N + column] : 0.0f;
    __syncthreads();

    for (int k = 0; k < T; ++k) {
      sum = fmaf(a[ty][k], b[k][tx], sum);
    }
    __syncthreads();
  }
  if (row < M) C[std::int64_t(row) * N + column] = sum;  // caught here
}

template <int T>
static constexpr Rung describe(const char* name) {
  static_assert(T * T <= 1024, "a block has at most 1024 threads");
  return {
      .name = name,
      .idea = "the store is not masked by the column",
      .source = __FILE__,
      .tile = {.BM = T, .BN = T, .BK = T},
      .block = {.x = T, .y = T},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = 2 * T * T * std::int64_t(sizeof(float)),
      .kernel = no_column_mask_on_store<T>,
      .predict = [](const Problem& p) -> PredictedCounts {
        const std::int64_t phases =
            ceil_div(p.M, T) * ceil_div(p.N, T) * ceil_div(p.K, T);  // over all blocks
        return {.global_reads = p.M * p.K * ceil_div(p.N, T) + p.K * p.N * ceil_div(p.M, T),
                .global_writes = p.M * p.N,
                .shared_reads = phases * 2 * T * T * T,
                .shared_writes = phases * 2 * T * T};
      },
  };
}

TILEWRIGHT_RUNGS(describe<16>("no_column_mask_on_store"))
