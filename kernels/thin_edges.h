// SPDX-License-Identifier: MIT
//
// What C has past whole tiles, where that is a few rows or columns only: tiles would cover it with as much work as whole ones, of
// which nearly all is for nothing. Instead all blocks share it out, before their tiles: a thread adds up some k of up to 4
// elements, and a block's threads put their sums together. Who calls this has waited for the launch before; the shared memory it is
// given is free again when it returns.
//
// S is the sizes of a rung: BM, BN and `threads`.
//
// Predicted, for e thin rows or columns as long as C: e·C·K loads of what lies across them and C·K of what lies along, and e·C
// sums a warp, written to shared memory and read again.
// Banks: a warp writes and reads 8 neighbours, or 4 times 8.
#pragma once

#include <cstdint>

#include "kernels/rung.h"

namespace tilewright {

template <class S>
struct ThinEdges {
  static constexpr int most = 4;             // rows or columns
  static constexpr int along = 8, of_k = 4;  // a warp's lanes: so many elements along the edge, so many k
  static constexpr int warps = S::threads / 32;

  float sums[warps][most][along];

  // Of so many rows or columns, those that tiles cover. Where there is no whole tile, an edge is no edge.
  template <class Extent>
  __host__ __device__ static constexpr Extent in_tiles(Extent extent, int tile) {
    return extent > tile && extent % tile <= most ? extent - extent % tile : extent;
  }

  // Of C. Thin columns are M long, the corner included; thin rows end before it.
  static constexpr std::int64_t elements(const Problem& p) {
    return p.M * p.N - std::int64_t{in_tiles(p.M, S::BM)} * in_tiles(p.N, S::BN);
  }
  static constexpr PredictedCounts predicted(const Problem& p) {
    const std::int64_t columns = in_tiles(p.N, S::BN), elements = ThinEdges::elements(p);
    return {.global_reads =
                (elements + (columns < p.N ? p.M : 0) + (in_tiles(p.M, S::BM) < p.M ? columns : 0)) * p.K,
            .global_writes = elements,
            .shared_reads = elements * warps,
            .shared_writes = elements * warps};
  }
};

// Columns: the thin edge is one of columns, from `first` on, and a row's k are neighbours; else one of rows, and neighbours
// are columns of B.
template <class S, bool Columns>
__device__ __forceinline__ void compute_thin_edge(const float* A, const float* B, float* C, int N, int K,
                                                  int first, int thin, int length, ThinEdges<S>& shared) {
  using Edges = ThinEdges<S>;
  constexpr int most = Edges::most, along = Edges::along, of_k = Edges::of_k, warps = Edges::warps;
  const int warp = int(threadIdx.x) / 32, lane = int(threadIdx.x) % 32;
  const int place = Columns ? lane / of_k : lane % along, first_k = Columns ? lane % of_k : lane / along;
  const auto element = [&](int thin_one, int long_one) -> std::int64_t {
    return Columns ? std::int64_t(long_one) * N + first + thin_one
                   : std::int64_t(first + thin_one) * N + long_one;
  };
  for (int begin = int(blockIdx.x) * along; begin < length; begin += int(gridDim.x) * along) {
    const int own = begin + place;
    float sum[most] = {};
    if (own < length)
#pragma unroll 4
      for (int k = warp * of_k + first_k; k < K; k += warps * of_k) {
        const float of_long = Columns ? A[std::int64_t(own) * K + k] : B[std::int64_t(k) * N + own];
#pragma unroll
        for (int i = 0; i < most; ++i)
          if (i < thin) {
            const float of_thin =
                Columns ? B[std::int64_t(k) * N + first + i] : A[std::int64_t(first + i) * K + k];
            sum[i] = fmaf(of_long, of_thin, sum[i]);
          }
      }
#pragma unroll
    for (int i = 0; i < most; ++i) {
#pragma unroll
      for (int k = 1; k < of_k; k *= 2)
        sum[i] += __shfl_xor_sync(0xffffffffU, sum[i], Columns ? k : k * along);
      if (first_k == 0 && i < thin && own < length) shared.sums[warp][i][place] = sum[i];
    }
    __syncthreads();  // all warps' sums are there
    const int of_thin = int(threadIdx.x) / along, of_length = begin + int(threadIdx.x) % along;
    if (of_thin < thin && of_length < length) {
      float total = 0.0f;
#pragma unroll
      for (int i = 0; i < warps; ++i) total += shared.sums[i][of_thin][int(threadIdx.x) % along];
      C[element(of_thin, of_length)] = total;
    }
    __syncthreads();  // they are added, before the next are written
  }
}

template <class S>
__device__ __forceinline__ void compute_thin_edges(const float* A, const float* B, float* C, int M, int N,
                                                   int K, ThinEdges<S>& shared) {
  const int rows = ThinEdges<S>::in_tiles(M, S::BM), columns = ThinEdges<S>::in_tiles(N, S::BN);
  if (columns < N) compute_thin_edge<S, true>(A, B, C, N, K, columns, N - columns, M, shared);
  if (rows < M) compute_thin_edge<S, false>(A, B, C, N, K, rows, M - rows, columns, shared);
}

}  // namespace tilewright
