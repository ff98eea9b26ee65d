// SPDX-License-Identifier: MIT
//
// wild_write: direct that also writes 4 TiB behind C, to an address that belongs to nothing.
//
// On a GPU the launch faults and the context is lost with it: it must cost this cell of a plan and no other.
// The emulator ends the thread before the access is made.
//
// Caught: out_of_bounds
#include "kernels/rung.h"

using tilewright::GridOrder;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::Rung;

template <int T>
__global__ void wild_write(const float* A, const float* B, float* C, int M, int N, int K) {
  const int row = int(blockIdx.y) * T + int(threadIdx.y);
  const int column = int(blockIdx.x) * T + int(threadIdx.x);
  if (row >= M || column >= N) return;

  float sum = 0.0f;
  for (int k = 0; k < K; ++k) {
    sum = fmaf(A[std::int64_t(row) * K + k], B[std::int64_t(k) * N + column], sum);
  }
  C[std::int64_t(row) * N + column] = sum;
  if (row == 0 && column == 0) C[std::int64_t(1) << 40] = sum;  // caught here
}

template <int T>
static constexpr Rung describe(const char* name) {
  static_assert(T * T <= 1024, "a block has at most 1024 threads");
  return {
      .name = name,
      .idea = "one write 4 TiB behind C",
      .source = __FILE__,
      .tile = {.BM = T, .BN = T, .BK = 1},
      .block = {.x = T, .y = T},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = 0,
      .kernel = wild_write<T>,
      .predict = [](const Problem& p) -> PredictedCounts {
        return {.global_reads = 2 * p.M * p.N * p.K,
                .global_writes = p.M * p.N,
                .shared_reads = 0,
                .shared_writes = 0};
      },
  };
}

TILEWRIGHT_RUNGS(describe<16>("wild_write"))
