// SPDX-License-Identifier: MIT
//
// Occupancy against cases worked by hand from the Programming Guide's table; the same function was compared
// with the toolkit's cuda_occupancy.h over all registers, warps and a range of shared memory.
#include <gtest/gtest.h>

#include "model/occupancy.h"
#include "tests/unit/error_of.h"

namespace tilewright {
namespace {

using Names = std::vector<std::string>;

Occupancy on(const char* architecture, BlockResources block) {
  return occupancy(find_architecture(architecture), block);
}

TEST(ModelOccupancy, WarpsBind) {
  const Occupancy result = on("sm_90", {32, 256, 2048});
  EXPECT_EQ(result.blocks_per_sm, 8);
  EXPECT_EQ(result.warps_per_sm, 64);
  EXPECT_DOUBLE_EQ(result.occupancy, 1.0);
  EXPECT_EQ(result.limited_by, (Names{"warps", "registers"}));  // 65536/(32·256) is 8 as well
  EXPECT_EQ(on("sm_86", {32, 256, 0}).blocks_per_sm, 6);        // 48 warps
  EXPECT_EQ(on("sm_86", {32, 1024, 0}).warps_per_sm, 32);       // a second block of 32 warps does not fit
}

TEST(ModelOccupancy, RegistersBindInUnitsOf256PerWarp) {
  // 33 · 32 = 1056 → 1280 a warp; a quarter of the registers, 16384, holds 12 such warps: 48 in all.
  const Occupancy result = on("sm_80", {33, 256, 0});
  EXPECT_EQ(result.blocks_by_registers, 6);
  EXPECT_EQ(result.blocks_per_sm, 6);
  EXPECT_EQ(result.limited_by, Names{"registers"});
  // 168 · 32 = 5376 a warp; three in each quarter are 12 warps: three blocks of four.
  EXPECT_EQ(on("sm_90", {168, 128, 0}).blocks_per_sm, 3);
  EXPECT_EQ(on("sm_90", {255, 256, 0}).blocks_per_sm, 1);
  EXPECT_EQ(on("sm_90", {64, 1024, 0}).blocks_per_sm, 1);
}

TEST(ModelOccupancy, SharedMemoryBindsWithOneKibibyteReserved) {
  EXPECT_EQ(on("sm_90", {32, 128, 100 * 1024}).blocks_per_sm, 2);  // 2 · 101 KiB of 228
  EXPECT_EQ(on("sm_90", {32, 128, 113 * 1024}).blocks_per_sm, 2);  // 2 · 114 KiB fill it
  const Occupancy one = on("sm_90", {32, 128, 113 * 1024 + 1});
  EXPECT_EQ(one.blocks_per_sm, 1);
  EXPECT_EQ(one.limited_by, Names{"shared"});
  EXPECT_EQ(on("sm_90", {32, 128, 1}).blocks_by_shared, 202);  // 1025 bytes are 1152, in units of 128
  EXPECT_EQ(on("sm_89", {32, 128, 99 * 1024}).blocks_per_sm, 1);
  EXPECT_EQ(on("sm_80", {32, 128, 163 * 1024}).blocks_per_sm, 1);
  EXPECT_EQ(on("sm_90", {32, 128, 227 * 1024}).blocks_per_sm, 1);
}

TEST(ModelOccupancy, BlocksBind) {
  for (const auto& [name, blocks] : {std::pair{"sm_80", 32}, {"sm_86", 16}, {"sm_89", 24}, {"sm_90", 32}}) {
    const Occupancy result = on(name, {16, 32, 0});
    EXPECT_EQ(result.blocks_per_sm, blocks) << name;
    EXPECT_EQ(result.limited_by, Names{"blocks"}) << name;
  }
  EXPECT_DOUBLE_EQ(on("sm_90", {16, 32, 0}).occupancy, 0.5);
}

TEST(ModelOccupancy, ABlockThatCannotBeLaunchedIsRefused) {
  expect_error([] { on("sm_90", {32, 1025, 0}); }, Code::bad_input, {"threads '1025'", "1024"});
  expect_error([] { on("sm_90", {256, 32, 0}); }, Code::bad_input, {"registers '256'", "255"});
  expect_error(
      [] {
        on("sm_90", {65, 1024, 0});
      },
      Code::bad_input, {"registers '65'", "1024 threads", "65536"});
  expect_error(
      [] {
        on("sm_86", {32, 32, 99 * 1024 + 1});
      },
      Code::bad_input, {"shared bytes '101377'", "sm_86", "101376"});
  expect_error([] { on("sm_86", {32, 32, -1}); }, Code::bad_input, {"shared bytes '-1'"});
  expect_error([] { on("sm_86", {0, 32, 0}); }, Code::bad_input, {"registers '0'"});
  expect_error([] { on("sm_86", {32, 0, 0}); }, Code::bad_input, {"threads '0'"});
}

// 9 warps take the registers of 12: each quarter of the SM must have room for three. 12 · 5632 = 67584.
TEST(ModelOccupancy, WarpsAreSpreadOverTheQuartersOfAnSm) {
  expect_error([] { on("sm_90", {176, 288, 0}); }, Code::bad_input, {"registers '176'", "67584"});
  EXPECT_EQ(on("sm_90", {168, 288, 0}).blocks_per_sm, 1);
}

TEST(ModelOccupancy, AnUnknownArchitectureGetsTheNearest) {
  expect_error([] { find_architecture("sm90"); }, Code::bad_input,
               {"architecture 'sm90'", "did you mean sm_90?", "sm_80, sm_86, sm_89, sm_90"});
}

}  // namespace
}  // namespace tilewright
