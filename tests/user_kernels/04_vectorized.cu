// SPDX-License-Identifier: MIT
// 16-byte loads and stores, and A transposed on its way into shared memory. K and N are multiples of 4.
// Options: --kernel sgemm_vectorized --block 256x1 --tile 64x64 --signature sgemm
// Shape: 64x64x64
// Shape: 70x72x20
#include <cuda_runtime.h>

#define FLOAT4(pointer) (reinterpret_cast<float4 *>(&(pointer))[0])
#define CONST_FLOAT4(pointer) (reinterpret_cast<const float4 *>(&(pointer))[0])

constexpr int BM = 64, BN = 64, BK = 16, TM = 4, TN = 4;

__global__ void sgemm_vectorized(int M, int N, int K, float alpha, float *A, float *B, float beta, float *C) {
  __shared__ float As[BK][BM];
  __shared__ float Bs[BK][BN];

  const int tid = threadIdx.x;
  const int loadRowA = tid / (BK / 4), loadColA = tid % (BK / 4) * 4;
  const int loadRowB = tid / (BN / 4), loadColB = tid % (BN / 4) * 4;
  const int threadRow = tid / (BN / TN) * TM, threadCol = tid % (BN / TN) * TN;
  const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;

  float acc[TM][TN] = {{0.0f}};

  for (int k0 = 0; k0 < K; k0 += BK) {
    int4 bits = make_int4(0, 0, 0, 0);
    if (row0 + loadRowA < M && k0 + loadColA < K) {
      bits = *reinterpret_cast<const int4 *>(&A[(row0 + loadRowA) * K + k0 + loadColA]);
    }
    As[loadColA + 0][loadRowA] = __int_as_float(bits.x);
    As[loadColA + 1][loadRowA] = __int_as_float(bits.y);
    As[loadColA + 2][loadRowA] = __int_as_float(bits.z);
    As[loadColA + 3][loadRowA] = __int_as_float(bits.w);

    FLOAT4(Bs[loadRowB][loadColB]) = k0 + loadRowB < K && col0 + loadColB < N
                                         ? CONST_FLOAT4(B[(k0 + loadRowB) * N + col0 + loadColB])
                                         : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    __syncthreads();

#pragma unroll
    for (int k = 0; k < BK; ++k) {
      float4 a = FLOAT4(As[k][threadRow]);
      float4 b = FLOAT4(Bs[k][threadCol]);
      const float regM[TM] = {a.x, a.y, a.z, a.w};
      const float regN[TN] = {b.x, b.y, b.z, b.w};
#pragma unroll
      for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j) acc[i][j] += regM[i] * regN[j];
    }
    __syncthreads();
  }

  for (int i = 0; i < TM; ++i) {
    const int r = row0 + threadRow + i, c = col0 + threadCol;
    if (r < M && c < N) {
      FLOAT4(C[r * N + c]) = make_float4(alpha * acc[i][0], alpha * acc[i][1], alpha * acc[i][2], alpha * acc[i][3]);
    }
  }
}
