// SPDX-License-Identifier: MIT
//
// thin_edges_corner_twice: thin rows that reach to the end of C, where thin columns reach too.
//
// It is given N where it should have `columns`. Both give the corner the same value, so that no comparison of values sees it.
//
// Caught: double_write
// Shape: 17x18x9
#include "kernels/rung.h"
#include "kernels/thin_edges.h"
#include "tests/mutants/in_place_of_tiles.h"

using tilewright::compute_thin_edge;
using tilewright::Grid;
using tilewright::GridOrder;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::Rung;
using tilewright::ThinEdges;

struct ThinEdgesCornerTwiceSizes {
  static constexpr int BM = 16, BN = 16, threads = 64;
};

template <class S>
__global__ void thin_edges_corner_twice(const float* A, const float* B, float* C, int M, int N, int K) {
  using Edges = ThinEdges<S>;
  __shared__ Edges edges;
  const int rows = Edges::in_tiles(M, S::BM), columns = Edges::in_tiles(N, S::BN);
  compute_in_place_of_tiles(A, B, C, rows, columns, N, K);
  if (columns < N) compute_thin_edge<S, true>(A, B, C, N, K, columns, N - columns, M, edges);
  if (rows < M) compute_thin_edge<S, false>(A, B, C, N, K, rows, M - rows, N, edges);  // caught here
}

template <class S>
static constexpr Rung describe(const char* name) {
  return {
      .name = name,
      .idea = "thin rows and thin columns both have the corner",
      .source = __FILE__,
      .tile = {.BM = S::BM, .BN = S::BN, .BK = 1},
      .block = {.x = S::threads, .y = 1},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = std::int64_t(sizeof(ThinEdges<S>)),
      .kernel = thin_edges_corner_twice<S>,
      .predict = [](const Problem& p) -> PredictedCounts {
        return {.global_reads = 2 * p.M * p.N * p.K,
                .global_writes = p.M * p.N,
                .shared_reads = 0,
                .shared_writes = 0};
      },
      .grid = [](const Problem&) -> Grid {
        return {2, 1};
      },
  };
}

TILEWRIGHT_RUNGS(describe<ThinEdgesCornerTwiceSizes>("thin_edges_corner_twice"))
