// SPDX-License-Identifier: MIT
//
// cluster_reads_too_soon: two blocks of a cluster, but wrong: each reads the other's sums when its own block is done with them, not
// when the other one is.
//
// Caught: race
#include "tests/mutants/pair_of_blocks.h"

using tilewright::shared_of_neighbour;
using tilewright::wait_for_cluster;

template <int T>
__global__ void cluster_reads_too_soon(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float sums[T * T];
  const PairOfBlocks<T> pair;
  const float own = pair.sum(A, B, M, N, K);
  sums[pair.thread] = own;  // caught here
  __syncthreads();
  const float other = *shared_of_neighbour(&sums[pair.thread], 1 - pair.rank);  // caught here
  wait_for_cluster();
  pair.store(C, M, N, own + other);
}

TILEWRIGHT_RUNGS(describe_pair_of_blocks<8>("cluster_reads_too_soon", __FILE__, cluster_reads_too_soon<8>))
