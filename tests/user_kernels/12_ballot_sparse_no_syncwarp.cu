// SPDX-License-Identifier: MIT
// 12_ballot_sparse, but wrong: the row is read with nothing between that lets the warp finish writing it.
// Caught: race
// Options: --kernel ballot_sparse --block 32x4 --tile 32x4
// Inputs: coded
#include <cuda_runtime.h>

constexpr unsigned kFull = 0xffffffffu;

__global__ void ballot_sparse(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float row_of_a[4][32];
  const int lane = threadIdx.x, warp = threadIdx.y;
  const int row = blockIdx.y * 4 + warp, col = blockIdx.x * warpSize + lane;
  if (row >= M) return;

  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += warpSize) {
    const float a = k0 + lane < K ? A[row * K + k0 + lane] : 0.0f;
    row_of_a[warp][lane] = a;  // caught here
    for (int k = 0; k < min(warpSize, K - k0); ++k) {
      const float same = row_of_a[warp][k];  // caught here
      if (col < N) sum += (same == row_of_a[warp][k] ? same : -1.0f) * B[(k0 + k) * N + col];  // caught here
    }
    __syncwarp();
  }
  if (col < N) C[row * N + col] = sum;
}
