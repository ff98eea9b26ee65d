// SPDX-License-Identifier: MIT
//
// honest_bulk_copy, but wrong: the tiles are zeroed first, and no proxy fence stands before the copies.
//
// Caught: race
// Shape: 17x20x24
// Shape: 33x16x40
#include "kernels/rung.h"
#include "kernels/words/bulk_copy.h"

using tilewright::bulk_barrier_expect;
using tilewright::bulk_barrier_fence;
using tilewright::bulk_barrier_init;
using tilewright::bulk_barrier_wait;
using tilewright::bulk_copy;
using tilewright::BulkBarrier;
using tilewright::ceil_div;
using tilewright::GridOrder;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::Rung;

// K and N are multiples of 4, so that every row of A and B begins at a multiple of 16 bytes.
template <int T, int BK>
__global__ void bulk_copy_over_stores(const float* A, const float* B, float* C, int M, int N, int K) {
  constexpr int stages = 2;
  alignas(16) __shared__ float a[stages][T][BK];
  alignas(16) __shared__ float b[stages][BK][T];
  __shared__ BulkBarrier full[stages];
  const int thread = int(threadIdx.y) * T + int(threadIdx.x);
  const int row0 = int(blockIdx.y) * T, column0 = int(blockIdx.x) * T;
  const int rows = min(T, M - row0), columns = min(T, N - column0);

  const auto start = [&](int step) {
    const int k0 = step * BK, stage = step % stages, valid = min(BK, K - k0);
    bulk_barrier_expect(&full[stage], (rows * valid + valid * columns) * 4);
    const float* const of_a = &A[std::int64_t(row0) * K + k0];
    const float* const of_b = &B[std::int64_t(k0) * N + column0];
    for (int row = 0; row < rows; ++row)
      bulk_copy(a[stage][row], of_a + std::int64_t(row) * K, valid * 4, &full[stage]);  // caught here
    for (int k = 0; k < valid; ++k)
      bulk_copy(b[stage][k], of_b + std::int64_t(k) * N, columns * 4, &full[stage]);  // caught here
  };

  for (int i = thread; i < stages * T * BK; i += T * T) a[i / T / BK][i / BK % T][i % BK] = 0.0f;
  for (int i = thread; i < stages * BK * T; i += T * T) b[i / T / BK][i / T % BK][i % T] = 0.0f;
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
    if (int(threadIdx.y) < rows && int(threadIdx.x) < columns)
      for (int k = 0; k < min(BK, K - step * BK); ++k)
        sum = fmaf(a[stage][threadIdx.y][k], b[stage][k][threadIdx.x], sum);
    __syncthreads();  // everyone has read this stage
  }
  if (int(threadIdx.y) < rows && int(threadIdx.x) < columns)
    C[std::int64_t(row0 + threadIdx.y) * N + column0 + threadIdx.x] = sum;
}

template <int T, int BK>
static constexpr Rung describe(const char* name) {
  return {
      .name = name,
      .idea = "copies follow stores through another proxy",
      .source = __FILE__,
      .tile = {.BM = T, .BN = T, .BK = BK},
      .block = {.x = T, .y = T},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes =
          2 * 2 * T * BK * std::int64_t(sizeof(float)) + 2 * std::int64_t(sizeof(BulkBarrier)),
      .kernel = bulk_copy_over_stores<T, BK>,
      .predict = [](const Problem& p) -> PredictedCounts {
        const std::int64_t copied = p.M * p.K * ceil_div(p.N, T) + p.K * p.N * ceil_div(p.M, T);
        return {copied, p.M * p.N, 2 * p.M * p.N * p.K, copied};
      },
  };
}

TILEWRIGHT_RUNGS(describe<16, 8>("bulk_copy_over_stores"))
