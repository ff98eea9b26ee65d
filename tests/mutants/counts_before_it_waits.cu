// SPDX-License-Identifier: MIT
//
// honest_scratch whose blocks count themselves before they wait for the launch before, which may still count.
//
// Caught: launch_not_waited_for
#include "kernels/rung.h"
#include "kernels/words/launch_overlap.h"

using tilewright::ceil_div;
using tilewright::Grid;
using tilewright::GridOrder;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::Rung;
using tilewright::wait_for_launch_before;

template <int T, int SPLITS>
__global__ void counts_before_it_waits(const float* A, const float* B, float* C, int M, int N, int K,
                                       float* scratch) {
  __shared__ int last;
  const int row = int(blockIdx.y) * T + int(threadIdx.y), column = int(blockIdx.x) * T + int(threadIdx.x);
  const int split = int(blockIdx.z), tile = int(blockIdx.y * gridDim.x + blockIdx.x);
  const int tiles = int(gridDim.x * gridDim.y), thread = int(threadIdx.y) * T + int(threadIdx.x);
  float* const counter = &scratch[2 * tile];
  if (thread == 0) atomicInc(reinterpret_cast<unsigned*>(counter + 1), SPLITS - 1);  // caught here
  wait_for_launch_before();
  float* const partial =
      &scratch[2 * tiles + (tile * SPLITS) * T * T + thread];  // of this thread and split 0
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
  for (int i = 0; i < SPLITS; ++i) sum += partial[i * T * T];
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
        return {.global_reads = 2 * p.M * p.N * p.K + 2 * tiles * SPLITS + tiles * threads * SPLITS,
                .global_writes = 2 * tiles * SPLITS + tiles * threads * SPLITS + p.M * p.N,
                .shared_reads = tiles * SPLITS * threads,
                .shared_writes = tiles * SPLITS};
      },
      .grid = [](const Problem& p) -> Grid {
        return {ceil_div(p.N, T), ceil_div(p.M, T), SPLITS};
      },
      .scratch_floats = [](const Problem& p) -> std::int64_t {
        return ceil_div(p.M, T) * ceil_div(p.N, T) * (2 + SPLITS * T * T);
      },
      .scratch_counters = [](const Problem& p) -> std::int64_t {
        return 2 * ceil_div(p.M, T) * ceil_div(p.N, T);
      },
      .scratch_kernel = counts_before_it_waits<T, SPLITS>,
      .overlaps = true,
  };
}

TILEWRIGHT_RUNGS(describe<16, 3>("counts_before_it_waits"))
