// SPDX-License-Identifier: MIT
// 12_ballot_sparse, but wrong: lanes to the right of C leave, so that the ballot lacks their part of the row.
// Caught: wrong_value
// Options: --kernel ballot_sparse --block 32x4 --tile 32x4
// Inputs: coded
#include <cuda_runtime.h>

constexpr unsigned kFull = 0xffffffffu;

__global__ void ballot_sparse(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float row_of_a[4][32];
  const int lane = threadIdx.x, warp = threadIdx.y;
  const int row = blockIdx.y * 4 + warp, col = blockIdx.x * warpSize + lane;
  if (row >= M || col >= N) return;

  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += warpSize) {
    const float a = k0 + lane < K ? A[row * K + k0 + lane] : 0.0f;
    row_of_a[warp][lane] = a;
    __syncwarp();
    unsigned nonzero = __ballot_sync(kFull, a != 0.0f);
    if (__all_sync(kFull, a == 0.0f)) nonzero = 0;
    if (__any_sync(kFull, a != 0.0f) != (__popc(nonzero) > 0)) sum = -1.0f;
    while (nonzero != 0) {
      const int k = __ffs(nonzero) - 1;
      nonzero &= nonzero - 1;
      const float same = __shfl_sync(kFull, a, k);
      if (col < N) sum += (same == row_of_a[warp][k] ? same : -1.0f) * B[(k0 + k) * N + col];
    }
    __syncwarp();
  }
  if (col < N) C[row * N + col] = sum;
}
