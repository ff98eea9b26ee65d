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

// A square of the curve's grid: its corner, and the two edges along which the curve begins and ends.
struct CurveSquare {
  std::int64_t row, column, side;
  bool along_rows, reversed;  // the first step goes down a column of tiles; from the far corner
};

// The tiles of the square that exist, in the curve's order: a square is four of half the side, of which the first is
// turned one way, the last the other way.
void walk(CurveSquare square, std::int64_t rows, std::int64_t columns, std::vector<TilePlace>& places) {
  if (square.row >= rows || square.column >= columns) return;
  if (square.side == 1) {
    places.push_back({square.row, square.column});
    return;
  }
  const std::int64_t half = square.side / 2;
  const std::int64_t near = square.reversed ? half : 0, far = half - near;
  const bool turned = !square.along_rows;
  const auto quarter = [&](std::int64_t along, std::int64_t across, bool along_rows, bool reversed) {
    const std::int64_t down = square.along_rows ? along : across, right = square.along_rows ? across : along;
    walk({square.row + down, square.column + right, half, along_rows, reversed}, rows, columns, places);
  };
  quarter(near, near, turned, square.reversed);
  quarter(far, near, square.along_rows, square.reversed);
  quarter(far, far, square.along_rows, square.reversed);
  quarter(near, far, turned, !square.reversed);
}

// The place of each block in turn, given to `use`.
template <class Use>
void for_each_place(BlockOrder order, std::int64_t rows, std::int64_t columns, std::int64_t group, Use use) {
  if (order == BlockOrder::hilbert) {
    for (const TilePlace place : hilbert_order(rows, columns)) use(place);
    return;
  }
  const std::int64_t height = order == BlockOrder::row ? 1 : group;
  for (std::int64_t index = 0; index < rows * columns; ++index)
    use(grouped_place(index, rows, columns, height));
}

}  // namespace

std::vector<TilePlace> hilbert_order(std::int64_t tile_rows, std::int64_t tile_columns) {
  std::int64_t side = 1;
  while (side < std::max(tile_rows, tile_columns)) side *= 2;
  std::vector<TilePlace> places;
  places.reserve(static_cast<std::size_t>(tile_rows * tile_columns));
  walk({.row = 0, .column = 0, .side = side, .along_rows = false, .reversed = false}, tile_rows, tile_columns,
       places);
  return places;
}

TilePlace grouped_place(std::int64_t index, std::int64_t tile_rows, std::int64_t tile_columns,
                        std::int64_t group) {
  const std::int64_t height_wanted = std::min(group, tile_rows);
  const std::int64_t first_row = index / (height_wanted * tile_columns) * height_wanted;
  const std::int64_t height = std::min(height_wanted, tile_rows - first_row);
  const std::int64_t within = index - first_row * tile_columns;
  return {first_row + within % height, within / height};
}

std::int64_t order_reads(ProductSize product, OutputTile tile, BlockOrder order, std::int64_t group,
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
  std::int64_t index = 0;
  for_each_place(order, rows, columns, group, [&](TilePlace place) {
    const std::int64_t wave = index++ / resident;
    loaded = loaded + A.load(place.row, wave) + B.load(place.column, wave);
  });
  return (loaded * product.K).count("element loads", product);
}

std::int64_t grouped_order_reads(ProductSize product, OutputTile tile, std::int64_t group,
                                 std::int64_t resident) {
  return order_reads(product, tile, BlockOrder::grouped, group, resident);
}

}  // namespace tilewright
