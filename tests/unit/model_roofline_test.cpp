// SPDX-License-Identifier: MIT
//
// The roofline reader's published check values, its general form, and the lower bounds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/bound.h"
#include "model/roofline.h"
#include "model/traffic.h"
#include "tests/unit/error_of.h"

namespace tilewright {
namespace {

TEST(ModelRoofline, TheSixCheckValues) {
  const Roofline result = roofline({1024, 1024, 1024}, 16, {1000.0, 60.0});
  EXPECT_NEAR(result.intensity, 3.969, 0.0005);
  EXPECT_EQ(result.traffic_bytes, 541'065'216.0);  // 0.541 GB
  EXPECT_EQ(result.shared_bytes, 2048);            // 2.000 KiB
  EXPECT_NEAR(result.memory_ms, 0.5411, 0.00005);
  EXPECT_NEAR(result.compute_ms, 0.0358, 0.00005);
  EXPECT_NEAR(result.bound_ms, 0.5411, 0.00005);
  EXPECT_TRUE(result.memory_bound);
  EXPECT_DOUBLE_EQ(result.ridge, 60.0);
  EXPECT_NEAR(result.attainable_tflop_per_s, 3.969, 0.0005);  // intensity · 1 TB/s
}

TEST(ModelRoofline, OneIsTheDirectLoad) {
  const Roofline result = roofline({100, 100, 100}, 1, {1000.0, 60.0});
  EXPECT_EQ(result.traffic_bytes, 4.0 * (2.0 * 1e6 + 1e4));
  EXPECT_EQ(result.shared_bytes, 0);
}

TEST(ModelRoofline, AnyShapeAndElementSize) {
  const Roofline result = roofline({128, 256, 512}, 128, {3350.0, 989.0}, 2);
  EXPECT_EQ(result.flop, 33'554'432);
  EXPECT_EQ(result.traffic_bytes, 2.0 * (33'554'432.0 / 128 + 128.0 * 256));
  EXPECT_EQ(result.shared_bytes, 2 * 2 * 128 * 128);
  EXPECT_NEAR(result.ridge, 295.2, 0.05);  // H100, bf16
}

TEST(ModelRoofline, TheSlowerTermBindsAlone) {
  const Roofline compute = roofline({1024, 1024, 1024}, 32, {1e6, 1.0});
  EXPECT_FALSE(compute.memory_bound);
  EXPECT_EQ(compute.bound_ms, compute.compute_ms);
  EXPECT_DOUBLE_EQ(compute.compute_ms, 2.147483648);
  EXPECT_DOUBLE_EQ(compute.attainable_tflop_per_s, 1.0);
}

TEST(ModelRoofline, Refusals) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  for (const double bad : {0.0, -1.0, inf, -inf, nan}) {
    expect_error([&] { roofline({8, 8, 8}, 8, {bad, 60.0}); }, Code::bad_input, {"bandwidth", "finite"});
    expect_error([&] { roofline({8, 8, 8}, 8, {1000.0, bad}); }, Code::bad_input, {"compute", "finite"});
  }
  expect_error([&] { roofline({8, 8, 8}, 8, {1e-308, 60.0}); }, Code::bad_input, {"beyond a float64"});
  expect_error([&] { roofline({8, 8, 8}, 0, {1000.0, 60.0}); }, Code::bad_input, {"tile T '0'"});
  expect_error([&] { roofline({8, 8, 8}, 8, {1000.0, 60.0}, 0); }, Code::bad_input, {"element bytes '0'"});
  expect_error(
      [&] {
        roofline({1 << 21, 1 << 21, 1 << 21}, 8, {1000.0, 60.0});
      },
      Code::bad_input, {"2MNK FLOP do not fit in 64 bits"});
}

TEST(ModelRoofline, StatesThatNoFmaKernelGetsATensorCeiling) {
  const auto stated = [](std::string_view line) {
    return line.find("never given a tensor-core") != line.npos;
  };
  EXPECT_TRUE(std::any_of(std::begin(roofline_assumptions), std::end(roofline_assumptions), stated));
}

TEST(ModelBound, ClosedForms) {
  const Bound bound = traffic_bound({4096, 4096, 4096}, 49'152);
  const double cube = std::pow(4096.0, 3), root = std::sqrt(49'152.0);
  EXPECT_NEAR(bound.lower_bound, cube / (2 * std::sqrt(2.0) * root) - 49'152, 1);
  EXPECT_NEAR(bound.tiling, 2 * std::sqrt(3.0) * cube / root, 1);
  EXPECT_EQ(bound.minimum, 33'554'432);
  EXPECT_EQ(bound.tile_side, 128);  // √(49152/3), and then the exact loads are the formula's
  EXPECT_NEAR(bound.tiling, static_cast<double>(bound.tiled), 1);
  EXPECT_EQ(bound.at_least, bound.lower_bound);
  EXPECT_NEAR(bound.tiling / (bound.lower_bound + 49'152), 4 * std::sqrt(6.0), 1e-6);
}

TEST(ModelBound, TheSideOfThreeTilesIsExact) {
  for (std::int64_t side : {1LL, 2LL, 100LL, 46'341LL, 1'700'000'000LL}) {
    EXPECT_EQ(traffic_bound({8, 8, 8}, 3 * side * side).tile_side, side);
    EXPECT_EQ(traffic_bound({8, 8, 8}, 3 * side * side + 1).tile_side, side);
    if (side > 1) {
      EXPECT_EQ(traffic_bound({8, 8, 8}, 3 * side * side - 1).tile_side, side - 1);
    }
  }
}

TEST(ModelBound, NoTilingBeatsIt) {
  for (const ProductSize product :
       {ProductSize{17, 19, 23}, {512, 512, 512}, {4096, 1, 4096}, {1000, 2000, 3000}})
    for (std::int64_t S = 3; S < 100'000; S = S * 3 / 2 + 1) {
      const Bound bound = traffic_bound(product, S);
      EXPECT_LE(bound.at_least, static_cast<double>(bound.tiled)) << text_of(product) << " S " << S;
    }
}

TEST(ModelBound, AVacuousBoundLeavesTheMinimum) {
  const Bound bound = traffic_bound({8, 8, 8}, 1000);
  EXPECT_LT(bound.lower_bound, 0.0);
  EXPECT_EQ(bound.at_least, 128.0);
}

TEST(ModelBound, RefusesLessThanThreeElements) {
  for (const std::int64_t S : {2LL, 0LL, -5LL})
    expect_error(
        [&] {
          traffic_bound({8, 8, 8}, S);
        },
        Code::bad_input, {"S '" + std::to_string(S) + "'", "at least 3"});
  EXPECT_EQ(traffic_bound({8, 8, 8}, 3).tile_side, 1);
}

}  // namespace
}  // namespace tilewright
