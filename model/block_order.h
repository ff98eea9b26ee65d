// SPDX-License-Identifier: MIT
//
// What the order of blocks costs the memory behind the L2. Blocks run in waves of `resident`; those of one
// wave share each strip of A (BM rows, all of K) and of B (BN columns) through the L2, and nothing survives
// from one wave to the next. In row-major order a wave is a thin row of tiles and needs nearly all of B; in
// groups of `group` tile rows it is closer to a square and needs fewer strips.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/exact.h"

namespace tilewright {

inline constexpr std::string_view order_assumptions[] = {
    "blocks run in waves of `resident`, in their order; those of one wave share each strip of A and of B",
    "the L2 holds the strips of one wave and forgets them before the next",
    "loads of A and B that exist, in elements; stores of C are not in these counts",
};

struct TilePlace {
  std::int64_t row, column;  // in tiles
  friend bool operator==(TilePlace, TilePlace) = default;
};

enum class BlockOrder { row, grouped, hilbert };

// Where block `index` of the grouped order lies: down the rows of a group first, then along the columns; the
// last group may be shorter. group = 1 is row-major.
TilePlace grouped_place(std::int64_t index, std::int64_t tile_rows, std::int64_t tile_columns,
                        std::int64_t group);

// All tiles along a Hilbert curve through the smallest square of 2^n x 2^n tiles that covers them, without those
// that do not exist. Any stretch of it is close to a square, whatever the number of resident blocks.
std::vector<TilePlace> hilbert_order(std::int64_t tile_rows, std::int64_t tile_columns);

inline constexpr std::int64_t most_ordered_tiles = 10'000'000;

// Elements of A and B that must come from memory: each strip once a wave. Ragged strips count what exists.
// `group` matters to the grouped order alone. Throws bad_input beyond most_ordered_tiles.
std::int64_t order_reads(ProductSize product, OutputTile tile, BlockOrder order, std::int64_t group,
                         std::int64_t resident);
std::int64_t grouped_order_reads(ProductSize product, OutputTile tile, std::int64_t group,
                                 std::int64_t resident);

}  // namespace tilewright
