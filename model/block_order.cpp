// SPDX-License-Identifier: MIT
#include "model/block_order.h"

#include <algorithm>
#include <vector>

namespace tilewright {
namespace {

// The strips of one matrix, and in which wave each was last loaded.
class Strips {
 public:
  Strips(std::int64_t extent, std::int64_t tile)
      : extent_(extent), tile_(tile), wave_(static_cast<std::size_t>(tiles_over(extent, tile)), -1) {}
  // Rows (or columns) to load for this strip in this wave: none the second time.
  std::int64_t load(std::int64_t strip, std::int64_t wave) {
    std::int64_t& last = wave_[static_cast<std::size_t>(strip)];
    if (last == wave) return 0;
    last = wave;
    return std::min(tile_, extent_ - strip * tile_);
  }

 private:
  std::int64_t extent_, tile_;
  std::vector<std::int64_t> wave_;
};

}  // namespace

TilePlace grouped_place(std::int64_t index, std::int64_t tile_rows, std::int64_t tile_columns,
                        std::int64_t group) {
  const std::int64_t height_wanted = std::min(group, tile_rows);
  const std::int64_t first_row = index / (height_wanted * tile_columns) * height_wanted;
  const std::int64_t height = std::min(height_wanted, tile_rows - first_row);
  const std::int64_t within = index - first_row * tile_columns;
  return {first_row + within % height, within / height};
}

std::int64_t grouped_order_reads(ProductSize product, OutputTile tile, std::int64_t group,
                                 std::int64_t resident) {
  require_product(product);
  require_tile(tile);
  require_positive("group", group);
  require_positive("resident blocks", resident);
  const std::int64_t rows = tiles_over(product.M, tile.BM), columns = tiles_over(product.N, tile.BN);
  const std::int64_t tiles = (Exact(rows) * columns).count("tiles", product);
  require_at_most("tiles", tiles, most_ordered_tiles, "at most 10000000 are put in order");
  Strips A(product.M, tile.BM), B(product.N, tile.BN);
  Exact loaded(0);
  for (std::int64_t index = 0; index < tiles; ++index) {
    const TilePlace place = grouped_place(index, rows, columns, group);
    const std::int64_t wave = index / resident;
    loaded = loaded + A.load(place.row, wave) + B.load(place.column, wave);
  }
  return (loaded * product.K).count("element loads", product);
}

}  // namespace tilewright
