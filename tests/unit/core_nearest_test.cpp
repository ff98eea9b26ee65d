// SPDX-License-Identifier: MIT
//
// core/nearest.h: "did you mean" is the name that takes the fewest edits.
#include <gtest/gtest.h>

#include "core/nearest.h"

namespace tilewright {
namespace {

TEST(CoreNearest, CountsInsertionsDeletionsAndReplacements) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("abc", "abc"), 0U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("abc", ""), 3U);
  EXPECT_EQ(edit_distance("drect", "direct"), 1U);
  EXPECT_EQ(edit_distance("direect", "direct"), 1U);
  EXPECT_EQ(edit_distance("dyrect", "direct"), 1U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("sitting", "kitten"), 3U);
}

TEST(CoreNearest, PicksTheClosestName) {
  const std::vector<std::string> known{"direct", "direct_rows", "shared_tile_8", "shared_tile_16"};
  EXPECT_EQ(nearest("drect", known), "direct");
  EXPECT_EQ(nearest("direct_row", known), "direct_rows");
  EXPECT_EQ(nearest("shared_tile16", known), "shared_tile_16");
  EXPECT_EQ(nearest("sharedtile_8", known), "shared_tile_8");
  EXPECT_EQ(nearest("direct", known), "direct");
}

TEST(CoreNearest, TheFirstOfEquals) { EXPECT_EQ(nearest("ac", {"ab", "ad"}), "ab"); }

TEST(CoreNearest, NothingIsNearestWhenNothingIsKnown) { EXPECT_EQ(nearest("direct", {}), ""); }

}  // namespace
}  // namespace tilewright
