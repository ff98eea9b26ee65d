// SPDX-License-Identifier: MIT
// Two-dimensional register tile: TM x TN results a thread, operands of one outer product kept in registers.
// Options: --kernel 'sgemm2DBlocktiling<64, 64, 8, 8, 8>' --block 64x1 --tile 64x64 --signature sgemm
#include <cuda_runtime.h>

template <const int BM, const int BN, const int BK, const int TM, const int TN>
__global__ void __launch_bounds__((BM * BN) / (TM * TN), 1)
    sgemm2DBlocktiling(int M, int N, int K, float alpha, const float *A, const float *B, float beta, float *C) {
  const int cRow = blockIdx.y;
  const int cCol = blockIdx.x;

  const int numThreadsBlocktile = (BM * BN) / (TM * TN);
  const int threadCol = threadIdx.x % (BN / TN);
  const int threadRow = threadIdx.x / (BN / TN);

  __shared__ float As[BM * BK];
  __shared__ float Bs[BK * BN];

  const int innerRowA = threadIdx.x / BK;
  const int innerColA = threadIdx.x % BK;
  const int strideA = numThreadsBlocktile / BK;
  const int innerRowB = threadIdx.x / BN;
  const int innerColB = threadIdx.x % BN;
  const int strideB = numThreadsBlocktile / BN;

  float threadResults[TM * TN] = {0.0};
  float regM[TM] = {0.0};
  float regN[TN] = {0.0};

  for (int bkIdx = 0; bkIdx < K; bkIdx += BK) {
    for (int loadOffset = 0; loadOffset < BM; loadOffset += strideA) {
      const int r = cRow * BM + innerRowA + loadOffset, c = bkIdx + innerColA;
      As[(innerRowA + loadOffset) * BK + innerColA] = r < M && c < K ? A[r * K + c] : 0.0f;
    }
    for (int loadOffset = 0; loadOffset < BK; loadOffset += strideB) {
      const int r = bkIdx + innerRowB + loadOffset, c = cCol * BN + innerColB;
      Bs[(innerRowB + loadOffset) * BN + innerColB] = r < K && c < N ? B[r * N + c] : 0.0f;
    }
    __syncthreads();

    for (int dotIdx = 0; dotIdx < BK; ++dotIdx) {
      for (int i = 0; i < TM; ++i) {
        regM[i] = As[(threadRow * TM + i) * BK + dotIdx];
      }
      for (int i = 0; i < TN; ++i) {
        regN[i] = Bs[dotIdx * BN + threadCol * TN + i];
      }
      for (int resIdxM = 0; resIdxM < TM; ++resIdxM) {
        for (int resIdxN = 0; resIdxN < TN; ++resIdxN) {
          threadResults[resIdxM * TN + resIdxN] += regM[resIdxM] * regN[resIdxN];
        }
      }
    }
    __syncthreads();
  }

  for (int resIdxM = 0; resIdxM < TM; ++resIdxM) {
    for (int resIdxN = 0; resIdxN < TN; ++resIdxN) {
      const int r = cRow * BM + threadRow * TM + resIdxM, c = cCol * BN + threadCol * TN + resIdxN;
      if (r >= M || c >= N) continue;
      const float scaled = alpha * threadResults[resIdxM * TN + resIdxN];
      C[r * N + c] = beta == 0.0f ? scaled : scaled + beta * C[r * N + c];
    }
  }
}
