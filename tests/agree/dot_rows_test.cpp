// SPDX-License-Identifier: MIT
//
// dot_rows round the batches that a lane loads, with rows of A that are aligned and such that are not, and with more columns than
// a grid has in y.
#include "tests/agree/agreement.h"

namespace tilewright {
namespace {

TEST(DotRows, AgreesRoundItsBatches) {
  const Rung& rung = ladder().find("dot_rows");
  EmulatorDevice device(ladder());
  for (const std::int64_t K : {1, 4, 31, 32, 33, 124, 128, 132, 255, 256, 257, 1020, 1023, 1024, 1028, 2050})
    for (const std::int64_t M : {1, 7, 9})
      for (const std::int64_t N : {1, 2}) {
        const Shape shape{M, N, K};
        for (const char* name : {"ones", "coded", "uniform"}) {
          const Family& family = find_family(name);
          EXPECT_EQ(disagreement(rung, shape, family, run(device, rung, shape, family)), "");
        }
      }
}

TEST(DotRows, HasNoMoreColumnsInItsGridThanAGridHas) {
  const Rung& rung = ladder().find("dot_rows");
  const Shape shape{1, 65538, 2};
  EXPECT_EQ(grid_of(rung, problem_of(shape, nominal_multiprocessors)).y, 65535);
  EXPECT_EQ(grid_of(rung, problem_of({1 << 20, 1, 2}, nominal_multiprocessors)).x, (1 << 20) / 8);
  EmulatorDevice device(ladder());
  const Family& coded = find_family("coded");
  EXPECT_EQ(disagreement(rung, shape, coded, run(device, rung, shape, coded)), "");
}

}  // namespace
}  // namespace tilewright
