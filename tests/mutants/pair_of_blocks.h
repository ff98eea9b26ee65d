// SPDX-License-Identifier: MIT
//
// For mutants of clusters: two blocks share a tile of C, T x T elements and a thread each, each block with half of K. How their sums
// come together is the mutant's.
#pragma once

#include "kernels/rung.h"
#include "kernels/words/cluster.h"

template <int T>
struct PairOfBlocks {
  static constexpr int blocks = 2;
  int rank = int(blockIdx.x) % blocks, thread = int(threadIdx.y) * T + int(threadIdx.x);
  int row = int(blockIdx.y) * T + int(threadIdx.y);
  int column = int(blockIdx.x) / blocks * T + int(threadIdx.x);

  // This block's part of this thread's element.
  __device__ __forceinline__ float sum(const float* A, const float* B, int M, int N, int K) const {
    float sum = 0.0f;
    if (row < M && column < N)
      for (int k = rank; k < K; k += blocks)
        sum = fmaf(A[std::int64_t(row) * K + k], B[std::int64_t(k) * N + column], sum);
    return sum;
  }
  __device__ __forceinline__ void store(float* C, int M, int N, float total) const {
    if (rank == 0 && row < M && column < N) C[std::int64_t(row) * N + column] = total;
  }
};

// Both blocks write their sums to shared memory, and each reads the other's.
template <int T>
static constexpr tilewright::Rung describe_pair_of_blocks(const char* name, const char* source,
                                                          tilewright::KernelF32* kernel) {
  return {
      .name = name,
      .idea = "two blocks of a cluster read each other's sums",
      .source = source,
      .tile = {.BM = T, .BN = T, .BK = 1},
      .block = {.x = T, .y = T},
      .grid_order = tilewright::GridOrder::columns_along_x,
      .static_shared_bytes = std::int64_t(sizeof(float)) * T * T,
      .kernel = kernel,
      .predict = [](const tilewright::Problem& p) -> tilewright::PredictedCounts {
        const std::int64_t threads = 2 * tilewright::ceil_div(p.M, T) * tilewright::ceil_div(p.N, T) * T * T;
        return {.global_reads = 2 * p.M * p.N * p.K,
                .global_writes = p.M * p.N,
                .shared_reads = threads,
                .shared_writes = threads};
      },
      .grid = [](const tilewright::Problem& p) -> tilewright::Grid {
        return {2 * tilewright::ceil_div(p.N, T), tilewright::ceil_div(p.M, T)};
      },
      .cluster = 2,
  };
}
