// SPDX-License-Identifier: MIT
//
// The closed forms of traffic: the published check values, ragged edges, refusals.
#include <gtest/gtest.h>

#include "model/traffic.h"
#include "tests/unit/error_of.h"

namespace tilewright {
namespace {

TEST(ModelTraffic, NaiveOfA4096Square) {
  const Traffic traffic = matmul_traffic({4096, 4096, 4096}, {32, 32});
  EXPECT_EQ(traffic.naive * 4, 549'755'813'888);  // about 550 GB of loads
  EXPECT_EQ(traffic.minimum * 4, 134'217'728);    // for 134 MB of inputs
  EXPECT_EQ(traffic.tiled * 32, traffic.naive);   // 2MNK/b where b divides
}

TEST(ModelTraffic, RaggedEdgesAreExact) {
  const Traffic traffic = matmul_traffic({17, 19, 23}, {16, 16});
  EXPECT_EQ(traffic.naive, 14'858);
  EXPECT_EQ(traffic.tiled, 1'656);  // what the emulator counts on shared_tile_16
  EXPECT_EQ(traffic.minimum, 828);
  EXPECT_EQ(traffic.minimum_with_output, 828 + 323);
  EXPECT_EQ(matmul_traffic({17, 19, 23}, {1, 1}).tiled, traffic.naive);
  EXPECT_EQ(matmul_traffic({17, 19, 23}, {1000, 1000}).tiled, traffic.minimum);
}

// A is read once for each column of tiles, so it is BN that divides it.
TEST(ModelTraffic, RectangularTilesKnowTheirSides) {
  EXPECT_EQ(matmul_traffic({64, 256, 8}, {64, 32}).tiled, 64 * 8 * 8 + 8 * 256 * 1);
  EXPECT_EQ(matmul_traffic({64, 256, 8}, {32, 64}).tiled, 64 * 8 * 4 + 8 * 256 * 2);
}

TEST(ModelTraffic, BlockIntensityOf16BitOperands) {
  EXPECT_DOUBLE_EQ(block_intensity({128, 128}, 2), 64.0);
  EXPECT_NEAR(block_intensity({128, 256}, 2), 85.33, 0.01);
  EXPECT_DOUBLE_EQ(block_intensity({16, 16}, 4), 4.0);  // T/4
  EXPECT_EQ(tile_shared_bytes({128, 256}, 64, 2), 49'152);
  EXPECT_EQ(tile_shared_bytes({16, 16}, 16, 4), 8 * 16 * 16);
}

TEST(ModelTraffic, SharedReadsOfRegisterTiles) {
  EXPECT_DOUBLE_EQ(shared_reads_per_multiply_add({8, 8}), 0.25);
  EXPECT_DOUBLE_EQ(shared_reads_per_multiply_add({1, 1}), 2.0);
  EXPECT_DOUBLE_EQ(shared_reads_per_multiply_add({4, 8}), 0.375);
}

TEST(ModelTraffic, TwoLevelsAt80Cubed) {
  const TwoLevelCounts counts = two_level_counts({80, 80, 80}, 32, 8);
  EXPECT_EQ(counts.global_reads, 38'400);   // 2 · 80 · 80 · ⌈80/32⌉
  EXPECT_EQ(counts.shared_reads, 128'000);  // 2 · 80³/8
}

TEST(ModelTraffic, TiledCountsWithAndWithoutPadding) {
  EXPECT_EQ(tiled_counts({17, 19, 23}, 16).global_reads, 1'656);
  EXPECT_EQ(tiled_counts({17, 19, 23}, 16).shared_reads, 14'858);
  EXPECT_EQ(tiled_counts({17, 19, 23}, 16).padded_shared_reads, 65'536);  // the emulator's count
  EXPECT_EQ(tiled_counts({80, 80, 80}, 16).global_reads, 64'000);
  EXPECT_EQ(tiled_counts({80, 80, 80}, 16).shared_reads, 1'024'000);
  EXPECT_EQ(tiled_counts({80, 80, 80}, 16).padded_shared_reads, 1'024'000);
}

TEST(ModelTraffic, RefusesNonsenseAndOverflow) {
  expect_error(
      [] {
        matmul_traffic({3'000'000, 3'000'000, 3'000'000}, {16, 16});
      },
      Code::bad_input, {"MxNxK '3000000x3000000x3000000'", "2MNK element loads do not fit in 64 bits"});
  expect_error([] { matmul_traffic({1, 0, 1}, {16, 16}); }, Code::bad_input, {"N '0'"});
  expect_error([] { matmul_traffic({1, 1, 1}, {0, 16}); }, Code::bad_input, {"tile '0x16'"});
  expect_error([] { tiled_counts({8, 8, 8}, -1); }, Code::bad_input, {"b '-1'"});
  expect_error([] { tiled_counts({8, 8, 8}, 2'100'000); }, Code::bad_input, {"padded shared reads"});
  expect_error([] { two_level_counts({8, 8, 8}, 32, 7); }, Code::bad_input, {"t '7'", "divide", "32"});
  expect_error([] { two_level_counts({8, 8, 8}, 32, 64); }, Code::bad_input, {"t '64'", "divide"});
  expect_error([] { block_intensity({8, 8}, 0); }, Code::bad_input, {"element bytes '0'"});
  expect_error([] { tile_shared_bytes({8, 8}, 0, 4); }, Code::bad_input, {"BK '0'"});
  expect_error([] { shared_reads_per_multiply_add({0, 8}); }, Code::bad_input, {"register tile '0x8'"});
}

}  // namespace
}  // namespace tilewright
