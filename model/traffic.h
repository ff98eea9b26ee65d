// SPDX-License-Identifier: MIT
//
// How many elements of A and B a product loads: without reuse, with one level of tiles (shared memory) and
// with two (registers). Exact at ragged edges: a tile of C loads its rows of A and its columns of B once, so A
// is loaded once for each column of tiles, MK·⌈N/BN⌉, and B once for each row of tiles, KN·⌈M/BM⌉. Elements
// that exist, not the sectors that the hardware moves; loads only, the store of C is MN more.
#pragma once

#include <cstdint>
#include <string_view>

#include "model/exact.h"

namespace tilewright {

inline constexpr std::string_view traffic_assumptions[] = {
    "counts are elements of A and B that exist: zeros written for what lies outside are not loads",
    "nothing is kept between blocks: no cache hit is assumed",
    "stores of C, MN elements once, are not in these counts",
};

inline constexpr std::string_view tiled_assumptions[] = {
    "global reads are copies of elements that exist into shared memory, once per block and phase",
    "shared_reads are two for each multiply-add of the product",
    "padded_shared_reads are those of a kernel whose invalid threads and zero-filled k take part as well, as "
    "in "
    "the rungs shared_tile_*",
    "nothing is kept between blocks: no cache hit is assumed",
};

inline constexpr std::string_view two_level_assumptions[] = {
    "global reads are copies of elements that exist into shared memory, once per block and phase",
    "in each k a register tile reads its column of A and its row of B from shared memory once",
    "register tiles are clipped at the edges of C",
    "nothing is kept between blocks: no cache hit is assumed",
};

struct Traffic {
  std::int64_t naive;                // 2MNK: two loads a multiply-add
  std::int64_t tiled;                // MK⌈N/BN⌉ + KN⌈M/BM⌉; 2MNK/b for square tiles that divide
  std::int64_t minimum;              // MK + KN: every element once
  std::int64_t minimum_with_output;  // MK + KN + MN
};

// `tile` BM x BN; throws bad_input on an extent below 1 or a count beyond 64 bits.
Traffic matmul_traffic(ProductSize product, OutputTile tile);

// FLOP per byte that a block loads: 2·BM·BN / (s·(BM + BN)), whatever the reduction step.
double block_intensity(OutputTile tile, std::int64_t element_bytes);

// One stage of both input tiles: s·BK·(BM + BN) bytes.
std::int64_t tile_shared_bytes(OutputTile tile, std::int64_t BK, std::int64_t element_bytes);

// Shared reads per multiply-add of a TM x TN register tile: (TM + TN)/(TM·TN); 2 without register tiles.
double shared_reads_per_multiply_add(OutputTile register_tile);

struct TiledCounts {
  std::int64_t global_reads;         // in-bounds copies into shared memory
  std::int64_t shared_reads;         // two for each of the MNK multiply-adds of the product
  std::int64_t padded_shared_reads;  // what a kernel does whose invalid threads and zero-filled k take part
};

// Cubic tiles b x b x b, as the shared-tile rungs.
TiledCounts tiled_counts(ProductSize product, std::int64_t b);

// Multiply-adds of a kernel all of whose threads take part in every reduction tile, zero-filled k and elements
// beyond the edges of C among them: ⌈M/BM⌉·⌈N/BN⌉·⌈K/BK⌉ tiles of BM·BN·BK.
std::int64_t padded_multiply_adds(ProductSize product, OutputTile tile, std::int64_t BK);

struct TwoLevelCounts {
  std::int64_t global_reads;  // MK⌈N/b⌉ + KN⌈M/b⌉
  std::int64_t shared_reads;  // MK⌈N/t⌉ + KN⌈M/t⌉: the same law one level down, register tiles clipped
};

// Throws bad_input unless t divides b: register tiles must not straddle two blocks.
TwoLevelCounts two_level_counts(ProductSize product, std::int64_t b, std::int64_t t);

void require_two_level(ProductSize product, std::int64_t b, std::int64_t t);

}  // namespace tilewright
