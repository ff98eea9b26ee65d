// SPDX-License-Identifier: MIT
//
// cluster_of_three: two blocks of a cluster, but wrong: the second one reads of a third, which there is not.
//
// Caught: out_of_bounds
#include "tests/mutants/pair_of_blocks.h"

using tilewright::shared_of_neighbour;
using tilewright::wait_for_cluster;

template <int T>
__global__ void cluster_of_three(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float sums[T * T];
  const PairOfBlocks<T> pair;
  const float own = pair.sum(A, B, M, N, K);
  sums[pair.thread] = own;
  wait_for_cluster();
  const float other = *shared_of_neighbour(&sums[pair.thread], pair.rank + 1);  // caught here
  wait_for_cluster();
  pair.store(C, M, N, own + other);
}

TILEWRIGHT_RUNGS(describe_pair_of_blocks<8>("cluster_of_three", __FILE__, cluster_of_three<8>))
