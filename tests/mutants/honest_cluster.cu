// SPDX-License-Identifier: MIT
//
// Two blocks of a cluster, each with half of K, read each other's sums between two barriers.
//
// Caught: nothing
#include "tests/mutants/pair_of_blocks.h"

using tilewright::shared_of_neighbour;
using tilewright::wait_for_cluster;

template <int T>
__global__ void honest_cluster(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float sums[T * T];
  const PairOfBlocks<T> pair;
  const float own = pair.sum(A, B, M, N, K);
  sums[pair.thread] = own;
  wait_for_cluster();
  const float other = *shared_of_neighbour(&sums[pair.thread], 1 - pair.rank);
  wait_for_cluster();
  pair.store(C, M, N, own + other);
}

TILEWRIGHT_RUNGS(describe_pair_of_blocks<8>("honest_cluster", __FILE__, honest_cluster<8>))
