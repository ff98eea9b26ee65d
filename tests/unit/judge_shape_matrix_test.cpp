// SPDX-License-Identifier: MIT
//
// R9's shapes: complete round the tile, unique, and small enough to emulate.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.h"
#include "judge/contract.h"
#include "judge/shape_matrix.h"

namespace tilewright {
namespace {

constexpr Tile tiles[] = {{32, 8, 1}, {8, 32, 1}, {8, 8, 8}, {16, 16, 16}, {32, 32, 32}};

bool holds(const std::vector<Shape>& shapes, Shape shape) {
  return std::binary_search(shapes.begin(), shapes.end(), shape);
}

TEST(JudgeShapeMatrix, SortedUniqueInContractAndSmall) {
  for (const Tile tile : tiles) {
    const std::vector<Shape> shapes = shape_matrix(tile);
    EXPECT_GE(shapes.size(), 60U);
    EXPECT_LE(shapes.size(), 150U);
    EXPECT_TRUE(std::is_sorted(shapes.begin(), shapes.end()));
    EXPECT_EQ(std::adjacent_find(shapes.begin(), shapes.end()), shapes.end());
    std::int64_t padded = 0;
    for (const Shape shape : shapes) {
      EXPECT_NO_THROW(require_exercise_shape(shape));
      padded += ceil_div(shape.M, tile.BM) * tile.BM * ceil_div(shape.N, tile.BN) * tile.BN *
                ceil_div(shape.K, tile.BK) * tile.BK;
    }
    EXPECT_LE(padded, 12'000'000);
  }
}

TEST(JudgeShapeMatrix, EveryBoundaryOfEveryDimension) {
  for (const Tile tile : tiles) {
    const std::vector<Shape> shapes = shape_matrix(tile);
    const auto has_extent = [&](std::int64_t Shape::*dimension, std::int64_t extent) {
      return extent < 1 || std::any_of(shapes.begin(), shapes.end(),
                                       [&](Shape shape) { return shape.*dimension == extent; });
    };
    for (const int multiple : {1, 2})
      for (const int offset : {-1, 0, 1}) {
        EXPECT_TRUE(has_extent(&Shape::M, multiple * tile.BM + offset));
        EXPECT_TRUE(has_extent(&Shape::N, multiple * tile.BN + offset));
        EXPECT_TRUE(has_extent(&Shape::K, multiple * tile.BK + offset));
      }
    for (const std::int64_t K : {1, 2, 23, 79, 257}) EXPECT_TRUE(has_extent(&Shape::K, K));
    for (auto dimension : {&Shape::M, &Shape::N, &Shape::K}) EXPECT_TRUE(has_extent(dimension, 1));
    EXPECT_TRUE(holds(shapes, {17, 19, 23}));
    EXPECT_TRUE(holds(shapes, {1, 1, 1}));
  }
}

TEST(JudgeShapeMatrix, RefusesBadTiles) {
  EXPECT_THROW(shape_matrix({0, 8, 8}), Error);
  EXPECT_THROW(shape_matrix({8, 8, 4096}), Error);
}

}  // namespace
}  // namespace tilewright
