// SPDX-License-Identifier: MIT
// 09_warp_dot, but wrong: lanes without a term leave, and the shuffles take their values all the same.
// Caught: barrier_divergence
// Options: --kernel warp_dot --block 32x4 --tile 1x4
#include <cuda_runtime.h>

#define FULL_MASK 0xffffffff

__inline__ __device__ float warpReduceSum(float val) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2) val += __shfl_down_sync(FULL_MASK, val, offset);  // caught here
  return val;
}

__global__ void warp_dot(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int M, int N,
                         int K) {
  const int lane = threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x;
  if (row >= M || lane >= K) return;

  float sum = 0.0f;
  for (int k = lane; k < K; k += warpSize) sum = fmaf(__ldg(&A[row * K + k]), __ldg(&B[k * N + col]), sum);
  sum = warpReduceSum(sum);
  if (lane == 0) C[row * N + col] = sum;
}
