// SPDX-License-Identifier: MIT
// 10_split_k_atomic, but wrong: the sums are not zeroed before parts are added.
// Caught: uninitialized_shared_read
// Options: --kernel 'split_k<8, 16>' --block 32x8 --tile 16x8
#include <cuda_runtime.h>

template <int ROWS, int COLS>
__global__ void split_k(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float sums[ROWS][COLS];
  const int tid = threadIdx.y * blockDim.x + threadIdx.x;
  const int splits = blockDim.y, split = threadIdx.y;
  const int row0 = blockIdx.y * ROWS, col0 = blockIdx.x * COLS;

  for (int i = threadIdx.x; i < ROWS * COLS; i += blockDim.x) {
    const int r = i / COLS, c = i % COLS;
    if (row0 + r >= M || col0 + c >= N) continue;
    float part = 0.0f;
    for (int k = split; k < K; k += splits) part += A[(row0 + r) * K + k] * B[k * N + col0 + c];
    atomicAdd(&sums[r][c], part);  // caught here
  }
  __syncthreads();

  for (int i = tid; i < ROWS * COLS; i += blockDim.x * blockDim.y) {
    const int r = i / COLS, c = i % COLS;
    if (row0 + r < M && col0 + c < N) C[(row0 + r) * N + col0 + c] = sums[r][c];  // caught here
  }
}
