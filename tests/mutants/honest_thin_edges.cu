// SPDX-License-Identifier: MIT
//
// honest_thin_edges: thin rows, thin columns and their corner, by kernels/thin_edges.h; blocks have more than one round of each.
//
// Caught: nothing
// Shape: 36x34x23
#include "kernels/rung.h"
#include "kernels/thin_edges.h"
#include "tests/mutants/in_place_of_tiles.h"

using tilewright::compute_thin_edges;
using tilewright::Grid;
using tilewright::GridOrder;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::Rung;
using tilewright::ThinEdges;

struct HonestThinEdgesSizes {
  static constexpr int BM = 16, BN = 16, threads = 64;
};

template <class S>
__global__ void honest_thin_edges(const float* A, const float* B, float* C, int M, int N, int K) {
  using Edges = ThinEdges<S>;
  __shared__ Edges edges;
  const int rows = Edges::in_tiles(M, S::BM), columns = Edges::in_tiles(N, S::BN);
  compute_in_place_of_tiles(A, B, C, rows, columns, N, K);
  compute_thin_edges<S>(A, B, C, M, N, K, edges);
}

template <class S>
static constexpr Rung describe(const char* name) {
  return {
      .name = name,
      .idea = "thin rows and thin columns beside what tiles would cover",
      .source = __FILE__,
      .tile = {.BM = S::BM, .BN = S::BN, .BK = 1},
      .block = {.x = S::threads, .y = 1},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = std::int64_t(sizeof(ThinEdges<S>)),
      .kernel = honest_thin_edges<S>,
      .predict = [](const Problem& p) -> PredictedCounts {
        PredictedCounts counts = ThinEdges<S>::predicted(p);
        counts.global_reads += 2 * (p.M * p.N - ThinEdges<S>::elements(p)) * p.K;
        counts.global_writes = p.M * p.N;
        return counts;
      },
      .grid = [](const Problem&) -> Grid {
        return {2, 1};
      },
  };
}

TILEWRIGHT_RUNGS(describe<HonestThinEdgesSizes>("honest_thin_edges"))
