// SPDX-License-Identifier: MIT
// 02_blocktiling_1d, but wrong: results are stored below the last row of C.
// Caught: out_of_bounds
// Options: --kernel 'sgemm1DBlocktiling<64, 64, 8, 8>' --block 512x1 --tile 64x64 --signature sgemm
#include <cassert>
#include <cuda_runtime.h>

#define CEIL_DIV(M, N) (((M) + (N)-1) / (N))

template <const int BM, const int BN, const int BK, const int TM>
__global__ void sgemm1DBlocktiling(int M, int N, int K, float alpha, const float *A, const float *B, float beta,
                                   float *C) {
  const uint cRow = blockIdx.y;
  const uint cCol = blockIdx.x;
  const uint threadCol = threadIdx.x % BN;
  const uint threadRow = threadIdx.x / BN;

  __shared__ float As[BM * BK];
  __shared__ float Bs[BK * BN];

  assert(BM * BK == blockDim.x);
  assert(BN * BK == blockDim.x);
  const uint innerColA = threadIdx.x % BK;
  const uint innerRowA = threadIdx.x / BK;
  const uint innerColB = threadIdx.x % BN;
  const uint innerRowB = threadIdx.x / BN;

  float threadResults[TM] = {0.0};

  for (uint bkIdx = 0; bkIdx < CEIL_DIV(K, BK) * BK; bkIdx += BK) {
    const uint rowA = cRow * BM + innerRowA, colA = bkIdx + innerColA;
    const uint rowB = bkIdx + innerRowB, colB = cCol * BN + innerColB;
    As[innerRowA * BK + innerColA] = rowA < M && colA < K ? A[rowA * K + colA] : 0.0f;
    Bs[innerRowB * BN + innerColB] = rowB < K && colB < N ? B[rowB * N + colB] : 0.0f;
    __syncthreads();

    for (uint dotIdx = 0; dotIdx < BK; ++dotIdx) {
      float tmpB = Bs[dotIdx * BN + threadCol];
      for (uint resIdx = 0; resIdx < TM; ++resIdx) {
        threadResults[resIdx] += As[(threadRow * TM + resIdx) * BK + dotIdx] * tmpB;
      }
    }
    __syncthreads();
  }

  const uint col = cCol * BN + threadCol;
  for (uint resIdx = 0; resIdx < TM; ++resIdx) {
    const uint row = cRow * BM + threadRow * TM + resIdx;
    if (col < N) {
      C[row * N + col] = alpha * threadResults[resIdx];  // caught here
    }
  }
}
