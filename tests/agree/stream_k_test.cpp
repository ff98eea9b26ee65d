// SPDX-License-Identifier: MIT
//
// stream_k over how the steps of the tiles that are left over may fall to the blocks: counts as predicted, values bit for bit on
// integers, no block without a step, and as many parts as there are when every step is handed out one by one.
#include <map>
#include <set>

#include "tests/agree/agreement.h"

namespace tilewright {
namespace {

std::int64_t blocks_at(const Rung& rung, Shape shape, int multiprocessors) {
  return grid_of(rung, problem_of(shape, multiprocessors)).count();
}

std::int64_t tiles_of(const Rung& rung, Shape shape) {
  return ceil_div(shape.M, rung.tile.BM) * ceil_div(shape.N, rung.tile.BN);
}

// Of the tiles that several blocks share: step by step, each to the block whose share has it.
std::int64_t parts_one_by_one(std::int64_t tiles, std::int64_t steps_of_tile, std::int64_t blocks) {
  const std::int64_t steps = tiles % blocks * steps_of_tile, sharers = std::min(steps, blocks);
  std::map<std::int64_t, std::set<std::int64_t>> of_tile;
  std::int64_t block = 0;
  for (std::int64_t step = 0; step < steps; ++step) {
    while ((block + 1) * steps / sharers <= step) ++block;
    of_tile[step / steps_of_tile].insert(block);
  }
  std::int64_t parts = 0;
  for (const auto& [tile, sharing] : of_tile)
    if (sharing.size() > 1) parts += static_cast<std::int64_t>(sharing.size());
  return parts;
}

class StreamK : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(, StreamK, testing::Values("stream_k_128", "stream_k_64"),
                         [](const auto& rung) { return rung.param; });

TEST_P(StreamK, AgreesWhereverSharesBeginAndEnd) {
  const Rung& rung = ladder().find(GetParam());
  const std::int64_t BM = rung.tile.BM, BN = rung.tile.BN, BK = rung.tile.BK;
  for (const int multiprocessors : {1, 2, 3}) {
    EmulatorDevice device(ladder(), {.multiprocessors = multiprocessors});
    for (const Shape shape :
         {Shape{3, 5, 11 * BK + 1}, Shape{5, 2 * BN + 1, BK}, Shape{BM + 1, 2 * BN, 3 * BK - 1},
          Shape{2 * BM + 2, 2 * BN + 3, 2 * BK + 5}, Shape{7, 12 * BN + 4, 2 * BK}})
      for (const char* inputs : {"ones", "coded", "uniform"}) {
        const Family& family = find_family(inputs);
        EXPECT_EQ(disagreement(rung, shape, family, run(device, rung, shape, family), multiprocessors), "")
            << multiprocessors;
      }
  }
}

TEST_P(StreamK, HasAsManyPartsAsSharesHaveTiles) {
  const Rung& rung = ladder().find(GetParam());
  const std::int64_t area = rung.tile.BM * rung.tile.BN;
  std::set<bool> any;
  for (const int multiprocessors : {1, 7, 132})
    for (const std::int64_t M : {1, 1000, 3333})
      for (const std::int64_t N : {4, 900, 4096})
        for (const std::int64_t K : {1, 64, 100, 5000}) {
          const Shape shape{M, N, K};
          const Problem problem = problem_of(shape, multiprocessors);
          Problem alone = problem;
          alone.multiprocessors = 0;  // a block a tile: nothing is shared
          const std::int64_t written =
              rung.predict(problem).global_writes - rung.predict(alone).global_writes;
          const std::int64_t parts = parts_one_by_one(tiles_of(rung, shape), ceil_div(K, rung.tile.BK),
                                                      blocks_at(rung, shape, multiprocessors));
          EXPECT_EQ(written, parts * (area + 1)) << to_string(shape) << " on " << multiprocessors;
          any.insert(parts > 0);
        }
  EXPECT_EQ(any.size(), 2U) << "both with parts and without";
}

TEST_P(StreamK, GivesEveryBlockAStep) {
  const Rung& rung = ladder().find(GetParam());
  const std::int64_t places = 132 * (GetParam() == "stream_k_128" ? 2 : 4);
  EXPECT_EQ(blocks_at(rung, {1, 1, 1}, 132), 1);
  EXPECT_EQ(blocks_at(rung, {1, 1, rung.tile.BK + 1}, 132), 2);
  EXPECT_EQ(blocks_at(rung, {1, 1, 1 << 20}, 132), places);
  EXPECT_EQ(blocks_at(rung, {4096, 4096, 1}, 132), places);
  EXPECT_EQ(blocks_at(rung, {4096, 4096, 1}, 0), tiles_of(rung, {4096, 4096, 1}));
  EXPECT_EQ(blocks_at(rung, {1 << 20, 4096, 4096}, 5000), 4096) << "a counter for each tile that is shared";
}

// The same operands again, in the same memory: the counters that the first launch left are those of the second.
TEST_P(StreamK, LaunchesAgainOnTheScratchThatItLeft) {
  const Rung& rung = ladder().find(GetParam());
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
