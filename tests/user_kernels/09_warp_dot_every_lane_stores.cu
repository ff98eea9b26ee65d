// SPDX-License-Identifier: MIT
// 09_warp_dot, but wrong: all lanes of a warp store the element.
// Caught: double_write
// Options: --kernel warp_dot --block 32x4 --tile 1x4
#include <cuda_runtime.h>

#define FULL_MASK 0xffffffff

__inline__ __device__ float warpReduceSum(float val) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2) val += __shfl_down_sync(FULL_MASK, val, offset);
  return val;
}

__global__ void warp_dot(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int M, int N,
                         int K) {
  const int lane = threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x;
  if (row >= M) return;  // the whole warp

  float sum = 0.0f;
  for (int k = lane; k < K; k += warpSize) sum = fmaf(__ldg(&A[row * K + k]), __ldg(&B[k * N + col]), sum);
  sum = warpReduceSum(sum);
  C[row * N + col] = sum;  // caught here
}
