// SPDX-License-Identifier: MIT
//
// Tiles of C that blocks share by their steps of K: which steps a block has, in which order it does its work, and how the parts of
// a tile become its sums. What a step is, how its operands arrive and where its sums go is the rung's.
//
// S is the sizes of a rung: BM, BN, TM, TN and `threads`.
#pragma once

#include <cstdint>

#include "kernels/arrival.h"

namespace tilewright {

// How the steps of `tiles` tiles fall to blocks: block b has those from begin(b) to begin(b + 1), numbered tile after tile. No
// share is empty: where there are fewer steps than blocks, the last blocks have none.
struct StepShares {
  int tiles, steps_of_tile;
  int blocks;
  std::int64_t steps = std::int64_t{tiles} * steps_of_tile;
  std::int64_t sharers = steps < blocks ? steps : blocks;

  __host__ __device__ constexpr std::int64_t begin(int block) const {
    return block < sharers ? steps * block / sharers : steps;
  }
  __host__ __device__ constexpr int owner(std::int64_t step) const {
    return int(((step + 1) * sharers - 1) / steps);
  }
  // Of a tile's steps, the first and the last one's.
  __host__ __device__ constexpr int first_of(int tile) const {
    return owner(std::int64_t{tile} * steps_of_tile);
  }
  __host__ __device__ constexpr int last_of(int tile) const {
    return owner(std::int64_t{tile + 1} * steps_of_tile - 1);
  }
  // Pieces that the tiles fall into; and those of them that are parts, of tiles that several blocks have.
  __host__ __device__ constexpr std::int64_t pieces() const { return pieces_of_tiles_in(1); }
  __host__ __device__ constexpr std::int64_t parts() const { return pieces_of_tiles_in(2); }
  // Of those tiles alone that fall into so many or more.
  __host__ __device__ constexpr std::int64_t pieces_of_tiles_in(int fewest) const {
    std::int64_t pieces = 0;
    for (int tile = 0; tile < tiles; ++tile) {
      const int of_tile = last_of(tile) - first_of(tile) + 1;
      if (of_tile >= fewest) pieces += of_tile;
    }
    return pieces;
  }
};

// Some of the steps of one tile.
struct Piece {
  int tile, first, steps;
};

// What one block computes, piece after piece: its share of the shared tiles, which are the first ones, and then whole tiles.
struct SharedWork {
  int tiles, steps;  // of C; of each tile
  int whole = tiles % int(gridDim.x) + int(blockIdx.x);
  int step = int(shares().begin(int(blockIdx.x))), end = int(shares().begin(int(blockIdx.x) + 1));

  __device__ __forceinline__ StepShares shares() const {
    return {tiles % int(gridDim.x), steps, int(gridDim.x)};
  }

  __device__ __forceinline__ bool is_left() const { return step < end || whole < tiles; }
  __device__ __forceinline__ bool next(Piece& piece) {
    if (step < end) {
      const int tile = step / steps, first = step - tile * steps;
      piece = {tile, first, min(steps - first, end - step)};
      step += piece.steps;
      return true;
    }
    if (whole >= tiles) return false;
    piece = {whole, 0, steps};
    whole += int(gridDim.x);
    return true;
  }
};

// Publishes this block's part of a tile's sums, and says whether it is the last of the tile's blocks to do so; it then has the
// sums of all parts. Of each block there is room for two parts: of a tile that it is the first to have, and of one that it is not. In a
// part, the q-th four sums of all threads lie side by side, so that a warp's accesses are of neighbours.
template <class S>
__device__ __forceinline__ bool add_parts(const StepShares& shares, int tile, float* counter, float4* parts,
                                          int* last, float (&sum)[S::TM][S::TN]) {
  constexpr int TM = S::TM, TN = S::TN;
  const int first_block = shares.first_of(tile), last_block = shares.last_of(tile);
  const auto part_of = [&](int block) {
    const std::int64_t place = 2 * std::int64_t(block) + (block == first_block ? 1 : 0);
    return parts + place * (S::BM * S::BN / 4) + int(threadIdx.x);
  };
  float4* const own = part_of(int(blockIdx.x));
#pragma unroll
  for (int i = 0; i < TM; ++i)
#pragma unroll
    for (int j = 0; j < TN; j += 4)
      own[(i * TN + j) / 4 * S::threads] =
          make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);
  if (!arrives_last(counter, unsigned(last_block - first_block + 1), last)) return false;

#pragma unroll
  for (int i = 0; i < TM; ++i)
#pragma unroll
    for (int j = 0; j < TN; ++j) sum[i][j] = 0.0f;
  for (int block = first_block; block <= last_block;
       ++block) {  // its own too, so that the order is that of K
    const float4* const part = part_of(block);
#pragma unroll
    for (int i = 0; i < TM; ++i)
#pragma unroll
      for (int j = 0; j < TN; j += 4) {
        const float4 of_block = part[(i * TN + j) / 4 * S::threads];
        sum[i][j] += of_block.x;
        sum[i][j + 1] += of_block.y;
        sum[i][j + 2] += of_block.z;
        sum[i][j + 3] += of_block.w;
      }
  }
  return true;
}

}  // namespace tilewright
