// SPDX-License-Identifier: MIT
// 06_warp_tiling, but wrong: the last step of each tile is left out.
// Caught: wrong_value
// Options: --kernel 'sgemm_warptiling<64, 64, 8, 32, 32, 2, 4, 4>' --block 128x1 --tile 64x64 --signature sgemm
#include <cuda_runtime.h>

namespace wt {

template <const int BM, const int BN, const int BK>
__device__ void load_tiles(const float *A, const float *B, float *As, float *Bs, int M, int N, int K, int row0,
                           int col0, int k0) {
  for (int i = threadIdx.x; i < BM * BK; i += blockDim.x) {
    const int r = i / BK, k = i % BK;
    As[k * BM + r] = row0 + r < M && k0 + k < K ? A[(row0 + r) * K + k0 + k] : 0.0f;
  }
  for (int i = threadIdx.x; i < BK * BN; i += blockDim.x) {
    const int k = i / BN, c = i % BN;
    Bs[k * BN + c] = k0 + k < K && col0 + c < N ? B[(k0 + k) * N + col0 + c] : 0.0f;
  }
}

}  // namespace wt

template <const int BM, const int BN, const int BK, const int WM, const int WN, const int WNITER, const int TM,
          const int TN>
__global__ void __launch_bounds__(128)
    sgemm_warptiling(int M, int N, int K, float alpha, const float *A, const float *B, float beta, float *C) {
  constexpr int WARPSIZE = 32;
  constexpr int WMITER = (WM * WN) / (WARPSIZE * TM * TN * WNITER);
  constexpr int WSUBM = WM / WMITER, WSUBN = WN / WNITER;

  const int warpIdx = threadIdx.x / warpSize;
  const int warpCol = warpIdx % (BN / WN), warpRow = warpIdx / (BN / WN);
  const int lane = threadIdx.x % warpSize;
  const int threadColInWarp = lane % (WSUBN / TN), threadRowInWarp = lane / (WSUBN / TN);

  __shared__ float As[BM * BK];
  __shared__ float Bs[BK * BN];

  float results[WMITER * TM * WNITER * TN] = {0.0};
  float regM[WMITER * TM] = {0.0};
  float regN[WNITER * TN] = {0.0};

  for (int k0 = 0; k0 < K; k0 += BK) {
    wt::load_tiles<BM, BN, BK>(A, B, As, Bs, M, N, K, blockIdx.y * BM, blockIdx.x * BN, k0);
    __syncthreads();
    for (int dotIdx = 0; dotIdx < BK - 1; ++dotIdx) {
      for (int m = 0; m < WMITER; ++m)
        for (int i = 0; i < TM; ++i)
          regM[m * TM + i] = As[dotIdx * BM + warpRow * WM + m * WSUBM + threadRowInWarp * TM + i];
      for (int n = 0; n < WNITER; ++n)
        for (int i = 0; i < TN; ++i)
          regN[n * TN + i] = Bs[dotIdx * BN + warpCol * WN + n * WSUBN + threadColInWarp * TN + i];
      for (int m = 0; m < WMITER * TM; ++m)
        for (int n = 0; n < WNITER * TN; ++n) results[m * WNITER * TN + n] += regM[m] * regN[n];
    }
    __syncthreads();
  }

  for (int m = 0; m < WMITER; ++m)
    for (int n = 0; n < WNITER; ++n)
      for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j) {
          const int r = blockIdx.y * BM + warpRow * WM + m * WSUBM + threadRowInWarp * TM + i;
          const int c = blockIdx.x * BN + warpCol * WN + n * WSUBN + threadColInWarp * TN + j;
          if (r < M && c < N) C[r * N + c] = alpha * results[(m * TM + i) * WNITER * TN + n * TN + j];
        }
}
