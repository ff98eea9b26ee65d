// SPDX-License-Identifier: MIT
// Both tiles in dynamic shared memory, whose size the host passes with the launch: 2 * 16 * 16 * sizeof(float).
// Options: --kernel matmul_dynamic --block 16x16 --tile 16x16 --dynamic-shared 2048
#include <cuda_runtime.h>

extern "C" __global__ void matmul_dynamic(const float *A, const float *B, float *C, int M, int N, int K) {
  extern __shared__ float smem[];

  const int tile = blockDim.x;
  float *As = smem;
  float *Bs = smem + tile * tile;

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * tile + ty;
  const int col = blockIdx.x * tile + tx;

  float sum = 0.f;
  for (int t = 0; t < (K + tile - 1) / tile; t++) {
    As[ty * tile + tx] = (row < M && t * tile + tx < K) ? A[row * K + t * tile + tx] : 0.f;
    Bs[ty * tile + tx] = (t * tile + ty < K && col < N) ? B[(t * tile + ty) * N + col] : 0.f;
    __syncthreads();
    for (int k = 0; k < tile; k++) sum += As[ty * tile + k] * Bs[k * tile + tx];
    __syncthreads();
  }
  if (row < M && col < N) C[row * N + col] = sum;
}
