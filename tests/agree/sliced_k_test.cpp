// SPDX-License-Identifier: MIT
//
// sliced_k over numbers of splits that make no group, one and several, the last one short: counts as predicted, values bit for
// bit on integers, no k lost and none taken twice.
#include <set>

#include "tests/agree/agreement.h"

namespace tilewright {
namespace {

constexpr std::int64_t BK = 64, fewest_steps = 4, fan = 16, blocks_of_a_multiprocessor = 2;

std::int64_t splits_at(const Rung& rung, Shape shape, int multiprocessors) {
  return grid_of(rung, problem_of(shape, multiprocessors)).z;
}

TEST(SlicedK, AgreesWithOneGroupAndWithSeveral) {
  const Rung& rung = ladder().find("sliced_k");
  EmulatorDevice device(ladder());
  std::set<std::int64_t> splits;
  for (const Shape shape : {Shape{3, 5, 4 * BK * 2 - 64}, Shape{3, 5, 4 * BK * 2},
                            Shape{33, 5, 4 * BK * 3 + 1}, Shape{2, 66, 4 * BK * 16}, Shape{2, 6, 4 * BK * 17},
                            Shape{33, 34, 4 * BK * 17 + 70}, Shape{1, 1, 4 * BK * 35 + 3}}) {
    splits.insert(splits_at(rung, shape, nominal_multiprocessors));
    for (const char* name : {"ones", "coded", "uniform"}) {
      const Family& family = find_family(name);
      EXPECT_EQ(disagreement(rung, shape, family, run(device, rung, shape, family)), "");
    }
  }
  EXPECT_EQ(splits, (std::set<std::int64_t>{1, 2, 3, fan, fan + 1, 2 * fan + 3}));
}

TEST(SlicedK, LosesNoKWhereStepsDoNotDivide) {
  const Rung& rung = ladder().find("sliced_k");
  EmulatorDevice device(ladder(), {.multiprocessors = 3});
  for (std::int64_t steps = 24; steps < 31; ++steps)
    for (const std::int64_t left : {1, 8, 9, 63, 64}) {
      const Shape shape{3, 5, (steps - 1) * BK + left};
      ASSERT_GT(splits_at(rung, shape, 3), 5);
      const Family& ones = find_family("ones");
      EXPECT_EQ(disagreement(rung, shape, ones, run(device, rung, shape, ones), 3), "");
    }
}

TEST(SlicedK, FillsTheMultiprocessorsOnceWithSplitsThatAreWorthwhile) {
  const Rung& rung = ladder().find("sliced_k");
  const auto splits = [&](Shape shape) { return splits_at(rung, shape, nominal_multiprocessors); };
  EXPECT_EQ(splits({128, 128, 128}), 1);
  EXPECT_EQ(splits({256, 256, 256}), 1);
  EXPECT_EQ(splits({512, 512, 512}), 1);
  EXPECT_EQ(splits({128, 128, 16384}), 16);
  EXPECT_EQ(splits({256, 256, 8192}), 4);
  EXPECT_EQ(splits({64, 64, 65536}), 66);
  EXPECT_EQ(splits({32, 32, 262144}), 264);
  EXPECT_EQ(splits({32, 32, BK * fewest_steps * 7}), 7);  // no split shorter than is worthwhile
  EXPECT_EQ(splits({32, 32, BK * (fewest_steps * 7 - 1)}), 6);
  EXPECT_EQ(splits_at(rung, {32, 32, 262144}, 0), 1);  // of a GPU that is not known
  for (const std::int64_t K : {1, 255, 256, 4096})
    for (const std::int64_t M : {1, 32, 33, 300, 4096}) {
      const Grid grid = grid_of(rung, problem_of({M, M, K}, nominal_multiprocessors));
      EXPECT_TRUE(grid.z == 1 || grid.count() <= blocks_of_a_multiprocessor * nominal_multiprocessors);
      EXPECT_TRUE(grid.z == 1 || ceil_div(K, BK) / grid.z >= fewest_steps);
    }
}

// The same operands again, in the same memory: the counters that the first launch left are those of the second. In any order of
// blocks the same bits: the sums are added in the order of K.
TEST(SlicedK, GivesTheSameBitsAtEachLaunchAndInEachOrder) {
  const Rung& rung = ladder().find("sliced_k");
  const Operands in = make_inputs(find_family("uniform"), {34, 5, 4 * BK * 18}, 1);
  std::vector<float> first;
  for (const Order order : {Order::forward, Order::reversed, Order::shuffled}) {
    EmulatorDevice device(ladder(), {.block_order = order});
    const std::unique_ptr<Placement> placement = device.place(in.A, in.B);
    for (int launch = 0; launch < 2; ++launch) {
      placement->launch(rung);
      const Product product = placement->collect();
      EXPECT_EQ(product.findings_total, 0);
      if (first.empty()) first = product.C;
      EXPECT_EQ(product.C, first);
    }
  }
}

TEST(SlicedK, HasNoBankConflictAndNoSectorTooMany) {
  const Rung& rung = ladder().find("sliced_k");
  const Shape shape{32, 64, 4 * BK * 17};  // two tiles, two groups
  EmulatorSettings settings;
  settings.see_warps = true;
  EmulatorDevice device(ladder(), settings);
  const Family& coded = find_family("coded");
  const Outcome outcome = run(device, rung, shape, coded);
  ASSERT_EQ(disagreement(rung, shape, coded, outcome), "");
  for (const LineCount& line : outcome.product.lines) {
    EXPECT_EQ(line.warps.bank_conflicts, 0) << line.line;
    EXPECT_EQ(line.warps.sectors, line.warps.ideal_sectors) << line.line;
  }
}

}  // namespace
}  // namespace tilewright
