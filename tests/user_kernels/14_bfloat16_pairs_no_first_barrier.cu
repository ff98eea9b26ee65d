// SPDX-License-Identifier: MIT
// 14_bfloat16_pairs, but wrong: pairs are read before all threads have written them.
// Caught: race
// Options: --kernel 'matmul_pairs<__nv_bfloat162>' --block 16x16 --tile 16x16
// Inputs: ones
// Needs: cuda_bf16.h
#include <cuda_bf16.h>
#include <cuda_fp16.h>

constexpr int TILE = 16;

template <class Pair>
__device__ Pair make_pair(float low, float high);
template <>
__device__ half2 make_pair<half2>(float low, float high) {
  return __floats2half2_rn(low, high);
}
template <>
__device__ __nv_bfloat162 make_pair<__nv_bfloat162>(float low, float high) {
  return __floats2bfloat162_rn(low, high);
}

template <class Pair>
__global__ void matmul_pairs(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ Pair As[TILE][TILE / 2 + 1], Bt[TILE][TILE / 2 + 1];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
  auto a = [&](int k) { return row < M && k < K ? A[row * K + k] : 0.0f; };
  auto b = [&](int k) { return k < K && col < N ? B[k * N + col] : 0.0f; };

  Pair sum = make_pair<Pair>(0.0f, 0.0f);
  for (int k0 = 0; k0 < K; k0 += TILE) {
    if (tx < TILE / 2) As[ty][tx] = make_pair<Pair>(a(k0 + 2 * tx), a(k0 + 2 * tx + 1));  // caught here
    if (ty < TILE / 2) Bt[tx][ty] = make_pair<Pair>(b(k0 + 2 * ty), b(k0 + 2 * ty + 1));  // caught here
    for (int k = 0; k < TILE / 2; k += 2) {
      sum = __hfma2(As[ty][k], Bt[tx][k], sum);  // caught here
      sum += As[ty][k + 1] * Bt[tx][k + 1];  // caught here
    }
    __syncthreads();
  }
  if (row < M && col < N) C[row * N + col] = float(__hadd(sum.x, sum.y));
}
