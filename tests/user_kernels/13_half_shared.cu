// SPDX-License-Identifier: MIT
// Mixed precision without tensor cores: tiles as half in shared memory, read eight at a time, multiplied in pairs and
// summed in float.
// Options: --kernel matmul_half --block 16x16 --tile 16x16
// Inputs: coded
// Needs: cuda_fp16.h
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#define TILE 16

__device__ float dot8(const uint4 &a, const uint4 &b) {
  const half2 *pa = reinterpret_cast<const half2 *>(&a);
  const half2 *pb = reinterpret_cast<const half2 *>(&b);
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const float2 fa = __half22float2(pa[i]), fb = __half22float2(pb[i]);
    sum += fa.x * fb.x + fa.y * fb.y;
  }
  return sum;
}

__global__ void matmul_half(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ __align__(16) half As[TILE][TILE];      // (row, k)
  __shared__ __align__(16) half Bt[TILE][TILE + 8];  // (column, k): B transposed

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;

  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += TILE) {
    As[ty][tx] = __float2half(row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f);
    Bt[tx][ty] = __float2half(k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : 0.0f);
    __syncthreads();
    for (int k = 0; k < TILE; k += 8) {
      const uint4 a = *reinterpret_cast<const uint4 *>(&As[ty][k]);
      const uint4 b = *reinterpret_cast<const uint4 *>(&Bt[tx][k]);
      sum += dot8(a, b);
    }
    __syncthreads();
  }
  if (row < M && col < N) C[row * N + col] = sum;
}
