// SPDX-License-Identifier: MIT
//
// honest_float4: direct that loads four elements of A at once where rows are aligned, else one by one.
//
// A 16-byte load is one access of four elements, aligned and in bounds.
//
// Caught: nothing
#include "kernels/rung.h"

using tilewright::GridOrder;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::Rung;

template <int T>
__global__ void honest_float4(const float* A, const float* B, float* C, int M, int N, int K) {
  const int row = int(blockIdx.y) * T + int(threadIdx.y);
  const int column = int(blockIdx.x) * T + int(threadIdx.x);
  if (row >= M || column >= N) return;

  float sum = 0.0f;
  const float* a_row = A + std::int64_t(row) * K;
  int k = 0;
  for (; K % 4 == 0 && k < K; k += 4) {  // every row begins at a multiple of 16 bytes
    const float4 a = *reinterpret_cast<const float4*>(a_row + k);
    sum = fmaf(a.x, B[std::int64_t(k) * N + column], sum);
    sum = fmaf(a.y, B[std::int64_t(k + 1) * N + column], sum);
    sum = fmaf(a.z, B[std::int64_t(k + 2) * N + column], sum);
    sum = fmaf(a.w, B[std::int64_t(k + 3) * N + column], sum);
  }
  for (; k < K; ++k) {
    sum = fmaf(a_row[k], B[std::int64_t(k) * N + column], sum);
  }
  C[std::int64_t(row) * N + column] = sum;
}

template <int T>
static constexpr Rung describe(const char* name) {
  static_assert(T * T <= 1024, "a block has at most 1024 threads");
  return {
      .name = name,
      .idea = "aligned float4 loads, one by one elsewhere",
      .source = __FILE__,
      .tile = {.BM = T, .BN = T, .BK = 1},
      .block = {.x = T, .y = T},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = 0,
      .kernel = honest_float4<T>,
      .predict = [](const Problem& p) -> PredictedCounts {
        return {.global_reads = 2 * p.M * p.N * p.K,
                .global_writes = p.M * p.N,
                .shared_reads = 0,
                .shared_writes = 0};
      },
  };
}

TILEWRIGHT_RUNGS(describe<16>("honest_float4"))
