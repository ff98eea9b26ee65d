// SPDX-License-Identifier: MIT
//
// honest_tensor_copy, but wrong: boxes of B begin a column early, as if a box could begin between two multiples of 16 bytes. All
// values would be right: what is read begins a column later.
//
// Caught: misaligned_access
// Shape: 17x20x24
// Shape: 33x16x44
#include "kernels/rung.h"
#include "kernels/words/tensor_copy.h"

using tilewright::bulk_barrier_expect;
using tilewright::bulk_barrier_fence;
using tilewright::bulk_barrier_init;
using tilewright::bulk_barrier_wait;
using tilewright::BulkBarrier;
using tilewright::ceil_div;
using tilewright::GridOrder;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::Rung;
using tilewright::tensor_copy;
using tilewright::TensorMap;
using tilewright::Tensors;
using tilewright::TensorSource;

// K and N are multiples of 4, so that every row of A and B begins at a multiple of 16 bytes.
template <int T, int BK>
__global__ void tensor_copy_between_units(const __grid_constant__ TensorMap of_a,
                                          const __grid_constant__ TensorMap of_b, float* C, int M, int N,
                                          int K, float*) {
  constexpr int stages = 3;
  alignas(128) __shared__ float a[stages][T][BK];
  alignas(128) __shared__ float b[stages][BK][T + 4];
  __shared__ BulkBarrier full[stages];
  const int thread = int(threadIdx.y) * T + int(threadIdx.x);
  const int row0 = int(blockIdx.y) * T, column0 = int(blockIdx.x) * T;

  const auto start = [&](int step) {
    const int stage = step % stages;
    bulk_barrier_expect(&full[stage], (T + T + 4) * BK * 4);
    tensor_copy(a[stage][0], of_a, step * BK, row0, &full[stage]);
    tensor_copy(b[stage][0], of_b, column0 - 1, step * BK, &full[stage]);  // caught here
  };

  if (thread == 0) {
    for (int stage = 0; stage < stages; ++stage) bulk_barrier_init(&full[stage], 1);
    bulk_barrier_fence();
  }
  __syncthreads();
  if (thread == 0) start(0);

  float sum = 0.0f;
  for (int step = 0; step * BK < K; ++step) {
    const int stage = step % stages;
    if (thread == 0 && (step + 1) * BK < K) start(step + 1);
    bulk_barrier_wait(&full[stage], step / stages % 2);
    for (int k = 0; k < BK; ++k) sum = fmaf(a[stage][threadIdx.y][k], b[stage][k][threadIdx.x + 1], sum);
    __syncthreads();  // everyone has read this stage
  }
  const int row = row0 + int(threadIdx.y), column = column0 + int(threadIdx.x);
  if (row < M && column < N) C[std::int64_t(row) * N + column] = sum;
}

template <int T, int BK>
static constexpr Rung describe(const char* name) {
  return {
      .name = name,
      .idea = "tensor copies bring the tiles of the next step while this one is computed",
      .source = __FILE__,
      .tile = {.BM = T, .BN = T, .BK = BK},
      .block = {.x = T, .y = T},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes =
          3 * ((T + T + 4) * BK * std::int64_t(sizeof(float)) + std::int64_t(sizeof(BulkBarrier))),
      .kernel = nullptr,
      .predict = [](const Problem& p) -> PredictedCounts {
        const std::int64_t down = ceil_div(p.M, T), across = ceil_div(p.N, T);
        const std::int64_t tiles = down * across * ceil_div(p.K, BK);  // of each matrix, in shared memory
        return {.global_reads = p.M * p.K * across + p.K * p.N * down,
                .global_writes = p.M * p.N,
                .shared_reads = tiles * T * T * 2 * BK,
                .shared_writes = tiles * (T + T + 4) * BK};
      },
      .tensors = [](const Problem& p) -> Tensors {
        return {.a = {TensorSource::A, 0, p.M, p.K, p.K, T, BK},
                .b = {TensorSource::B, 0, p.K, p.N, p.N, BK, T + 4}};
      },
      .tensor_kernel = tensor_copy_between_units<T, BK>,
  };
}

TILEWRIGHT_RUNGS(describe<16, 8>("tensor_copy_between_units"))
