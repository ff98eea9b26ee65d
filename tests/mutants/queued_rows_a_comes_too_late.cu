// SPDX-License-Identifier: MIT
//
// queued_rows_a_comes_too_late: the copies of A go along in the groups of B, as in queued_rows, but the queue of B is longer than A
// is ahead: A's copies for a k may still be under way when B's are there.
//
// Caught: race
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

// A thread has a column of one row of C, and a slot of the queue one element of it. A chunk of A is one element, copied by the
// first thread; STAGES - 1 >= QUEUE - 1 would have to hold.
template <int T, int QUEUE, int STAGES>
__global__ void queued_rows_a_comes_too_late(const float* A, const float* B, float* C, int, int N, int K) {
  __shared__ float a[STAGES];
  __shared__ float b[QUEUE][T];  // (slot, thread)

  const int thread = int(threadIdx.x), row = int(blockIdx.y), column = int(blockIdx.x) * T + thread;
  const auto start = [&](int k) {
    if (k < K && thread == 0)
      cp_async<4>(&a[k % STAGES], &A[std::int64_t(row) * K + k], true);  // caught here
  };
  const auto fetch = [&](int k) {
    const bool inside = k < K && column < N;
    if (k < K) cp_async<4>(&b[k % QUEUE][thread], inside ? &B[std::int64_t(k) * N + column] : B, inside);
    cp_async_commit();  // a group a k, also an empty one: the wait counts them
  };

  for (int k = 0; k < STAGES - 1; ++k) start(k);
  for (int k = 0; k < QUEUE - 1; ++k) fetch(k);
  float sum = 0.0f;
  for (int k = 0; k < K; ++k) {
    cp_async_wait<QUEUE - 2>();
    __syncthreads();
    start(k + STAGES - 1);
    const float of_b = b[k % QUEUE][thread];
    fetch(k + QUEUE - 1);
    sum = fmaf(a[k % STAGES], of_b, sum);  // caught here
  }
  cp_async_wait<0>();
  if (column < N) C[std::int64_t(row) * N + column] = sum;
}

template <int T, int QUEUE, int STAGES>
static constexpr Rung describe(const char* name) {
  return {
      .name = name,
      .idea = "a queue of B for each thread, in whose groups A comes too late",
      .source = __FILE__,
      .tile = {.BM = 1, .BN = T, .BK = 1},
      .block = {.x = T, .y = 1},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = (QUEUE * T + STAGES) * std::int64_t(sizeof(float)),
      .kernel = queued_rows_a_comes_too_late<T, QUEUE, STAGES>,
      .predict = [](const Problem& p) -> PredictedCounts {
        const std::int64_t across = ceil_div(p.N, T), threads = p.M * across * T;
        return {.global_reads = p.M * across * p.K + p.M * p.N * p.K,
                .global_writes = p.M * p.N,
                .shared_reads = 2 * threads * p.K,
                .shared_writes = threads * p.K + p.M * across * p.K};
      },
  };
}

TILEWRIGHT_RUNGS(describe<32, 4, 3>("queued_rows_a_comes_too_late"))
