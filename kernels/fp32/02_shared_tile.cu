// SPDX-License-Identifier: MIT
//
// shared_tile: a T x T block walks along K in phases, each of which copies one T x T tile of A and of B to shared
// memory, where every loaded element is used T times.
//
// From direct, the loads move out of the inner loop. Every thread of the block takes part in every load and every
// barrier, also those beyond the edge of C; what lies outside A or B is written to the tile as zero, which adds
// nothing to a sum; only the store is masked.
//
// Predicted: M·K·⌈N/T⌉ + K·N·⌈M/T⌉ global reads, M·N global writes; per block and phase 2T³ shared reads and 2T²
// shared writes; 8T² bytes of shared memory; intensity T/4 FLOP per requested input byte.
// Banks: a[ty][k] is one word per row of threads, and the 32/T rows of a warp read words T floats apart, which lie in
// different banks; b[k][tx] is T neighbouring words, the same for every row. No conflict for any T, so no padding.
// Should bind: shared memory, which serves two reads for every fused multiply-add.
#include "kernels/rung.h"

using tilewright::ceil_div;
using tilewright::GridOrder;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::Rung;

// One warp (T = 32), k fixed:    lane      0        1        2     …      31
//                                a      [ty][k]  [ty][k]  [ty][k]  …   [ty][k]     one word: broadcast
//                                b      [k][0]   [k][1]   [k][2]   …   [k][31]     32 banks, one word each
template <int T>
__global__ void shared_tile(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float a[T][T];  // (row, k), k fastest
  __shared__ float b[T][T];  // (k, column), column fastest

  const int tx = int(threadIdx.x);
  const int ty = int(threadIdx.y);
  const int row = int(blockIdx.y) * T + ty;
  const int column = int(blockIdx.x) * T + tx;

  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    // Load: zero where the tile reaches past the matrix.
    a[ty][tx] = row < M && k0 + tx < K ? A[std::int64_t(row) * K + k0 + tx] : 0.0f;
    b[ty][tx] = k0 + ty < K && column < N ? B[std::int64_t(k0 + ty) * N + column] : 0.0f;
    __syncthreads();  // the tile is complete before anyone reads it

    for (int k = 0; k < T; ++k) {
      sum = fmaf(a[ty][k], b[k][tx], sum);
    }
    __syncthreads();  // everyone has read the tile before it is overwritten
  }
  if (row < M && column < N) C[std::int64_t(row) * N + column] = sum;
}

template <int T>
static constexpr Rung describe(const char* name) {
  static_assert(T * T <= 1024, "a block has at most 1024 threads");
  return {
      .name = name,
      .idea = "T x T tiles of A and B in shared memory: each loaded element is used T times",
      .source = __FILE__,
      .tile = {.BM = T, .BN = T, .BK = T},
      .block = {.x = T, .y = T},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = 2 * T * T * std::int64_t(sizeof(float)),
      .kernel = shared_tile<T>,
      .predict = [](const Problem& p) -> PredictedCounts {
        const std::int64_t phases =
            ceil_div(p.M, T) * ceil_div(p.N, T) * ceil_div(p.K, T);  // over all blocks
        return {.global_reads = p.M * p.K * ceil_div(p.N, T) + p.K * p.N * ceil_div(p.M, T),
                .global_writes = p.M * p.N,
                .shared_reads = phases * 2 * T * T * T,
                .shared_writes = phases * 2 * T * T};
      },
  };
}

TILEWRIGHT_RUNGS(describe<8>("shared_tile_8"), describe<16>("shared_tile_16"), describe<32>("shared_tile_32"))
