// SPDX-License-Identifier: MIT
//
// honest_scratch whose last block adds one sum more than there are blocks.
//
// Caught: uninitialized_scratch_read
#include "kernels/rung.h"

using tilewright::ceil_div;
using tilewright::Grid;
using tilewright::GridOrder;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::Rung;

template <int T, int SPLITS>
__global__ void scratch_never_written(const float* A, const float* B, float* C, int M, int N, int K,
                                      float* scratch) {
  __shared__ int last;
  const int row = int(blockIdx.y) * T + int(threadIdx.y), column = int(blockIdx.x) * T + int(threadIdx.x);
  const int split = int(blockIdx.z), tile = int(blockIdx.y * gridDim.x + blockIdx.x);
  const int tiles = int(gridDim.x * gridDim.y), thread = int(threadIdx.y) * T + int(threadIdx.x);
  float* const counter = &scratch[tile];
  float* const partial =
      &scratch[tiles + (tile * (SPLITS + 1)) * T * T + thread];  // of this thread and split 0
  float sum = 0.0f;
  if (row < M && column < N)
    for (int k = split; k < K; k += SPLITS)
      sum = fmaf(A[std::int64_t(row) * K + k], B[std::int64_t(k) * N + column], sum);
  partial[split * T * T] = sum;
  __syncthreads();
  if (thread == 0) {
    __threadfence();
    last = atomicInc(reinterpret_cast<unsigned*>(counter), SPLITS - 1) == SPLITS - 1 ? 1 : 0;
    __threadfence();
  }
  __syncthreads();
  if (last == 0) return;
  sum = 0.0f;
  for (int i = 0; i <= SPLITS; ++i) sum += partial[i * T * T];  // caught here
  if (row < M && column < N) C[std::int64_t(row) * N + column] = sum;
}

template <int T, int SPLITS>
static constexpr Rung describe(const char* name) {
  return {
      .name = name,
      .idea = "blocks that share a tile of C hand their sums to the last of them through scratch",
      .source = __FILE__,
      .tile = {.BM = T, .BN = T, .BK = 1},
      .block = {.x = T, .y = T},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = std::int64_t(sizeof(int)),
      .kernel = nullptr,
      .predict = [](const Problem& p) -> PredictedCounts {
        const std::int64_t tiles = ceil_div(p.M, T) * ceil_div(p.N, T), threads = T * T;
        return {.global_reads = 2 * p.M * p.N * p.K + tiles * SPLITS + tiles * threads * SPLITS,
                .global_writes = tiles * SPLITS + tiles * threads * SPLITS + p.M * p.N,
                .shared_reads = tiles * SPLITS * threads,
                .shared_writes = tiles * SPLITS};
      },
      .grid = [](const Problem& p) -> Grid {
        return {ceil_div(p.N, T), ceil_div(p.M, T), SPLITS};
      },
      .scratch_floats = [](const Problem& p) -> std::int64_t {
        return ceil_div(p.M, T) * ceil_div(p.N, T) * (1 + (SPLITS + 1) * T * T);
      },
      .scratch_counters = [](const Problem& p) -> std::int64_t {
        return ceil_div(p.M, T) * ceil_div(p.N, T);
      },
      .scratch_kernel = scratch_never_written<T, SPLITS>,
  };
}

TILEWRIGHT_RUNGS(describe<16, 3>("scratch_never_written"))
