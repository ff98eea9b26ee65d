// SPDX-License-Identifier: MIT
//
// thin_edge_without_barrier: a thin edge, without the barrier behind a round's sums.
//
// With more than one round for each block, a quick warp writes its next sums while the others' last ones are added.
//
// Caught: race
// Shape: 37x17x23
#include "kernels/rung.h"
#include "kernels/thin_edges.h"
#include "tests/mutants/in_place_of_tiles.h"

using tilewright::Grid;
using tilewright::GridOrder;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::Rung;
using tilewright::ThinEdges;

struct ThinEdgeWithoutBarrierSizes {
  static constexpr int BM = 16, BN = 16, threads = 64;
};

// The thin columns as kernels/thin_edges.h has them.
template <class S>
__global__ void thin_edge_without_barrier(const float* A, const float* B, float* C, int M, int N, int K) {
  using Edges = ThinEdges<S>;
  __shared__ float sums[Edges::warps][Edges::along];
  const int columns = Edges::in_tiles(N, S::BN), thread = int(threadIdx.x);
  compute_in_place_of_tiles(A, B, C, M, columns, N, K);
  const int warp = thread / 32, place = thread % 32 / Edges::of_k, first_k = thread % Edges::of_k;
  for (int begin = int(blockIdx.x) * Edges::along; begin < M; begin += int(gridDim.x) * Edges::along) {
    const int own = begin + place;
    float sum = 0.0f;
    if (own < M)
      for (int k = warp * Edges::of_k + first_k; k < K; k += Edges::warps * Edges::of_k)
        sum = fmaf(A[std::int64_t(own) * K + k], B[std::int64_t(k) * N + columns], sum);
    for (int lanes = 1; lanes < Edges::of_k; lanes *= 2) sum += __shfl_xor_sync(0xffffffffU, sum, lanes);
    if (first_k == 0 && own < M) sums[warp][place] = sum;  // caught here
    __syncthreads();
    if (thread < Edges::along && begin + thread < M) {
      float total = 0.0f;
      for (int i = 0; i < Edges::warps; ++i) total += sums[i][thread];  // caught here
      C[std::int64_t(begin + thread) * N + columns] = total;
    }
  }
}

template <class S>
static constexpr Rung describe(const char* name) {
  return {
      .name = name,
      .idea = "an edge of one column is added up by all threads of a block",
      .source = __FILE__,
      .tile = {.BM = S::BM, .BN = S::BN, .BK = 1},
      .block = {.x = S::threads, .y = 1},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = std::int64_t(sizeof(float)) * ThinEdges<S>::warps * ThinEdges<S>::along,
      .kernel = thin_edge_without_barrier<S>,
      .predict = [](const Problem& p) -> PredictedCounts {
        return {.global_reads = 2 * p.M * p.N * p.K,
                .global_writes = p.M * p.N,
                .shared_reads = p.M * ThinEdges<S>::warps,
                .shared_writes = p.M * ThinEdges<S>::warps};
      },
      .grid = [](const Problem&) -> Grid {
        return {2, 1};
      },
  };
}

TILEWRIGHT_RUNGS(describe<ThinEdgeWithoutBarrierSizes>("thin_edge_without_barrier"))
