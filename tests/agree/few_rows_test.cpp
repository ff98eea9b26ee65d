// SPDX-License-Identifier: MIT
//
// few_rows_16 and few_rows_1 over numbers of splits, what is left of K in a chunk, and the right edge of C with rows of B that are
// aligned and such that are not: counts as predicted, values bit for bit on integers.
#include <set>

#include "tests/agree/agreement.h"

namespace tilewright {
namespace {

constexpr std::int64_t BK = 128, BN = 128;

class FewRows : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(, FewRows, testing::Values("few_rows_16", "few_rows_1"),
                         [](const auto& rung) { return rung.param; });

std::int64_t splits_at(const Rung& rung, Shape shape, int multiprocessors) {
  return grid_of(rung, problem_of(shape, multiprocessors)).z;
}

TEST_P(FewRows, LosesNoKAtAnyResidueAndNumberOfSplits) {
  const Rung& rung = ladder().find(GetParam());
  std::set<std::int64_t> splits;
  for (const int multiprocessors : {0, 1, nominal_multiprocessors}) {
    EmulatorDevice device(ladder(), {.multiprocessors = multiprocessors});
    for (const std::int64_t chunks : {1, 3, 5})
      for (const std::int64_t left : {1, 2, 3, 4, 5, 15, 16, 17, 127, 128}) {
        const Shape shape{1, 4, (chunks - 1) * BK + left};
        splits.insert(splits_at(rung, shape, multiprocessors));
        const Family& ones = find_family("ones");
        EXPECT_EQ(disagreement(rung, shape, ones, run(device, rung, shape, ones), multiprocessors), "");
      }
  }
  EXPECT_EQ(splits, (std::set<std::int64_t>{1, 2, 3, 5}));
}

TEST_P(FewRows, AgreesAtTheRightEdge) {
  const Rung& rung = ladder().find(GetParam());
  EmulatorDevice device(ladder());
  for (const std::int64_t N : {1, 2, 3, 4, 8, 124, 125, 126, 127, 128, 129, 132, 256})
    for (const std::int64_t K : {37, 300}) {
      const Shape shape{std::int64_t{rung.tile.BM} + 1, N, K};
      for (const char* name : {"coded", "uniform"}) {
        const Family& family = find_family(name);
        EXPECT_EQ(disagreement(rung, shape, family, run(device, rung, shape, family)), "");
      }
    }
}

TEST_P(FewRows, FillsTheMultiprocessorsOnce) {
  const Rung& rung = ladder().find(GetParam());
  const auto splits = [&](Shape shape) { return splits_at(rung, shape, nominal_multiprocessors); };
  EXPECT_EQ(splits({1, BN * 32, 4096}), 264 / 32);
  EXPECT_EQ(splits({1, BN * 300, 4096}), 1);
  EXPECT_EQ(splits({1, 1, BK * 300}), 264);
  EXPECT_EQ(splits({1, 1, BK * 7}), 7);  // a chunk each
  EXPECT_EQ(splits({2LL * rung.tile.BM, BN * 8, 4096}), 264 / 16);
}

// The same operands again, in the same memory, in each order of blocks: the same bits.
TEST_P(FewRows, GivesTheSameBitsAtEachLaunchAndInEachOrder) {
  const Rung& rung = ladder().find(GetParam());
  const Operands in = make_inputs(find_family("uniform"), {3, 130, 700}, 1);
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

TEST_P(FewRows, HasNoBankConflictAndNoSectorTooMany) {
  const Rung& rung = ladder().find(GetParam());
  const Shape shape{rung.tile.BM, 2 * BN, 2 * BK};
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
