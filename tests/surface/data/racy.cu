// SPDX-License-Identifier: MIT
// The same with its first barrier forgotten. Read by tests/surface/trace_test.cpp, which finds the marked lines.
#define TILE 16

__device__ inline float load(const float* from, int row, int column, int rows, int columns) {
  return row < rows && column < columns ? from[row * columns + column] : 0.0f;
}

__global__ void racy(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float As[TILE][TILE], Bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += TILE) {
    As[ty][tx] = load(A, row, k0 + tx, M, K);  // fills As
    Bs[ty][tx] = load(B, k0 + ty, col, K, N);  // fills Bs
    for (int k = 0; k < TILE; ++k) acc += As[ty][k] * Bs[k][tx];  // reads both
    __syncthreads();
  }
  if (row < M && col < N) C[row * N + col] = acc;
}
