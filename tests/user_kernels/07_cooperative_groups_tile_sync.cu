// SPDX-License-Identifier: MIT
// 07_cooperative_groups, but wrong: sixteen threads wait for each other where the whole block must.
// Caught: race
// Options: --kernel matmul_groups --block 16x16 --tile 16x16
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

#define TILE 16

__device__ float reduce(const cg::thread_block_tile<TILE> &tile, float value) {
  for (int offset = tile.size() / 2; offset > 0; offset /= 2) value += tile.shfl_down(value, offset);
  return value;
}

__global__ void matmul_groups(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE + 1];

  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<TILE> tile = cg::tiled_partition<TILE>(block);

  const int row = block.group_index().y * TILE + block.thread_index().y;
  const int col0 = block.group_index().x * TILE;
  const int ty = block.thread_index().y, tx = tile.thread_rank();

  float mine = 0.0f;
  for (int k0 = 0; k0 < K; k0 += TILE) {
    As[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;
    Bs[ty][tx] = k0 + ty < K && col0 + tx < N ? B[(k0 + ty) * N + col0 + tx] : 0.0f;
    tile.sync();

    for (int col = 0; col < TILE; ++col) {
      const float sum = tile.shfl(reduce(tile, As[ty][tx] * Bs[tx][col]), 0);  // caught here
      if (tx == col) mine += sum;
    }
    cg::sync(block);
  }
  if (row < M && col0 + tx < N) C[row * N + col0 + tx] = mine;
}
