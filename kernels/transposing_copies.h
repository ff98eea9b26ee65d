// SPDX-License-Identifier: MIT
//
// How a thread copies tiles of A and B straight from where they lie, without a kernel that packs them: of A single elements,
// transposed on their way, of B quads, or single elements where its rows are not aligned. No copy of a whole step is
// guarded: rows and columns past the edges are copies of others, whose sums nobody stores, and what K lacks to whole steps
// is missing at the begin of the first one, zeros in both tiles.
//
// S is the sizes of a rung: BM, BN, BK, `pad`, `threads`, and `copies_until`, of the body's k those that copies are spread over.
//
// Banks: lane l of a warp copies k = l%8 of row l/8 of A. With (BM + pad) % 32 = 4 that is bank 4·(l%8) + l/8, and all differ.
#pragma once

#include <cstdint>

#include "kernels/words/cp_async.h"

namespace tilewright {

template <class S>
struct TransposedStage {
  float a[S::BK][S::BM + S::pad];  // (k, row), row fastest
  float b[S::BK][S::BN];           // (k, column), column fastest
};

// What one thread copies of a tile, step after step. Bytes: what a copy of B moves, 16 or 4.
template <class S, int Bytes>
struct TransposingCopies {
  static constexpr int rows_a = S::threads / 8;  // of a pass, which copies 8 k: 32 bytes of each
  static constexpr int passes_a = S::BM / rows_a, copies_a = passes_a * (S::BK / 8);
  static constexpr int floats = Bytes / 4, k_of_pass = S::threads / (S::BN / floats),
                       copies_b = S::BK / k_of_pass;
  static_assert(S::BM % rows_a == 0 && S::BK % 8 == 0 && S::BK % k_of_pass == 0, "whole passes");
  static_assert((S::BM + S::pad) % 32 == 4, "where neighbouring k of A begin, in banks");
  int row = int(threadIdx.x) / 8, k_a = int(threadIdx.x) % 8;
  int k_b = int(threadIdx.x) / (S::BN / floats), column = int(threadIdx.x) % (S::BN / floats) * floats;
  const float *A, *B;
  int M, N, K;
  const float *from_a[passes_a] = {}, *from_b = nullptr;

  // Place `offset` of a tile that begins at `begin`; what would be past `last` is that place of the first tile instead. Threads that
  // all copied from the edge would do so one by one.
  __device__ __forceinline__ static int inside(int begin, int offset, int last) {
    return begin + offset <= last ? begin + offset : min(offset, last);
  }
  // The next step is the one from k0 on, in the tile that begins at this row and column.
  __device__ __forceinline__ void go_to(int row0, int column0, int k0) {
#pragma unroll
    for (int i = 0; i < passes_a; ++i)
      from_a[i] = A + std::int64_t(inside(row0, row + i * rows_a, M - 1)) * K + k0 + k_a;
    from_b = B + std::int64_t(k0 + k_b) * N + inside(column0, column, N - floats);
  }
  __device__ __forceinline__ void go_on() {
#pragma unroll
    for (int i = 0; i < passes_a; ++i) from_a[i] += S::BK;
    from_b += std::int64_t(S::BK) * N;
  }

  // The i-th copies of a step, whose first `missing` k are not there.
  __device__ __forceinline__ void copy_a(int i, TransposedStage<S>& to, int missing) const {
    const int pass = i % passes_a, k0 = i / passes_a * 8;
    const bool there = missing == 0 || k0 + k_a >= missing;
    cp_async<4>(&to.a[k0 + k_a][row + pass * rows_a], there ? from_a[pass] + k0 : A, there);
  }
  __device__ __forceinline__ void copy_b(int i, TransposedStage<S>& to, int missing) const {
    const int k0 = i * k_of_pass;
    const bool there = missing == 0 || k0 + k_b >= missing;
    const float* const from = there ? from_b + std::int64_t(k0) * N : B;
    if constexpr (Bytes == 16)
      cp_async_past_l1(&to.b[k0 + k_b][column], from, there);
    else
      cp_async<4>(&to.b[k0 + k_b][column], from, there);
  }

  // All copies of a step; and of a whole step the share that is started beside k of the body, where S::copies_until shares
  // are all.
  __device__ __forceinline__ void start(TransposedStage<S>& to, int missing) const {
#pragma unroll
    for (int i = 0; i < copies_a; ++i) copy_a(i, to, missing);
#pragma unroll
    for (int i = 0; i < copies_b; ++i) copy_b(i, to, missing);
  }
  __device__ __forceinline__ void start_share(int k, TransposedStage<S>& to) const {
#pragma unroll
    for (int i = k * copies_a / S::copies_until; i < (k + 1) * copies_a / S::copies_until; ++i)
      copy_a(i, to, 0);
#pragma unroll
    for (int i = k * copies_b / S::copies_until; i < (k + 1) * copies_b / S::copies_until; ++i)
      copy_b(i, to, 0);
  }
};

}  // namespace tilewright
