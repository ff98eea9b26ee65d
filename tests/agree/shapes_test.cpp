// SPDX-License-Identifier: MIT
//
// Every rung over its shape matrix, every shape there is up to 17 x 17 x 17 for the 8 x 8 tile, and the
// shapes round one and two tiles for the others: what is counted is what is predicted, and the values are
// right, bit for bit on integers.
#include <algorithm>
#include <set>

#include "judge/shape_matrix.h"
#include "tests/agree/agreement.h"

namespace tilewright {
namespace {

// Runs them all; the first few disagreements in full and the number of them, so that a broken rung does not
// print thousands. Returns how many launches there were.
std::int64_t expect_agreement(const Rung& rung, const std::vector<Shape>& shapes,
                              const std::vector<const Family*>& inputs) {
  constexpr int most_shown = 5;
  EmulatorDevice device(ladder());
  std::int64_t launches = 0, disagreements = 0;
  for (const Shape& shape : shapes)
    for (const Family* family : inputs) {
      ++launches;
      const std::string text = disagreement(rung, shape, *family, run(device, rung, shape, *family));
      if (!text.empty() && ++disagreements <= most_shown) ADD_FAILURE() << text;
    }
  EXPECT_EQ(disagreements, 0) << "of " << launches << " launches";
  testing::Test::RecordProperty("launches", std::to_string(launches));
  return launches;
}

class EveryRung : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(, EveryRung, testing::ValuesIn(rung_names()),
                         [](const auto& rung) { return rung.param; });

TEST_P(EveryRung, AgreesOverItsShapeMatrix) {
  const Rung& rung = ladder().find(GetParam());
  std::vector<const Family*> inputs = integer_families();
  EXPECT_EQ(inputs.size(), 5U);
  inputs.push_back(&find_family("uniform"));
  const std::vector<Shape> shapes = shape_matrix(rung.tile);
  EXPECT_GT(shapes.size(), 50U);
  EXPECT_EQ(expect_agreement(rung, shapes, inputs), static_cast<std::int64_t>(shapes.size() * 6));
}

// k·T − 1, k·T and k·T + 1 for k = 1, 2.
std::vector<std::int64_t> round_tiles(std::int64_t tile) {
  std::set<std::int64_t> extents;
  for (const std::int64_t multiple : {tile, 2 * tile})
    for (const std::int64_t off : {-1, 0, 1})
      if (multiple + off >= 1) extents.insert(multiple + off);
  return {extents.begin(), extents.end()};
}

TEST_P(EveryRung, AgreesRoundOneAndTwoTilesInEveryDimension) {
  const Rung& rung = ladder().find(GetParam());
  std::vector<Shape> shapes;
  for (const std::int64_t M : round_tiles(rung.tile.BM))
    for (const std::int64_t N : round_tiles(rung.tile.BN))
      for (const std::int64_t K : round_tiles(rung.tile.BK)) shapes.push_back({M, N, K});
  const auto extents = [](int tile) { return tile == 1 ? 3U : 6U; };
  EXPECT_GE(shapes.size(), extents(rung.tile.BM) * extents(rung.tile.BN) * extents(rung.tile.BK));
  expect_agreement(rung, shapes, {&find_family("coded")});
}

// Two tiles and one more in every dimension, and everything below: each combination of full, partial and
// absent tiles. The formulas are written here once more, apart from the rung's own.
TEST(SharedTile8, AgreesAtEveryShapeUpTo17x17x17) {
  constexpr std::int64_t T = 8, most = 2 * T + 1;
  const Rung& rung = ladder().find("shared_tile_8");
  const auto tiles = [](std::int64_t extent) { return (extent + T - 1) / T; };
  std::vector<Shape> shapes;
  for (std::int64_t M = 1; M <= most; ++M)
    for (std::int64_t N = 1; N <= most; ++N)
      for (std::int64_t K = 1; K <= most; ++K) {
        shapes.push_back({M, N, K});
        const std::int64_t phases = tiles(M) * tiles(N) * tiles(K);
        EXPECT_EQ(
            text_of(rung.predict(problem_of({M, N, K}, nominal_multiprocessors))),
            text_of(M * K * tiles(N) + K * N * tiles(M), M * N, phases * 2 * T * T * T, phases * 2 * T * T));
      }
  EXPECT_EQ(expect_agreement(rung, shapes, {&find_family("coded")}), 4913);
}

}  // namespace
}  // namespace tilewright
