// SPDX-License-Identifier: MIT
//
// honest_first_kernel whose first kernel puts zeros into C, so that what the other one forgets would not show.
//
// Caught: double_write
// Shape: 17x19x23
#include "kernels/rung.h"

using tilewright::ceil_div;
using tilewright::Grid;
using tilewright::GridOrder;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::Rung;

// Scratch: (k, row), row fastest, as many rows as whole tiles have.
template <int T>
__global__ void first_kernel_writes_c_pack(const float* A, const float*, float* C, int M, int N, int K,
                                           float* scratch) {
  __shared__ float tile[T][T + 1];  // (row, k), k fastest
  const int tx = int(threadIdx.x), ty = int(threadIdx.y);
  const int row0 = int(blockIdx.y) * T, k0 = int(blockIdx.x) * T, rows = int(gridDim.y) * T;
  tile[ty][tx] = row0 + ty < M && k0 + tx < K ? A[std::int64_t(row0 + ty) * K + k0 + tx] : 0.0f;
  __syncthreads();
  if (k0 + ty < K) scratch[std::int64_t(k0 + ty) * rows + row0 + tx] = tile[tx][ty];
  if (k0 == 0)
    for (int column = tx; column < N && row0 + ty < M; column += T)
      C[std::int64_t(row0 + ty) * N + column] = 0.0f;
}

template <int T>
__global__ void first_kernel_writes_c(const float*, const float* B, float* C, int M, int N, int K,
                                      float* scratch) {
  const int row = int(blockIdx.y) * T + int(threadIdx.y), column = int(blockIdx.x) * T + int(threadIdx.x);
  const int rows = int(gridDim.y) * T;
  if (column >= N) return;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k)
    sum = fmaf(scratch[std::int64_t(k) * rows + row], B[std::int64_t(k) * N + column], sum);
  if (row < M) C[std::int64_t(row) * N + column] = sum;  // caught here
}

template <int T>
static constexpr Rung describe(const char* name) {
  return {
      .name = name,
      .idea = "the first kernel lays A out as the second reads it",
      .source = __FILE__,
      .tile = {.BM = T, .BN = T, .BK = 1},
      .block = {.x = T, .y = T},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = 0,
      .kernel = nullptr,
      .predict = [](const Problem& p) -> PredictedCounts {
        const std::int64_t rows = ceil_div(p.M, T) * T, packed = rows * ceil_div(p.K, T) * T;
        return {.global_reads = p.M * p.K + 2 * rows * p.N * p.K,
                .global_writes = rows * p.K + p.M * p.N,
                .shared_reads = rows * p.K,
                .shared_writes = packed};
      },
      .scratch_floats = [](const Problem& p) -> std::int64_t { return ceil_div(p.M, T) * T * p.K; },
      .scratch_kernel = first_kernel_writes_c<T>,
      .first = {.kernel = first_kernel_writes_c_pack<T>,
                .block = {.x = T, .y = T},
                .grid = [](const Problem& p) -> Grid {
                  return {ceil_div(p.K, T), ceil_div(p.M, T)};
                },
                .static_shared_bytes = T*(T + 1) * std::int64_t(sizeof(float))},
  };
}

TILEWRIGHT_RUNGS(describe<16>("first_kernel_writes_c"))
