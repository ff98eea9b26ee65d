// SPDX-License-Identifier: MIT
//
// cluster_leaves_too_soon: two blocks of a cluster, but wrong: no barrier keeps a block there until the other one has read its sums.
//
// Caught: shared_memory_gone
#include "tests/mutants/pair_of_blocks.h"

using tilewright::shared_of_neighbour;
using tilewright::wait_for_cluster;

template <int T>
__global__ void cluster_leaves_too_soon(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float sums[T * T];
  const PairOfBlocks<T> pair;
  const float own = pair.sum(A, B, M, N, K);
  sums[pair.thread] = own;
  wait_for_cluster();
  const float other = *shared_of_neighbour(&sums[pair.thread], 1 - pair.rank);  // caught here
  pair.store(C, M, N, own + other);
}

TILEWRIGHT_RUNGS(describe_pair_of_blocks<8>("cluster_leaves_too_soon", __FILE__, cluster_leaves_too_soon<8>))
