// SPDX-License-Identifier: MIT
//
// one_load_too_many: direct that fetches A one step ahead, and in the last step the last element once more.
//
// The product is right and every access is allowed, but K + 1 loads a thread are not the K that the rung
// predicts: a model that nobody checks would explain a kernel that does not exist.
//
// Caught: counts_differ_from_prediction
#include "kernels/rung.h"

using tilewright::GridOrder;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::Rung;

template <int T>
__global__ void one_load_too_many(const float* A, const float* B, float* C, int M, int N, int K) {
  const int row = int(blockIdx.y) * T + int(threadIdx.y);
  const int column = int(blockIdx.x) * T + int(threadIdx.x);
  if (row >= M || column >= N) return;

  float sum = 0.0f;
  float next = A[std::int64_t(row) * K];
  for (int k = 0; k < K; ++k) {
    const float a = next;
    next = A[std::int64_t(row) * K + min(k + 1, K - 1)];
    sum = fmaf(a, B[std::int64_t(k) * N + column], sum);
  }
  C[std::int64_t(row) * N + column] = sum;
}

template <int T>
static constexpr Rung describe(const char* name) {
  static_assert(T * T <= 1024, "a block has at most 1024 threads");
  return {
      .name = name,
      .idea = "loads the last element of each row of A twice",
      .source = __FILE__,
      .tile = {.BM = T, .BN = T, .BK = 1},
      .block = {.x = T, .y = T},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = 0,
      .kernel = one_load_too_many<T>,
      .predict = [](const Problem& p) -> PredictedCounts {
        return {.global_reads = 2 * p.M * p.N * p.K,
                .global_writes = p.M * p.N,
                .shared_reads = 0,
                .shared_writes = 0};
      },
  };
}

TILEWRIGHT_RUNGS(describe<16>("one_load_too_many"))
