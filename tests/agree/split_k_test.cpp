// SPDX-License-Identifier: MIT
//
// split_k and split_k_atomic over how the steps of K may fall to the splits, and over what is left of K in the last step:
// counts as predicted, values bit for bit on integers, no k lost and none taken twice.
#include <set>

#include "tests/agree/agreement.h"

namespace tilewright {
namespace {

constexpr std::int64_t BK = 8, fewest_steps = 16, blocks_of_a_multiprocessor = 2;

std::int64_t splits_at(const Rung& rung, Shape shape, int multiprocessors) {
  return grid_of(rung, problem_of(shape, multiprocessors)).z;
}

class SplitKRung : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(, SplitKRung, testing::Values("split_k", "split_k_atomic"),
                         [](const auto& rung) { return rung.param; });

TEST_P(SplitKRung, LosesNoKAtAnyResidueAndNumberOfSplits) {
  const Rung& rung = ladder().find(GetParam());
  std::set<std::int64_t> splits;
  std::set<std::pair<std::int64_t, std::int64_t>> longer;  // shares with a step more, of splits
  for (const int multiprocessors : {1, nominal_multiprocessors}) {
    EmulatorDevice device(ladder(), {.multiprocessors = multiprocessors});
    for (const std::int64_t steps : {16, 31, 32, 33, 50, 67}) {
      if (multiprocessors == 1 && steps != 67) continue;  // two splits of many steps
      for (std::int64_t left = 1; left <= BK; ++left) {
        const Shape shape{3, 5, (steps - 1) * BK + left};
        const std::int64_t here = splits_at(rung, shape, multiprocessors);
        splits.insert(here);
        longer.insert({steps % here, here});
        std::vector<const Family*> inputs{&find_family("ones")};
        if (left % 4 == 1) inputs.push_back(&find_family("coded"));
        for (const Family* family : inputs) {
          const Outcome outcome = run(device, rung, shape, *family);
          EXPECT_EQ(disagreement(rung, shape, *family, outcome, multiprocessors), "");
        }
      }
    }
  }
  EXPECT_EQ(splits, (std::set<std::int64_t>{1, 2, 3, 4}));
  EXPECT_EQ(longer.count({2, 3}) + longer.count({3, 4}), 2U) << "shares of two lengths";
}

TEST_P(SplitKRung, AgreesOverSeveralTilesWithSeveralSplits) {
  const Rung& rung = ladder().find(GetParam());
  EmulatorDevice device(ladder());
  for (const Shape shape :
       {Shape{129, 257, 300}, Shape{128, 128, 256}, Shape{131, 3, 513}, Shape{2, 130, 390}}) {
    ASSERT_GT(splits_at(rung, shape, nominal_multiprocessors), 1) << to_string(shape);
    for (const Family* family : integer_families())
      EXPECT_EQ(disagreement(rung, shape, *family, run(device, rung, shape, *family)), "");
    EXPECT_EQ(
        disagreement(rung, shape, find_family("uniform"), run(device, rung, shape, find_family("uniform"))),
        "");
  }
}

TEST_P(SplitKRung, FillsTheMultiprocessorsOnceWithSharesThatAreWorthwhile) {
  const Rung& rung = ladder().find(GetParam());
  const auto splits = [&](Shape shape) { return splits_at(rung, shape, nominal_multiprocessors); };
  EXPECT_EQ(splits({4096, 4096, 4096}), 1);                 // 1024 tiles
  EXPECT_EQ(splits({128 * 12, 128 * 11, 4096}), 2);         // 132 tiles on 264 places
  EXPECT_EQ(splits({128 * 12, 128 * 12, 4096}), 1);         // 144 tiles: two each would be a second wave
  EXPECT_EQ(splits({256, 256, 1 << 20}), 264 / 4);          // as many as there are places
  EXPECT_EQ(splits({256, 256, BK * fewest_steps * 7}), 7);  // no share shorter than is worthwhile
  EXPECT_EQ(splits({256, 256, BK * (fewest_steps * 7 - 1)}), 6);  // a step fewer is not
  EXPECT_EQ(splits({1, 1, 1}), 1);
  for (const std::int64_t K : {1, 127, 128, 255, 256, 4096})
    for (const std::int64_t M : {1, 128, 129, 1000, 4096}) {
      const Grid grid = grid_of(rung, problem_of({M, M, K}, nominal_multiprocessors));
      EXPECT_TRUE(grid.z == 1 || grid.count() <= blocks_of_a_multiprocessor * nominal_multiprocessors);
      EXPECT_TRUE(grid.z == 1 || ceil_div(K, BK) / grid.z >= fewest_steps);
    }
}

// The same operands again, in the same memory: the counters that the first launch left are those of the second.
TEST(SplitK, LaunchesAgainOnTheScratchThatItLeft) {
  const Rung& rung = ladder().find("split_k");
  const Operands in = make_inputs(find_family("uniform"), {130, 5, 400}, 1);
  EmulatorDevice device(ladder());
  const std::unique_ptr<Placement> placement = device.place(in.A, in.B);
  std::vector<float> first;
  for (int launch = 0; launch < 3; ++launch) {
    placement->launch(rung);
    const Product product = placement->collect();
    EXPECT_EQ(product.findings_total, 0) << launch;
    if (launch == 0) first = product.C;
    EXPECT_EQ(product.C, first) << launch;
  }
}

}  // namespace
}  // namespace tilewright
