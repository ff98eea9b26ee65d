// SPDX-License-Identifier: MIT
//
// direct: one thread per element of C, with x running along the columns.
//
// From direct_rows, only the mapping changes: neighbouring threads of a warp now differ in their column, so a warp
// reads 32 neighbouring floats of B and one float of A, and stores 32 neighbouring floats of C.
//
// Predicted: 2·M·N·K global reads, M·N global writes, no shared memory; intensity 1/4 FLOP per requested byte.
// Sectors per warp request (BX = 32, aligned rows): A 1 (all lanes read one address), B 4 (ideal 4), C 4 (ideal 4).
// Should bind: the L1 cache, which serves two loads for every fused multiply-add.
#include "kernels/rung.h"

using tilewright::GridOrder;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::Rung;

// One warp (BX = 32), k fixed:   lane      0        1        2     …      31
//                                A      (r, k)   (r, k)    (r, k)  …   (r, k)      one address
//                                B      (k, c)  (k, c+1)  (k, c+2) …  (k, c+31)    neighbours
template <int BX, int BY>
__global__ void direct(const float* A, const float* B, float* C, int M, int N, int K) {
  const int row = int(blockIdx.y) * BY + int(threadIdx.y);
  const int column = int(blockIdx.x) * BX + int(threadIdx.x);
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
      .idea = "one thread per element of C, x along the columns: coalesced, no reuse",
      .source = __FILE__,
      .tile = {.BM = BY, .BN = BX, .BK = 1},
      .block = {.x = BX, .y = BY},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = 0,
      .kernel = direct<BX, BY>,
      .predict = [](const Problem& p) -> PredictedCounts {
        return {.global_reads = 2 * p.M * p.N * p.K,
                .global_writes = p.M * p.N,
                .shared_reads = 0,
                .shared_writes = 0};
      },
  };
}

// direct has the shape that suits it; direct_T has the T x T block of shared_tile_T, so that the two differ by the
// shared tile alone.
TILEWRIGHT_RUNGS(describe<32, 8>("direct"), describe<8, 8>("direct_8"), describe<16, 16>("direct_16"),
                 describe<32, 32>("direct_32"))
