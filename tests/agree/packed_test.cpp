// SPDX-License-Identifier: MIT
//
// The rungs whose first kernel packs the operands: every residue of what is rounded up. The formulas are written here once more,
// apart from the rungs' own.
#include "tests/agree/agreement.h"

namespace tilewright {
namespace {

std::int64_t up(std::int64_t extent, std::int64_t unit) { return (extent + unit - 1) / unit * unit; }

// Of a rung whose blocks share no tile.
PredictedCounts packed_counts(const Rung& rung, Shape shape) {
  const auto [M, N, K] = shape;
  const std::int64_t T = 128, across = up(N, T) / T, down = up(M, T) / T, pitch = up(N, 4);
  const std::int64_t a = up(M, T) * up(K, 64), of_b = N % 4 == 0 ? 0 : 1;
  const std::int64_t k = down * across * up(K, 32);  // of all tiles
  const std::int64_t blocks = grid_of(rung, problem_of(shape, nominal_multiprocessors)).count();
  return {.global_reads = M * K + of_b * K * N + across * up(M, T) * up(K, 32) + down * K * pitch,
          .global_writes = a + of_b * K * pitch + M * N,
          // At its very end a block reads the operands of one k again, for nothing.
          .shared_reads = a + (k + blocks) * rung.block.x * (rung.tile.TM + rung.tile.TN),
          .shared_writes = a + k * 2 * T};
}

class PackedRung : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(, PackedRung, testing::Values("packed", "persistent"),
                         [](const auto& rung) { return rung.param; });

TEST_P(PackedRung, AgreesAtEveryResidue) {
  const Rung& rung = ladder().find(GetParam());
  EmulatorDevice device(ladder());
  for (const Shape shape : {Shape{1, 1, 1}, Shape{127, 129, 31}, Shape{128, 130, 32}, Shape{129, 131, 33},
                            Shape{130, 132, 63}, Shape{3, 257, 64}, Shape{257, 3, 65}, Shape{4, 4, 97},
                            Shape{1153, 133, 5}}) {  // the last: a group of rows of tiles, and another of two
    EXPECT_EQ(text_of(rung.predict(problem_of(shape, nominal_multiprocessors))),
              text_of(packed_counts(rung, shape)));
    for (const char* inputs : {"coded", "uniform"}) {
      const Family& family = find_family(inputs);
      EXPECT_EQ(disagreement(rung, shape, family, run(device, rung, shape, family)), "");
    }
  }
}

// One multiprocessor: two blocks, each with several tiles of one step, two and three.
TEST(Persistent, GoesFromTileToTile) {
  const Rung& rung = ladder().find("persistent");
  EmulatorDevice device(ladder(), {.multiprocessors = 1});
  for (const Shape shape :
       {Shape{140, 300, 20}, Shape{300, 135, 64}, Shape{3, 700, 70}, Shape{1100, 6, 97}}) {
    ASSERT_EQ(grid_of(rung, problem_of(shape, 1)).count(), 2);
    for (const char* inputs : {"coded", "uniform"}) {
      const Family& family = find_family(inputs);
      EXPECT_EQ(disagreement(rung, shape, family, run(device, rung, shape, family), 1), "");
    }
  }
}

TEST(Persistent, HasAsManyBlocksAsRunAtOnceAndNoneWithoutATile) {
  const Rung& rung = ladder().find("persistent");
  const auto blocks = [&](Shape shape, int multiprocessors) {
    return grid_of(rung, problem_of(shape, multiprocessors)).count();
  };
  EXPECT_EQ(blocks({4096, 4096, 64}, 132), 264);
  EXPECT_EQ(blocks({128 * 11, 128 * 23, 64}, 132), 253);
  EXPECT_EQ(blocks({1, 1, 1}, 132), 1);
  EXPECT_EQ(blocks({256, 256, 64}, 0), 4);  // of a GPU that nobody has named
}

}  // namespace
}  // namespace tilewright
