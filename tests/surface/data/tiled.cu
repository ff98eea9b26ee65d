// SPDX-License-Identifier: MIT
// A shared-memory product as its author keeps it: nothing of Tilewright in it. Read by tests/surface/trace_test.cpp.
#include <cuda_runtime.h>

#define CEIL_DIV(a, b) (((a) + (b)-1) / (b))
#define A_(r, c) A[(r) * K + (c)]
#define B_(r, c) B[(r) * N + (c)]

template <int TILE>
__global__ void __launch_bounds__(TILE* TILE)
    tiled(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int M, int N, int K) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty;
  const int col = blockIdx.x * TILE + tx;

  float acc = 0.0f;
  for (int t = 0; t < CEIL_DIV(K, TILE); ++t) {
    As[ty][tx] = (row < M && t * TILE + tx < K) ? A_(row, t * TILE + tx) : 0.0f;
    Bs[ty][tx] = (t * TILE + ty < K && col < N) ? B_(t * TILE + ty, col) : 0.0f;
    __syncthreads();

#pragma unroll
    for (int k = 0; k < TILE; ++k) acc += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }

  if (row < M && col < N) C[row * N + col] = acc;
}
