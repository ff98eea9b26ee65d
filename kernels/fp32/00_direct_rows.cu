// SPDX-License-Identifier: MIT
//
// direct_rows: one thread per element of C, with x running down the rows. The wrong mapping, kept as the contrast.
//
// Neighbouring threads of a warp differ in their row, so each load of A touches 32 rows that lie K floats apart, and
// each store to C touches 32 rows N floats apart: 32 sectors of 32 bytes for 128 useful bytes.
//
// Predicted: 2·M·N·K global reads, M·N global writes, no shared memory; intensity 1/4 FLOP per requested byte.
// Sectors per warp request: A up to 32 (ideal 4), B 1 (all lanes read one address), C up to 32 (ideal 4).
// Should bind: the load path of the L1 cache, on the sectors of A.
#include "kernels/rung.h"

using tilewright::GridOrder;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::Rung;

// One warp (BX = 32), k fixed:   lane      0        1        2     …      31
//                                A      (r, k)  (r+1, k)  (r+2, k) …  (r+31, k)    K floats apart
//                                B      (k, c)   (k, c)    (k, c)  …   (k, c)      one address
template <int BX, int BY>
__global__ void direct_rows(const float* A, const float* B, float* C, int M, int N, int K) {
  const int row = int(blockIdx.x) * BX + int(threadIdx.x);
  const int column = int(blockIdx.y) * BY + int(threadIdx.y);
  if (row >= M || column >= N) return;

  float sum = 0.0f;
  for (int k = 0; k < K; ++k) {
    sum = fmaf(A[std::int64_t(row) * K + k], B[std::int64_t(k) * N + column], sum);
  }
  C[std::int64_t(row) * N + column] = sum;
}

template <int BX, int BY>
static constexpr Rung describe(const char* name) {
  static_assert(BX * BY <= 1024, "a block has at most 1024 threads");
  return {
      .name = name,
      .idea = "one thread per element of C, x along the rows: the uncoalesced contrast",
      .source = __FILE__,
      .tile = {.BM = BX, .BN = BY, .BK = 1},
      .block = {.x = BX, .y = BY},
      .grid_order = GridOrder::rows_along_x,
      .static_shared_bytes = 0,
      .kernel = direct_rows<BX, BY>,
      .predict = [](const Problem& p) -> PredictedCounts {
        return {.global_reads = 2 * p.M * p.N * p.K,
                .global_writes = p.M * p.N,
                .shared_reads = 0,
                .shared_writes = 0};
      },
  };
}

TILEWRIGHT_RUNGS(describe<32, 8>("direct_rows"))
