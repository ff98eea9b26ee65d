// SPDX-License-Identifier: MIT
//
// A thread an element of C, whose first k comes by a copy that is started before the thread waits for the launch before, which may
// still write it. That the copy may arrive only after the wait does not help.
//
// Caught: launch_not_waited_for
#include "kernels/rung.h"
#include "kernels/words/cp_async.h"
#include "kernels/words/launch_overlap.h"

using tilewright::ceil_div;
using tilewright::cp_async;
using tilewright::cp_async_commit;
using tilewright::cp_async_wait;
using tilewright::GridOrder;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::Rung;
using tilewright::wait_for_launch_before;

template <int T>
__global__ void copies_before_it_waits(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float first[T][T];  // (row, column): each thread's own
  const int row = int(blockIdx.y) * T + int(threadIdx.y), column = int(blockIdx.x) * T + int(threadIdx.x);
  const bool inside = row < M && column < N;
  float* const own = &first[threadIdx.y][threadIdx.x];
  cp_async<4>(own, &A[inside ? std::int64_t(row) * K : 0], inside);  // caught here
  cp_async_commit();
  wait_for_launch_before();
  cp_async_wait<0>();
  float sum = *own;
  if (!inside) return;
  sum *= B[column];
  for (int k = 1; k < K; ++k) sum = fmaf(A[std::int64_t(row) * K + k], B[std::int64_t(k) * N + column], sum);
  C[std::int64_t(row) * N + column] = sum;
}

template <int T>
static constexpr Rung describe(const char* name) {
  return {
      .name = name,
      .idea = "one thread an element, whose first copy does not wait for the launch before",
      .source = __FILE__,
      .tile = {.BM = T, .BN = T, .BK = 1},
      .block = {.x = T, .y = T},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = T * T * std::int64_t(sizeof(float)),
      .kernel = copies_before_it_waits<T>,
      .predict = [](const Problem& p) -> PredictedCounts {
        const std::int64_t threads = ceil_div(p.M, T) * ceil_div(p.N, T) * T * T;
        return {.global_reads = 2 * p.M * p.N * p.K,
                .global_writes = p.M * p.N,
                .shared_reads = threads,
                .shared_writes = threads};
      },
      .overlaps = true,
  };
}

TILEWRIGHT_RUNGS(describe<16>("copies_before_it_waits"))
