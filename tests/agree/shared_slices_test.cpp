// SPDX-License-Identifier: MIT
//
// The sizes of shared_slices over what is left of K in a tile's first step, over how steps and tiles may fall to blocks, and
// at the edges with rows of B that are aligned and such that are not: counts as predicted, values bit for bit on integers.
#include "tests/agree/agreement.h"

namespace tilewright {
namespace {

class SharedSlices : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(, SharedSlices,
                         testing::Values("shared_slices_256x128", "shared_slices_128x128",
                                         "shared_slices_64x128", "shared_slices_64x64",
                                         "shared_slices_32x64"),
                         [](const auto& rung) { return rung.param; });

// Blocks that a multiprocessor has at once.
int blocks_at_once(const Rung& rung) { return std::string_view(rung.name) == "shared_slices_64x64" ? 6 : 1; }

std::int64_t blocks_at(const Rung& rung, Shape shape, int multiprocessors) {
  return grid_of(rung, problem_of(shape, multiprocessors)).count();
}

// By one block that has both steps of its tile, and by one a step, of which only the first lacks some k; rows of B aligned
// in the one where they are not in the other.
TEST_P(SharedSlices, LosesNoKAtAnyResidue) {
  const Rung& rung = ladder().find(GetParam());
  const Family& ones = find_family("ones");
  for (const int multiprocessors : {1, 2}) {
    EmulatorDevice device(ladder(), {.multiprocessors = multiprocessors});
    for (std::int64_t K = rung.tile.BK; K <= 2LL * rung.tile.BK; ++K) {
      const Shape shape{2, (K + multiprocessors) % 2 == 0 ? 4 : 5, K};
      ASSERT_EQ(blocks_at(rung, shape, multiprocessors),
                K <= rung.tile.BK ? 1 : std::min(multiprocessors * blocks_at_once(rung), 2));
      EXPECT_EQ(disagreement(rung, shape, ones, run(device, rung, shape, ones), multiprocessors), "");
    }
  }
}

// Fewer tiles than blocks, as many, a multiple and what is left over; pieces of one step and of more than there are stages.
TEST_P(SharedSlices, AgreesWhereverSharesBeginAndEnd) {
  const Rung& rung = ladder().find(GetParam());
  const std::int64_t BM = rung.tile.BM, BN = rung.tile.BN, BK = rung.tile.BK;
  for (const int multiprocessors : {1, 2, 3}) {
    EmulatorDevice device(ladder(), {.multiprocessors = multiprocessors});
    for (const Shape shape :
         {Shape{3, 5, 11 * BK + 1}, Shape{5, 2 * BN + 5, BK}, Shape{BM + 5, 2 * BN, 3 * BK - 1},
          Shape{2 * BM + 6, 2 * BN + 7, 2 * BK + 5}, Shape{7, 12 * BN + 8, 2 * BK}})
      for (const char* inputs : {"coded", "uniform"}) {
        const Family& family = find_family(inputs);
        EXPECT_EQ(disagreement(rung, shape, family, run(device, rung, shape, family), multiprocessors), "")
            << multiprocessors;
      }
  }
}

// Where C is smaller than a tile, where it ends in one, and at each residue of N that decides how B is copied.
TEST_P(SharedSlices, AgreesAtTheEdges) {
  const Rung& rung = ladder().find(GetParam());
  const std::int64_t BM = rung.tile.BM, BN = rung.tile.BN;
  EmulatorDevice device(ladder(), {.multiprocessors = 2});
  const Family& coded = find_family("coded");
  for (const std::int64_t M : {std::int64_t{1}, BM - 1, BM, BM + 1, BM + 5})
    for (const std::int64_t N :
         {std::int64_t{1}, std::int64_t{4}, BN - 2, BN - 4, BN, BN + 3, BN + 7, BN + 8}) {
      const Shape shape{M, N, 9};
      EXPECT_EQ(disagreement(rung, shape, coded, run(device, rung, shape, coded), 2), "");
    }
}

// A few rows or columns past whole tiles, or both, are no tiles; one more is. Each block has some of them, or more than eight at
// a time, or none.
TEST_P(SharedSlices, HasNoTilesOfAFewRowsOrColumns) {
  const Rung& rung = ladder().find(GetParam());
  const std::int64_t BM = rung.tile.BM, BN = rung.tile.BN;
  EXPECT_EQ(blocks_at(rung, {BM + 4, 3 * BN + 4, 1}, 0), 3);
  EXPECT_EQ(blocks_at(rung, {BM + 5, 3 * BN + 4, 1}, 0), 6);
  EXPECT_EQ(blocks_at(rung, {BM + 4, 3 * BN + 5, 1}, 0), 4);
  EXPECT_EQ(blocks_at(rung, {4, 3, 1}, 0), 1);  // there is no whole tile
  for (const int multiprocessors : {1, 3, 40}) {
    EmulatorDevice device(ladder(), {.multiprocessors = multiprocessors});
    for (const Shape shape : {Shape{BM + 1, BN, 7}, Shape{BM, BN + 1, 70}, Shape{BM + 4, BN + 4, 33},
                              Shape{2 * BM + 3, BN + 2, 130}, Shape{3, 2 * BN + 1, 65}, Shape{BM + 2, 6, 64}})
      for (const char* inputs : {"coded", "uniform"}) {
        const Family& family = find_family(inputs);
        EXPECT_EQ(disagreement(rung, shape, family, run(device, rung, shape, family), multiprocessors), "")
            << multiprocessors;
      }
  }
}

TEST_P(SharedSlices, GivesEveryBlockAStep) {
  const Rung& rung = ladder().find(GetParam());
  EXPECT_EQ(blocks_at(rung, {1, 1, 1}, 132), 1);
  EXPECT_EQ(blocks_at(rung, {1, 1, rung.tile.BK + 1}, 132), 2);
  EXPECT_EQ(blocks_at(rung, {1, 1, 1 << 20}, 132), 132 * blocks_at_once(rung));
  EXPECT_EQ(blocks_at(rung, {1 << 14, 1 << 14, 1}, 132), 132 * blocks_at_once(rung));
  EXPECT_EQ(blocks_at(rung, {4096, 4096, 1}, 0), ceil_div(4096, rung.tile.BM) * ceil_div(4096, rung.tile.BN));
}

TEST_P(SharedSlices, NeedsScratchOnlyWhereTilesAreShared) {
  const Rung& rung = ladder().find(GetParam());
  const std::int64_t BM = rung.tile.BM, BN = rung.tile.BN, part = BM * BN, at_once = blocks_at_once(rung);
  const auto floats = [&](Shape shape, int multiprocessors) {
    return rung.scratch_floats(problem_of(shape, multiprocessors));
  };
  EXPECT_EQ(floats({BM, BN, 1000}, 0), 0);
  EXPECT_EQ(floats({6 * at_once * BM, 2 * BN, 1000}, 4), 0);
  EXPECT_EQ(floats({(4 * at_once + 1) * BM, BN, 1000}, 4), 32 + 8 * at_once * part);
  // Counters fill whole lines of 128 bytes.
  EXPECT_EQ(floats({1, 1, 1 << 20}, 132), ceil_div(132 * at_once, 32) * 32 + 264 * at_once * part);
}

// One tile less than there are places, and a fifth of them: no block has two pieces.
TEST_P(SharedSlices, CutsTilesIntoEqualPartsWhereNearlyAllMultiprocessorsHaveOne) {
  const Rung& rung = ladder().find(GetParam());
  const std::int64_t BM = rung.tile.BM, BN = rung.tile.BN, K = 4096, places = 132 * blocks_at_once(rung);
  EXPECT_EQ(blocks_at(rung, {(places - 1) * BM, BN, K}, 132), places - 1);
  EXPECT_EQ(blocks_at(rung, {BM, places / 5 * BN - 1, K}, 132), places / 5 * 5);
  EXPECT_EQ(blocks_at(rung, {BM, places * 3 / 4 * BN, K}, 132), places);  // a quarter would stay empty
}

// The same operands again, in the same memory: the counters that the first launch left are those of the second. In any order of
// blocks the same bits: the sums are added in the order of K.
TEST_P(SharedSlices, GivesTheSameBitsAtEachLaunchAndInEachOrder) {
  const Rung& rung = ladder().find(GetParam());
  const Operands in = make_inputs(find_family("uniform"), {130, 5, 400}, 1);
  std::vector<float> first;
  for (const Order order : {Order::forward, Order::reversed, Order::shuffled}) {
    EmulatorDevice device(ladder(), {.block_order = order, .multiprocessors = 5});
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

// Two tiles that three blocks share, of whole steps. Where N is odd no bank is asked twice either, but rows of C and of B begin
// within sectors.
TEST_P(SharedSlices, HasNoBankConflictAndNoSectorTooMany) {
  const Rung& rung = ladder().find(GetParam());
  const Family& coded = find_family("coded");
  EmulatorSettings settings;
  settings.see_warps = true;
  settings.multiprocessors = 3;
  EmulatorDevice device(ladder(), settings);
  for (const std::int64_t less : {0, 1}) {
    const Shape shape{rung.tile.BM, 2LL * rung.tile.BN - less, 5LL * rung.tile.BK};
    const Outcome outcome = run(device, rung, shape, coded);
    ASSERT_EQ(disagreement(rung, shape, coded, outcome, 3), "");
    for (const LineCount& line : outcome.product.lines) {
      EXPECT_EQ(line.warps.bank_conflicts, 0) << line.line;
      if (less == 0) {
        EXPECT_EQ(line.warps.sectors, line.warps.ideal_sectors) << line.line;
      }
    }
  }
}

}  // namespace
}  // namespace tilewright
