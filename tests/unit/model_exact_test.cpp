// SPDX-License-Identifier: MIT
//
// Exact integers: what fits is exact up to the last one, and what does not fit is refused by name.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "model/exact.h"
#include "tests/unit/error_of.h"

namespace tilewright {
namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

TEST(ModelExact, TheLargestCountFitsAndTheNextDoesNot) {
  EXPECT_EQ(Exact(largest).count("loads", "x", "1"), largest);
  EXPECT_EQ((Exact(1LL << 31) * (1LL << 31) + Exact((1LL << 62) - 1)).count("loads", "x", "1"), largest);
  expect_error(
      [] {
        (Exact(largest) + 1).count("loads", {2, 3, 4});
      },
      Code::bad_input, {"MxNxK '2x3x4'", "its loads do not fit in 64 bits"});
}

TEST(ModelExact, NothingWrapsRoundAt128Bits) {
  const Exact big = Exact(1LL << 62) * (1LL << 62);  // 2^124
  // 2^124 · 16 = 2^128 would wrap to 0, and 0 fits.
  expect_error([&] { (big * 16).count("loads", "x", "1"); }, Code::bad_input, {"do not fit"});
  expect_error([&] { (big * 8 + big * 8).count("loads", "x", "1"); }, Code::bad_input, {"do not fit"});
  expect_error([&] { (big * 16 + 1).count("loads", "x", "1"); }, Code::bad_input, {"do not fit"});
}

TEST(ModelExact, TilesOverAnExtent) {
  EXPECT_EQ(tiles_over(1, 16), 1);
  EXPECT_EQ(tiles_over(16, 16), 1);
  EXPECT_EQ(tiles_over(17, 16), 2);
  EXPECT_EQ(tiles_over(largest, largest), 1);  // a + b − 1 would overflow
  EXPECT_EQ(tiles_over(largest, 1), largest);
}

TEST(ModelExact, SizesThatAreNoneAreNamed) {
  expect_error([] { require_product({0, 1, 1}); }, Code::bad_input, {"M '0'", "at least 1"});
  expect_error([] { require_product({1, -2, 1}); }, Code::bad_input, {"N '-2'", "at least 1"});
  expect_error([] { require_product({1, 1, 0}); }, Code::bad_input, {"K '0'", "at least 1"});
  expect_error([] { require_tile({16, 0}); }, Code::bad_input, {"tile '16x0'", "at least 1"});
}

}  // namespace
}  // namespace tilewright
