// SPDX-License-Identifier: MIT
// Shared-memory tiles with a one-dimensional block: the pointers walk along A's rows and down B's columns.
// Options: --kernel 'sgemm_shared<16>' --block 256x1 --tile 16x16 --signature sgemm
#include <cuda_runtime.h>

template <const int BLOCKSIZE>
__global__ void sgemm_shared(int M, int N, int K, float alpha, const float *A, const float *B, float beta, float *C) {
  const int cRow = blockIdx.y;
  const int cCol = blockIdx.x;

  __shared__ float As[BLOCKSIZE * BLOCKSIZE];
  __shared__ float Bs[BLOCKSIZE * BLOCKSIZE];

  const int threadCol = threadIdx.x % BLOCKSIZE;
  const int threadRow = threadIdx.x / BLOCKSIZE;
  const int row = cRow * BLOCKSIZE + threadRow;
  const int col = cCol * BLOCKSIZE + threadCol;

  A += cRow * BLOCKSIZE * K;
  B += cCol * BLOCKSIZE;
  C += cRow * BLOCKSIZE * N + cCol * BLOCKSIZE;

  float tmp = 0.0f;
  for (int bkIdx = 0; bkIdx < K; bkIdx += BLOCKSIZE) {
    As[threadRow * BLOCKSIZE + threadCol] = row < M && bkIdx + threadCol < K ? A[threadRow * K + threadCol] : 0.0f;
    Bs[threadRow * BLOCKSIZE + threadCol] = bkIdx + threadRow < K && col < N ? B[threadRow * N + threadCol] : 0.0f;
    __syncthreads();

    A += BLOCKSIZE;
    B += BLOCKSIZE * N;

    for (int dotIdx = 0; dotIdx < BLOCKSIZE; ++dotIdx) {
      tmp += As[threadRow * BLOCKSIZE + dotIdx] * Bs[dotIdx * BLOCKSIZE + threadCol];
    }
    __syncthreads();
  }

  if (row < M && col < N) {
    float *out = &C[threadRow * N + threadCol];
    *out = beta == 0.0f ? alpha * tmp : alpha * tmp + beta * *out;
  }
}
