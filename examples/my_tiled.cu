// SPDX-License-Identifier: MIT
//
// A shared-memory kernel as one writes it on the first afternoon: right on many a GPU, most of the time. It lacks the
// barrier that keeps a fast thread from overwriting the tile a slow one still reads; `tilewright trace` finds it.
template <int T>
__global__ void tiled(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float a[T][T];
  __shared__ float b[T][T];

  const int row = blockIdx.y * T + threadIdx.y;
  const int column = blockIdx.x * T + threadIdx.x;
  float sum = 0.0f;

  for (int k0 = 0; k0 < K; k0 += T) {
    const int ak = k0 + threadIdx.x;
    const int bk = k0 + threadIdx.y;

    a[threadIdx.y][threadIdx.x] = row < M && ak < K ? A[row * K + ak] : 0.0f;
    b[threadIdx.y][threadIdx.x] = bk < K && column < N ? B[bk * N + column] : 0.0f;
    __syncthreads();

    for (int k = 0; k < T; ++k)
      // Every thread reads what others have stored, and then goes straight on to the next tile.
      sum += a[threadIdx.y][k] * b[k][threadIdx.x];
  }
  if (row < M && column < N) C[row * N + column] = sum;
}
