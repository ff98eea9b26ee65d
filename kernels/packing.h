// SPDX-License-Identifier: MIT
//
// A first kernel that lays the operands out in scratch as 16-byte copies want them: A transposed, so that neighbours in a
// column of A are neighbours in memory; and B with longer rows, where its own do not all begin at a multiple of 16 bytes.
//
// S is the sizes of a rung: BM, BN, BK and `tile`, `counters`, the words of scratch that it keeps in front, and `overlaps`, true, if
// its launches do. Its name makes the kernel the rung's own.
#pragma once

#include <cstdint>

#include "kernels/quads.h"
#include "kernels/rung.h"
#include "kernels/words/launch_overlap.h"

namespace tilewright {

constexpr int packed_piece = 64;  // a block packs 64 x 64

// Where it lies, in floats: [counters][A transposed: `depth` x `rows`, row fastest, zero beyond A][B: K x `pitch`, if it is
// packed][the rest]. All begin at a multiple of 128 bytes.
template <class S>
struct Packing {
  static_assert(S::counters % 32 == 0, "what lies behind them begins at a multiple of 128 bytes");
  static_assert(S::BM % packed_piece == 0 && packed_piece % S::BK == 0,
                "whole tiles of A are whole pieces, and whole pieces are whole steps");
  std::int64_t rows, depth, pitch;
  bool of_b;
  static constexpr std::int64_t a = S::counters;
  std::int64_t b, end;

  __host__ __device__ static constexpr std::int64_t up(std::int64_t extent, std::int64_t unit) {
    return (extent + unit - 1) / unit * unit;
  }
  __host__ __device__ constexpr Packing(std::int64_t M, std::int64_t N, std::int64_t K)
      : rows(up(M, S::BM)),
        depth(up(K, packed_piece)),
        pitch(up(N, 4)),
        of_b(pitch != N),
        b(a + rows * depth),
        end(b + (of_b ? up(K * pitch, 32) : 0)) {}
};

// A block packs 64 x 64 of A, or of B: 16 threads side by side, four elements each, 16 rows at a time.
//
// Banks: lane l writes k = 4·(l%16) … + 3 of row l/16 and reads four rows of k = l/16, 65 apart and 1 apart: 4·l + l/16 modulo
// 32, which two lanes share each time.
template <class S>
__global__ void __launch_bounds__(256)
    pack_operands(const float* A, const float* B, float*, int M, int N, int K, float* scratch) {
  __shared__ float piece[packed_piece][packed_piece + 1];  // (k, row), row fastest
  if constexpr (requires { S::overlaps; }) wait_for_launch_before();
  const Packing<S> packing(M, N, K);
  const int along_k = int(packing.depth) / packed_piece;
  const int k0 = int(blockIdx.x) % along_k * packed_piece, other0 = int(blockIdx.x) / along_k * packed_piece;
  const int quad = int(threadIdx.x) % 16 * 4, first = int(threadIdx.x) / 16;

  if (other0 >= packing.rows) {  // a piece of B
    const int column = other0 - int(packing.rows) + quad;
    for (int k = k0 + first; k < min(k0 + packed_piece, K); k += 16)
      if (column < packing.pitch)
        *reinterpret_cast<float4*>(&scratch[packing.b + k * packing.pitch + column]) =
            load_quad(B, k, column, K, N);
    return;
  }
#pragma unroll
  for (int row = first; row < packed_piece; row += 16) {
    const float4 of_a = load_quad(A, other0 + row, k0 + quad, M, K);
    piece[quad][row] = of_a.x;
    piece[quad + 1][row] = of_a.y;
    piece[quad + 2][row] = of_a.z;
    piece[quad + 3][row] = of_a.w;
  }
  __syncthreads();
#pragma unroll
  for (int k = first; k < packed_piece; k += 16)
    *reinterpret_cast<float4*>(&scratch[packing.a + (k0 + k) * packing.rows + other0 + quad]) =
        make_float4(piece[k][quad], piece[k][quad + 1], piece[k][quad + 2], piece[k][quad + 3]);
}

template <class S>
constexpr FirstKernel first_packs() {
  return {.kernel = pack_operands<S>,
          .block = {.x = 256, .y = 1},
          .grid = [](const Problem& p) -> Grid {
            const Packing<S> packing(p.M, p.N, p.K);
            const std::int64_t columns = packing.of_b ? Packing<S>::up(p.N, packed_piece) : 0;
            return {packing.depth / packed_piece * ((packing.rows + columns) / packed_piece), 1};
          },
          .static_shared_bytes = packed_piece*(packed_piece + 1) * std::int64_t(sizeof(float))};
}

// Of the first kernel, and of one that loads whole tiles of A as packed, and B as far as it reaches, in fours.
template <class S>
constexpr PredictedCounts counts_of_packed_tiles(const Problem& p) {
  const Packing<S> packing(p.M, p.N, p.K);
  const std::int64_t down = ceil_div(p.M, S::BM), across = ceil_div(p.N, S::BN);
  PredictedCounts counts = counts_of_tiles(S::tile, p);
  counts.global_reads = p.M * p.K + (packing.of_b ? p.K * p.N : 0) +
                        packing.rows * ceil_div(p.K, S::BK) * S::BK * across + p.K * packing.pitch * down;
  counts.global_writes += packing.rows * packing.depth + (packing.of_b ? p.K * packing.pitch : 0);
  counts.shared_reads += packing.rows * packing.depth;
  counts.shared_writes += packing.rows * packing.depth;
  return counts;
}

}  // namespace tilewright
