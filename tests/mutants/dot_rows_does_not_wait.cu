// SPDX-License-Identifier: MIT
//
// dot_rows_does_not_wait: dot_rows, but wrong: it reads what the launch before may still write.
//
// Caught: launch_not_waited_for
// Shape: 17x1x200
#include "kernels/quads.h"
#include "kernels/rung.h"
#include "kernels/words/launch_overlap.h"

using tilewright::ceil_div;
using tilewright::Grid;
using tilewright::GridOrder;
using tilewright::let_next_launch_begin;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::rows_are_aligned;
using tilewright::Rung;

__device__ __forceinline__ float add_product(float a, float b, float sum) { return fmaf(a, b, sum); }

__device__ __forceinline__ float add_product(float4 a, float4 b, float sum) {
  return fmaf(a.x, b.x, fmaf(a.y, b.y, fmaf(a.z, b.z, fmaf(a.w, b.w, sum))));
}

// One lane's share of the products of `count` neighbours of a and as many of b, `apart` from each other. T: float or float4.
template <int U, class T>
__device__ __forceinline__ float lanes_sum(const T* a, const T* b, int count, std::int64_t apart, int lane) {
  float sum = 0.0f;
  a += lane;
  b += lane * apart;
  const auto add_batch = [&](bool whole) {
    T of_a[U], of_b[U];
#pragma unroll
    for (int u = 0; u < U; ++u)
      of_a[u] = whole || u * 32 + lane < count ? __ldg(&a[u * 32]) : T{};  // caught here
#pragma unroll
    for (int u = 0; u < U; ++u)
      of_b[u] = whole || u * 32 + lane < count ? __ldg(&b[u * 32 * apart]) : T{};  // caught here
#pragma unroll
    for (int u = 0; u < U; ++u)
      if (whole || u * 32 + lane < count) sum = add_product(of_a[u], of_b[u], sum);
  };
  for (; count >= U * 32; count -= U * 32) {
    add_batch(true);
    a += U * 32;
    b += U * 32 * apart;
  }
  if (count > 0) add_batch(false);
  return sum;
}

// One warp:   lane     0       1      2    …     31
//             A, k =  0…3     4…7   8…11   …  124…127 | 128… the same again, U times before the first is used
template <int U, int warps, int blocks>
__global__ void __launch_bounds__(32 * warps, blocks)
    dot_rows_does_not_wait(const float* A, const float* B, float* C, int M, int N, int K) {
  let_next_launch_begin();
  const int lane = int(threadIdx.x), row = int(blockIdx.x) * warps + int(threadIdx.y);
  if (row >= M) return;  // the whole warp
  const float* const a = A + std::int64_t(row) * K;
  const bool by_quads = N == 1 && rows_are_aligned(A, K) && rows_are_aligned(B, K);
  for (int column = int(blockIdx.y); column < N; column += int(gridDim.y)) {
    float sum = by_quads ? lanes_sum<U>(reinterpret_cast<const float4*>(a),
                                        reinterpret_cast<const float4*>(B), K / 4, 1, lane)
                         : lanes_sum<U>(a, B + column, K, N, lane);
#pragma unroll
    for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(0xffffffffU, sum, lanes);
    if (lane == 0) C[std::int64_t(row) * N + column] = sum;  // caught here
  }
}

// blocks: that a multiprocessor holds; what is under way with four of eight warps takes 64 registers a thread.
template <int U, int warps, int blocks>
static constexpr Rung describe(const char* name) {
  return {
      .name = name,
      .idea = "a warp computes one element of C, the dot product of a row of A and a column of B",
      .source = __FILE__,
      .tile = {.BM = warps, .BN = 1, .BK = 1},
      .block = {.x = 32, .y = warps},
      .grid_order = GridOrder::rows_along_x,
      .static_shared_bytes = 0,
      .kernel = dot_rows_does_not_wait<U, warps, blocks>,
      .predict = [](const Problem& p) -> PredictedCounts {
        return {.global_reads = 2 * p.M * p.N * p.K,
                .global_writes = p.M * p.N,
                .shared_reads = 0,
                .shared_writes = 0};
      },
      .grid = [](const Problem& p) -> Grid {
        return {ceil_div(p.M, warps), p.N < 65535 ? p.N : 65535};  // a grid's y has no more
      },
      .overlaps = true,
  };
}

TILEWRIGHT_RUNGS(describe<8, 8, 4>("dot_rows_does_not_wait"))
