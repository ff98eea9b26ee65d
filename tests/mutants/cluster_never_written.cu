// SPDX-License-Identifier: MIT
//
// cluster_never_written: two blocks of a cluster, but wrong: the second one keeps its sums to itself.
//
// Caught: uninitialized_shared_read
#include "tests/mutants/pair_of_blocks.h"

using tilewright::shared_of_neighbour;
using tilewright::wait_for_cluster;

template <int T>
__global__ void cluster_never_written(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float sums[T * T];
  const PairOfBlocks<T> pair;
  const float own = pair.sum(A, B, M, N, K);
  if (pair.rank == 0) sums[pair.thread] = own;
  wait_for_cluster();
  const float other = *shared_of_neighbour(&sums[pair.thread], 1 - pair.rank);  // caught here
  wait_for_cluster();
  pair.store(C, M, N, own + other);
}

TILEWRIGHT_RUNGS(describe_pair_of_blocks<8>("cluster_never_written", __FILE__, cluster_never_written<8>))
