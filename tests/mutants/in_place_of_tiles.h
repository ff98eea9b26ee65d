// SPDX-License-Identifier: MIT
//
// For mutants of what a kernel does beside its tiles: the elements of C that tiles would cover, a thread one after the other, in
// plain loops. They are right; what is left of C, its edges, is the mutant's.
#pragma once

#include <cstdint>

// Of C the first `rows` and `columns`, by all threads of all blocks.
__device__ __forceinline__ void compute_in_place_of_tiles(const float* A, const float* B, float* C, int rows,
                                                          int columns, int N, int K) {
  const int threads = int(gridDim.x * blockDim.x);
  for (int i = int(blockIdx.x * blockDim.x + threadIdx.x); i < rows * columns; i += threads) {
    const int row = i / columns, column = i % columns;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
      sum = fmaf(A[std::int64_t(row) * K + k], B[std::int64_t(k) * N + column], sum);
    C[std::int64_t(row) * N + column] = sum;
  }
}
