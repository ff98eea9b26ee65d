// SPDX-License-Identifier: MIT
//
// tensor_copy over how tiles and steps may fall to its blocks: counts as predicted and values bit for bit on integers, where
// no tile is shared, where all are, where a block has the end of one and the beginning of another, and where there are fewer
// shared steps than blocks.
#include "tests/agree/agreement.h"

namespace tilewright {
namespace {

struct Case {
  int multiprocessors;
  Shape shape;
};

class TensorCopyRung : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(
    , TensorCopyRung,
    testing::Values(Case{1, {1, 1, 1}},           // one block of one step
                    Case{1, {130, 129, 70}},      // 4 tiles, all computed whole
                    Case{1, {129, 17, 100}},      // 2 tiles, one each
                    Case{1, {300, 20, 97}},       // 3 tiles of 4 steps: one is shared, two are whole
                    Case{2, {300, 19, 97}},       // 3 tiles of 4 steps for 4 blocks: shares of 3
                    Case{3, {20, 130, 257}},      // 2 tiles of 9 steps for 6 blocks: shares of 3
                    Case{2, {600, 21, 33}},       // 5 tiles of 2 steps for 4: one is shared by two blocks
                    Case{3, {18, 900, 64}},       // 8 tiles of 2 steps for 6: 4 shared steps
                    Case{4, {131, 260, 190}},     // 6 tiles of 6 steps for 8: shares of 4 and 5
                    Case{132, {128, 128, 1000}},  // 32 steps, a block each
                    Case{132, {2, 3, 9001}}));    // 282 steps for 264 blocks

TEST_P(TensorCopyRung, AgreesHoweverTheStepsAreShared) {
  const auto& [multiprocessors, shape] = GetParam();
  const Rung& rung = ladder().find("tensor_copy");
  EmulatorDevice device(ladder(), {.multiprocessors = multiprocessors});
  for (const char* name : {"coded", "uniform"}) {
    const Family& family = find_family(name);
    EXPECT_EQ(disagreement(rung, shape, family, run(device, rung, shape, family), multiprocessors), "")
        << to_string(shape) << " on " << multiprocessors;
  }
}

TEST(TensorCopy, LeavesItsCountersForTheNextLaunch) {
  constexpr Shape shape{300, 19, 97};
  EmulatorDevice device(ladder(), {.multiprocessors = 2});
  const Operands in = make_inputs(find_family("uniform"), shape, 1);
  const std::unique_ptr<Placement> placement = device.place(in.A, in.B);
  std::vector<float> first;
  for (int launch = 0; launch < 3; ++launch) {
    placement->launch(ladder().find("tensor_copy"));
    const Product product = placement->collect();
    EXPECT_EQ(product.findings_total, 0) << launch;
    if (launch == 0) first = product.C;
    EXPECT_EQ(product.C, first) << launch;
  }
}

}  // namespace
}  // namespace tilewright
