// SPDX-License-Identifier: MIT
// Constants, functors, lambdas and device functions, and clocks around the main loop as people put them to time it.
// Options: --kernel 'matmul_functor<16, fma_op>' --block 16x16 --tile 16x16
#include <cuda_runtime.h>

__constant__ float identity[2] = {0.0f, 1.0f};

struct fma_op {
  __device__ __forceinline__ float operator()(float a, float b, float c) const { return fmaf(a, b, c); }
};

template <typename Load, typename Store>
__device__ void copy_tile(int tx, int ty, Load load, Store store) {
  store(ty, tx, load(ty, tx));
}

__device__ __noinline__ bool inside(int r, int c, int rows, int cols) { return r < rows && c < cols; }

template <int T, class Op>
__global__ void matmul_functor(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ __align__(16) float a[T][T];
  __shared__ __align__(16) float b[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row0 = blockIdx.y * T, col0 = blockIdx.x * T;
  const Op op{};

  float sum = identity[0];
  const long long started = clock64();
  const clock_t ticks = clock();
  for (int k0 = 0; k0 < K; k0 += T) {
    copy_tile(
        tx, ty, [&](int r, int c) { return inside(row0 + r, k0 + c, M, K) ? A[(row0 + r) * K + k0 + c] : identity[0]; },
        [&](int r, int c, float v) { a[r][c] = v; });
    copy_tile(
        tx, ty, [=](int r, int c) { return inside(k0 + r, col0 + c, K, N) ? B[(k0 + r) * N + col0 + c] : identity[0]; },
        [&](int r, int c, float v) { b[r][c] = v; });
    __syncthreads();
#pragma unroll 4
    for (int k = 0; k < T; ++k) sum = op(a[ty][k], b[k][tx], sum);
    __syncthreads();
  }
  const bool timed = clock64() > started && clock() >= ticks;
  if (inside(row0 + ty, col0 + tx, M, N)) C[(row0 + ty) * N + col0 + tx] = timed ? sum * identity[1] : -1.0f;
}
