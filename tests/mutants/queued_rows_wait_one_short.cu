// SPDX-License-Identifier: MIT
//
// queued_rows_wait_one_short: each thread has a queue of its own, as in queued_rows, but the wait lets one group too many go on: that
// of the slot that is read next.
//
// Caught: uninitialized_shared_read
#include "kernels/rung.h"
#include "kernels/words/cp_async.h"

using tilewright::ceil_div;
using tilewright::cp_async;
using tilewright::cp_async_commit;
using tilewright::cp_async_wait;
using tilewright::GridOrder;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::Rung;

// A thread has a column of one row of C, and a slot of the queue one element of it.
template <int T, int QUEUE>
__global__ void queued_rows_wait_one_short(const float* A, const float* B, float* C, int, int N, int K) {
  __shared__ float b[QUEUE][T];  // (slot, thread)

  const int thread = int(threadIdx.x), row = int(blockIdx.y), column = int(blockIdx.x) * T + thread;
  const auto fetch = [&](int slot, int k) {
    const bool inside = k < K && column < N;
    if (k < K) cp_async<4>(&b[slot][thread], inside ? &B[std::int64_t(k) * N + column] : B, inside);
    cp_async_commit();  // a group a k, also an empty one: the wait counts them
  };

  for (int k = 0; k < QUEUE - 1; ++k) fetch(k, k);
  float sum = 0.0f;
  for (int k = 0; k < K; ++k) {
    cp_async_wait<QUEUE - 1>();
    const float of_b = b[k % QUEUE][thread];  // caught here
    fetch((k + QUEUE - 1) % QUEUE, k + QUEUE - 1);
    sum = fmaf(A[std::int64_t(row) * K + k], of_b, sum);
  }
  cp_async_wait<0>();
  if (column < N) C[std::int64_t(row) * N + column] = sum;
}

template <int T, int QUEUE>
static constexpr Rung describe(const char* name) {
  return {
      .name = name,
      .idea = "a queue of B for each thread, read one group too soon",
      .source = __FILE__,
      .tile = {.BM = 1, .BN = T, .BK = 1},
      .block = {.x = T, .y = 1},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = QUEUE * T * std::int64_t(sizeof(float)),
      .kernel = queued_rows_wait_one_short<T, QUEUE>,
      .predict = [](const Problem& p) -> PredictedCounts {
        const std::int64_t threads = p.M * ceil_div(p.N, T) * T;
        return {.global_reads = threads * p.K + p.M * p.N * p.K,
                .global_writes = p.M * p.N,
                .shared_reads = threads * p.K,
                .shared_writes = threads * p.K};
      },
  };
}

TILEWRIGHT_RUNGS(describe<32, 4>("queued_rows_wait_one_short"))
