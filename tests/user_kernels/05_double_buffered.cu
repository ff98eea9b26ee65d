// SPDX-License-Identifier: MIT
// Two buffers of tiles: while one is multiplied, the next is fetched into registers and stored into the other, so that
// one barrier a step is enough. N is even.
// Options: --kernel 'matmul_double_buffered<32, 32, 8>' --block 16x16 --tile 32x32
// Shape: 64x64x64
// Shape: 33x34x19
#include <cuda_runtime.h>

template <int BM, int BN, int BK>
struct Tiles {
  float a[BK][BM + 1];
  float b[BK][BN];
};

template <int BM, int BN, int BK>
__global__ void __launch_bounds__(256) matmul_double_buffered(const float *__restrict__ A, const float *__restrict__ B,
                                                              float *__restrict__ C, int M, int N, int K) {
  __shared__ Tiles<BM, BN, BK> tiles[2];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int tid = ty * blockDim.x + tx;
  const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
  const int loadRow = tid / BK, loadK = tid % BK;            // of A: 32 x 8
  const int loadKb = tid / (BN / 2), loadCol = tid % (BN / 2) * 2;  // of B: 8 x 16 pairs, by half of the threads

  float nextA;
  float2 nextB;
  auto fetch = [&](int k0) {
    const int r = row0 + loadRow, c = col0 + loadCol;
    nextA = r < M && k0 + loadK < K ? A[r * K + k0 + loadK] : 0.0f;
    if (loadKb < BK)
      nextB = k0 + loadKb < K && c < N ? *reinterpret_cast<const float2 *>(B + (k0 + loadKb) * N + c)
                                       : make_float2(0.0f, 0.0f);
  };
  auto store = [&](Tiles<BM, BN, BK> &tile) {
    tile.a[loadK][loadRow] = nextA;
    if (loadKb < BK) *reinterpret_cast<float2 *>(&tile.b[loadKb][loadCol]) = nextB;
  };

  float acc[2][2] = {};
  int current = 0;
  fetch(0);
  store(tiles[current]);
  __syncthreads();

  for (int k0 = 0; k0 < K; k0 += BK) {
    const bool more = k0 + BK < K;
    if (more) fetch(k0 + BK);
#pragma unroll
    for (int k = 0; k < BK; ++k) {
      const float a0 = tiles[current].a[k][2 * ty], a1 = tiles[current].a[k][2 * ty + 1];
      const float2 b = *reinterpret_cast<const float2 *>(&tiles[current].b[k][2 * tx]);
      acc[0][0] += a0 * b.x;
      acc[0][1] += a0 * b.y;
      acc[1][0] += a1 * b.x;
      acc[1][1] += a1 * b.y;
    }
    if (more) store(tiles[current ^ 1]);
    __syncthreads();
    current ^= 1;
  }

  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      const int r = row0 + 2 * ty + i, c = col0 + 2 * tx + j;
      if (r < M && c < N) C[r * N + c] = acc[i][j];
    }
}
