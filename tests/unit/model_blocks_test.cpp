// SPDX-License-Identifier: MIT
//
// Models of blocks and instructions: matrix instructions, waves, splits of the reduction, block orders and
// the paper trace, against cases worked by hand.
#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "model/block_order.h"
#include "model/mma.h"
#include "model/phases.h"
#include "model/splits.h"
#include "model/traffic.h"
#include "model/waves.h"
#include "tests/unit/error_of.h"

namespace tilewright {
namespace {

TEST(ModelMma, SeventeenCostsWhatThirtyTwoDo) {
  EXPECT_EQ(mma_count({17, 8, 16}).instructions, 2);
  EXPECT_EQ(mma_count({32, 8, 16}).instructions, 2);
  EXPECT_DOUBLE_EQ(mma_count({32, 8, 16}).utilization, 1.0);
  EXPECT_DOUBLE_EQ(mma_count({17, 8, 16}).utilization, 17.0 / 32);
  EXPECT_EQ(mma_count({17, 17, 17}).instructions, 2 * 3 * 2);
  EXPECT_DOUBLE_EQ(mma_count({1, 1, 1}).utilization, 1.0 / 2048);
  EXPECT_EQ(mma_count({64, 256, 64}, {64, 256, 16}).instructions, 4);  // wgmma
  expect_error([] { mma_count({1, 1, 1}, {16, 0, 16}); }, Code::bad_input, {"mma n '0'"});
  const std::int64_t huge = std::numeric_limits<std::int64_t>::max();
  expect_error([&] { mma_count({huge, huge, huge}); }, Code::bad_input, {"instructions do not fit"});
}

TEST(ModelWaves, TheTail) {
  const Waves waves = count_waves({4096, 4096, 4096}, {128, 128}, 132);
  EXPECT_EQ(waves.tiles, 1024);
  EXPECT_EQ(waves.waves, 8);
  EXPECT_EQ(waves.last_wave_tiles, 1024 - 7 * 132);
  EXPECT_DOUBLE_EQ(waves.last_wave_efficiency, 100.0 / 132);
  EXPECT_DOUBLE_EQ(waves.efficiency, 1024.0 / 1056);
  EXPECT_DOUBLE_EQ(waves.edge_efficiency, 1.0);
}

TEST(ModelWaves, FullWavesBlocksPerSmAndEdges) {
  EXPECT_EQ(count_waves({12, 11, 1}, {1, 1}, 132).last_wave_tiles, 132);  // a full wave is not an empty tail
  EXPECT_EQ(count_waves({12, 11, 1}, {1, 1}, 132).waves, 1);
  EXPECT_EQ(count_waves({133, 1, 1}, {1, 1}, 132).waves, 2);
  EXPECT_EQ(count_waves({133, 1, 1}, {1, 1}, 132, 2).waves, 1);
  EXPECT_DOUBLE_EQ(count_waves({17, 16, 1}, {16, 16}, 132).edge_efficiency, 17.0 / 32);
  expect_error([] { count_waves({1, 1, 1}, {1, 1}, 0); }, Code::bad_input, {"SMs '0'"});
  expect_error([] { count_waves({1, 1, 1}, {1, 1}, 1, -1); }, Code::bad_input, {"blocks per SM '-1'"});
}

TEST(ModelSplits, SplitK) {
  const SplitK split = split_k({128, 128, 1000}, {128, 128}, 32, 5);  // 32 steps, 7 each: 7 7 7 7 4
  EXPECT_EQ(split.steps, 32);
  EXPECT_EQ(split.steps_per_split, 7);
  EXPECT_EQ(split.splits, 5);
  EXPECT_EQ(split.blocks, 5);
  EXPECT_EQ(split.workspace_elements, 5 * 128 * 128);
  EXPECT_EQ(split_k({128, 128, 96}, {128, 128}, 32, 100).splits, 3);  // empty parts are not parts
  EXPECT_EQ(split_k({256, 128, 96}, {128, 128}, 32, 1).workspace_elements, 0);
  EXPECT_EQ(split_k({256, 128, 96}, {128, 128}, 32, 1).blocks, 2);
  expect_error([] { split_k({8, 8, 8}, {8, 8}, 8, 0); }, Code::bad_input, {"splits '0'"});
}

TEST(ModelSplits, StreamK) {
  // Three tiles of four steps over five workers: runs of 3 3 2 2 2 begin at 0 3 6 8 10.
  const StreamK stream = stream_k({24, 8, 32}, {8, 8}, 8, 5);
  EXPECT_EQ(stream.steps, 12);
  EXPECT_EQ(stream.workers, 5);
  EXPECT_EQ(stream.fewest_steps, 2);
  EXPECT_EQ(stream.most_steps, 3);
  EXPECT_EQ(stream.fix_ups, 3);  // at 3, 6 and 10; 8 begins a tile
  EXPECT_EQ(stream.partial_tiles, 6);
  EXPECT_EQ(stream.shared_tiles, 3);
  EXPECT_EQ(stream_k({24, 8, 32}, {8, 8}, 8, 3).fix_ups, 0);
  EXPECT_EQ(stream_k({24, 8, 32}, {8, 8}, 8, 100).workers, 12);
  EXPECT_EQ(stream_k({24, 8, 32}, {8, 8}, 8, 100).fix_ups, 9);  // each tile is cut three times
  EXPECT_EQ(stream_k({24, 8, 32}, {8, 8}, 8, 100).shared_tiles, 3);
  EXPECT_EQ(stream_k({8, 8, 32}, {8, 8}, 8, 4).shared_tiles, 1);
  expect_error([] { stream_k({8, 8, 8}, {8, 8}, 8, 1'000'001); }, Code::bad_input, {"workers", "1000000"});
}

TEST(ModelBlockOrder, EveryTileOnce) {
  for (std::int64_t rows = 1; rows <= 7; ++rows)
    for (std::int64_t columns = 1; columns <= 5; ++columns)
      for (std::int64_t group = 1; group <= 9; ++group) {
        std::set<std::pair<std::int64_t, std::int64_t>> seen;
        for (std::int64_t i = 0; i < rows * columns; ++i) {
          const TilePlace place = grouped_place(i, rows, columns, group);
          ASSERT_TRUE(place.row >= 0 && place.row < rows && place.column >= 0 && place.column < columns);
          seen.emplace(place.row, place.column);
        }
        EXPECT_EQ(seen.size(), static_cast<std::size_t>(rows * columns));
      }
  EXPECT_EQ(grouped_place(3, 4, 4, 1).column, 3);  // row-major
  EXPECT_EQ(grouped_place(3, 4, 4, 2).row, 1);     // (0,0) (1,0) (0,1) (1,1)
  EXPECT_EQ(grouped_place(3, 4, 4, 2).column, 1);
}

TEST(ModelBlockOrder, ReadsOfAWave) {
  // 9 x 9 tiles, nine at a time: a row needs 1 + 9 strips, a group of three rows 3 + 3.
  const ProductSize product{90, 90, 100};
  EXPECT_EQ(grouped_order_reads(product, {10, 10}, 1, 9), 9 * (1 + 9) * 10 * 100);
  EXPECT_EQ(grouped_order_reads(product, {10, 10}, 3, 9), 9 * (3 + 3) * 10 * 100);
  EXPECT_EQ(grouped_order_reads(product, {10, 10}, 3, 81), 2 * 90 * 100);  // all at once: the minimum
  EXPECT_EQ(grouped_order_reads({17, 19, 23}, {16, 16}, 4, 1), 1'656);     // one at a time: nothing shared
  expect_error(
      [] {
        grouped_order_reads({4000, 4000, 1}, {1, 1}, 1, 1);
      },
      Code::bad_input, {"tiles '16000000'"});
  expect_error([] { grouped_order_reads({4, 4, 1}, {1, 1}, 0, 1); }, Code::bad_input, {"group '0'"});
}

TEST(ModelBlockOrder, HilbertVisitsEachTileOnceAndStepsToANeighbour) {
  for (const std::int64_t side : {1, 2, 4, 8, 16}) {
    const std::vector<TilePlace> places = hilbert_order(side, side);
    std::set<std::pair<std::int64_t, std::int64_t>> seen;
    for (std::size_t i = 0; i < places.size(); ++i) {
      seen.emplace(places[i].row, places[i].column);
      if (i == 0) continue;
      EXPECT_EQ(
          std::abs(places[i].row - places[i - 1].row) + std::abs(places[i].column - places[i - 1].column), 1)
          << side << " " << i;
    }
    EXPECT_EQ(static_cast<std::int64_t>(seen.size()), side * side);
  }
  EXPECT_EQ(hilbert_order(2, 2), (std::vector<TilePlace>{{0, 0}, {0, 1}, {1, 1}, {1, 0}}));
}

TEST(ModelBlockOrder, HilbertOfARectangleHasEveryTileOnce) {
  for (const auto& [rows, columns] : {std::pair{3, 5}, {1, 7}, {9, 2}, {17, 16}}) {
    std::set<std::pair<std::int64_t, std::int64_t>> seen;
    for (const TilePlace place : hilbert_order(rows, columns)) {
      EXPECT_LT(place.row, rows);
      EXPECT_LT(place.column, columns);
      EXPECT_TRUE(seen.emplace(place.row, place.column).second);
    }
    EXPECT_EQ(static_cast<int>(seen.size()), rows * columns);
  }
}

TEST(ModelBlockOrder, HilbertWavesAreSquares) {
  const ProductSize product{80, 80, 100};  // 8 x 8 tiles, waves of 4 x 4
  EXPECT_EQ(order_reads(product, {10, 10}, BlockOrder::hilbert, 1, 16), 4 * (4 + 4) * 10 * 100);
  EXPECT_EQ(order_reads(product, {10, 10}, BlockOrder::row, 5, 16), 4 * (2 + 8) * 10 * 100);
  EXPECT_EQ(order_reads(product, {10, 10}, BlockOrder::grouped, 4, 16), 4 * (4 + 4) * 10 * 100);
}

TEST(ModelPhases, ThePaperTrace) {
  const std::vector<Phase> phases = list_phases({17, 19, 23}, 16);
  ASSERT_EQ(phases.size(), 8U);
  const std::int64_t storing[] = {256, 256, 48, 48, 16, 16, 3, 3};
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(phases[i].block_y, static_cast<std::int64_t>(i / 4));
    EXPECT_EQ(phases[i].block_x, static_cast<std::int64_t>(i / 2 % 2));
    EXPECT_EQ(phases[i].phase, static_cast<std::int64_t>(i % 2));
    EXPECT_EQ(phases[i].valid_k, i % 2 == 0 ? 16 : 7);
    EXPECT_EQ(phases[i].zero_filled_k, i % 2 == 0 ? 0 : 9);
    EXPECT_EQ(phases[i].participating_threads, 256);
    EXPECT_EQ(phases[i].storing_threads, storing[i]);
  }
  EXPECT_EQ(phases[7].loaded_elements, 7 * (1 + 3));
}

TEST(ModelPhases, Refusals) {
  expect_error([] { list_phases({8, 8, 8}, 33); }, Code::bad_input, {"T '33'", "1024 threads"});
  expect_error([] { list_phases({4096, 4096, 4096}, 8); }, Code::bad_input, {"phases", "100000"});
  expect_error([] { list_phases({8, 8, 0}, 8); }, Code::bad_input, {"K '0'"});
}

}  // namespace
}  // namespace tilewright
