// SPDX-License-Identifier: MIT
//
// Five hundred seeded random shapes for every rung, on which four independent counts must be one: the rung's own
// prediction, the closed forms of model/traffic.h, the simulators of model/simulate.h, which execute a product and
// count as they go, and the emulator, which runs the rung. The values must be the simulator's too, bit for bit: both
// sum in ascending k with fused multiply-adds.
#include <algorithm>
#include <cstring>
#include <random>
#include <set>

#include "cli/profile_agreement.h"
#include "model/simulate.h"
#include "model/traffic.h"
#include "tests/agree/agreement.h"

namespace tilewright {
namespace {

// Of a rung whose counts are its own alone (below) there are two counts to hold against each other, and fewer shapes do:
// other tests go round its edges.
constexpr std::size_t shapes_of_a_rung = 500, shapes_with_counts_of_its_own = 125;
constexpr std::uint64_t shape_seed = 20261130;

class RandomShapes {
 public:
  explicit RandomShapes(Tile tile) : tile_(tile) {}

  // Distinct, in the order of drawing.
  std::vector<Shape> draw(std::size_t count) {
    std::vector<Shape> shapes;
    std::set<Shape> drawn;
    // By the number of the drawing: a kind whose few shapes have all been drawn must not hold up the others.
    for (std::size_t drawing = 0; shapes.size() < count; ++drawing) {
      const Shape shape = one(drawing);
      if (drawn.insert(shape).second) shapes.push_back(shape);
    }
    return shapes;
  }

 private:
  // Of each hundred: ten with a dimension of 1, ten of whole tiles, thirty round tile multiples, one with sides to 200,
  // the rest of any size to 100.
  Shape one(std::size_t index) {
    const std::size_t kind = index % 100;
    if (kind < 10) {
      std::int64_t extents[] = {up_to(70), up_to(70), up_to(70)};
      extents[kind % 3] = 1;
      return {extents[0], extents[1], extents[2]};
    }
    if (kind < 20) return tiles(0);
    if (kind < 50) return tiles(1);
    if (kind == 50) return {100 + up_to(100), 100 + up_to(100), 100 + up_to(100)};
    return {up_to(100), up_to(100), up_to(100)};
  }

  // 1 … most. Not std::uniform_int_distribution, whose numbers differ between libraries.
  std::int64_t up_to(std::int64_t most) {
    return 1 + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(most));
  }
  // Multiples of the tile to 64, each up to `off` more or less.
  Shape tiles(std::int64_t off) {
    const auto extent = [&](std::int64_t tile) {
      const std::int64_t whole = up_to(std::max<std::int64_t>(1, 64 / tile)) * tile;
      return std::max<std::int64_t>(1, whole + up_to(2 * off + 1) - 1 - off);
    };
    return {extent(tile_.BM), extent(tile_.BN), extent(std::max(8, tile_.BK))};
  }

  Tile tile_;
  std::mt19937_64 random_{shape_seed};
};

// Then its counts are not those of one kernel that loads A and B itself, and its sums may be added in parts.
bool uses_scratch(const Rung& rung, Shape shape) {
  return rung.scratch_floats != nullptr &&
         rung.scratch_floats(problem_of(shape, nominal_multiprocessors)) > 0;
}

// The closed forms and simulators below are of kernels whose threads share out the tile of C, each element to one thread. Where
// threads share K as well, the counts are the rung's own and sums are added in parts.
bool threads_share_k(const Rung& rung) {
  return rung.block.x * rung.block.y * rung.tile.TM * rung.tile.TN > rung.tile.BM * rung.tile.BN;
}

// Blocks that walk over tiles, and over parts of them, have reads of their own at the end of each.
bool walks_over_tiles(const Rung& rung) {
  const Problem square = problem_of({4096, 4096, 4096}, nominal_multiprocessors);
  return grid_of(rung, square).count() < ceil_div(square.M, rung.tile.BM) * ceil_div(square.N, rung.tile.BN);
}

// Whether they are others than those that the model and the simulator know.
bool has_counts_of_its_own(const Rung& rung) { return threads_share_k(rung) || walks_over_tiles(rung); }

bool has_tiles(const Rung& rung) { return rung.static_shared_bytes > 0; }

// The same product with zeros up to whole tiles: what a kernel computes all of whose threads take part.
Matrix padded(const Matrix& matrix, std::int64_t rows, std::int64_t columns) {
  Matrix larger(rows, columns);
  for (std::int64_t row = 0; row < matrix.rows; ++row)
    for (std::int64_t column = 0; column < matrix.columns; ++column)
      larger.at(row, column) = matrix.at(row, column);
  return larger;
}

std::int64_t whole_tiles(std::int64_t extent, std::int64_t tile) { return ceil_div(extent, tile) * tile; }

struct Loads {
  std::int64_t global_reads, shared_reads, multiply_adds;
  friend std::string to_string(const Loads& loads) {
    return std::to_string(loads.global_reads) + " global reads, " + std::to_string(loads.shared_reads) +
           " shared reads, " + std::to_string(loads.multiply_adds) + " multiply-adds";
  }
};

// Without tiles, two operands a multiply-add. With them, each element of a block's tile once, and in each k of each thread a
// column of the register tile and a row.
Loads closed_forms(const Rung& rung, Shape shape) {
  const ProductSize product{shape.M, shape.N, shape.K};
  if (!has_tiles(rung)) {
    const std::int64_t naive = matmul_traffic(product, {rung.tile.BM, rung.tile.BN}).naive;
    return {naive, 0, naive / 2};
  }
  const OutputTile tile{rung.tile.BM, rung.tile.BN};
  const std::int64_t multiply_adds = padded_multiply_adds(product, tile, rung.tile.BK);
  const std::int64_t shared_reads =
      multiply_adds / rung.tile.TM + multiply_adds / rung.tile.TN;  // exact: the tiles are whole
  return {matmul_traffic(product, tile).tiled, shared_reads, multiply_adds};
}

// A rung without tiles fetches the operands of its multiply-adds from global memory; one with tiles performs those of the
// padded product, of which only the elements that exist are loaded. Simulated tiles are square in C; how long they are in K
// changes no count but that of the padding.
Loads simulated(const Rung& rung, Shape shape, const Operands& in, std::vector<float>& C) {
  constexpr std::int64_t any_tile = 64;
  const Tile tile = rung.tile;
  const std::int64_t b = has_tiles(rung) ? tile.BM : any_tile;
  TiledProduct product = tiled_matmul(in.A.values, in.B.values, {shape.M, shape.N, shape.K}, b);
  C = std::move(product.C);
  if (!has_tiles(rung)) return {product.shared_reads, 0, product.shared_reads / 2};
  const ProductSize whole{whole_tiles(shape.M, b), whole_tiles(shape.N, b), whole_tiles(shape.K, tile.BK)};
  const Matrix A = padded(in.A, whole.M, whole.K), B = padded(in.B, whole.K, whole.N);
  const auto shared_reads = [&](std::int64_t t) {
    return two_level_matmul(A.values, B.values, whole, b, t).shared_reads;
  };
  // A register tile's column of A is read as often as in square tiles of its height, its row of B as in those of its width;
  // each is half of what those read.
  const std::int64_t reads = shared_reads(tile.TM) / 2 + shared_reads(tile.TN) / 2;
  return {product.global_reads, reads, shared_reads(1) / 2};
}

// Empty where all counts are one.
std::string disagreement_of_four(EmulatorDevice& device, const Rung& rung, Shape shape) {
  const Family& family = find_family("uniform");
  const Operands in = make_inputs(family, shape, 1);
  const Outcome outcome =
      run_and_judge(device, rung, in.A, in.B, make_reference(in.A, in.B, family.order_term));
  // The emulator against the rung's own prediction, findings and values.
  if (std::string text = disagreement(rung, shape, family, outcome); !text.empty()) return text;
  if (uses_scratch(rung, shape) || has_counts_of_its_own(rung)) return {};
  const std::string where = std::string(rung.name) + " " + to_string(shape) + ": ";
  const Counts& counts = *outcome.product.counts;
  const std::string emulated = to_string(
      Loads{counts.global_reads.elements, counts.shared_reads.elements, executed_multiply_adds(rung, shape)});
  if (const std::string model = to_string(closed_forms(rung, shape)); model != emulated)
    return where + "emulated " + emulated + "; closed forms " + model;
  std::vector<float> C;
  if (const std::string simulator = to_string(simulated(rung, shape, in, C)); simulator != emulated)
    return where + "emulated " + emulated + "; simulated " + simulator;
  if (counts.global_writes.elements != static_cast<std::int64_t>(C.size()))
    return where + "writes " + std::to_string(counts.global_writes.elements) + " elements of " +
           std::to_string(C.size());
  if (std::memcmp(C.data(), outcome.product.C.data(), C.size() * sizeof(float)) != 0)
    return where + "the values are not the simulator's, bit for bit";
  return {};
}

class RandomShapesOf : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(, RandomShapesOf, testing::ValuesIn(rung_names()),
                         [](const auto& rung) { return rung.param; });

TEST_P(RandomShapesOf, ModelSimulatorAndEmulatorAreOne) {
  const Rung& rung = ladder().find(GetParam());
  // The closed forms and simulators above are of square tiles, none of which is left over.
  ASSERT_GE(rung.block.x * rung.block.y * rung.tile.TM * rung.tile.TN, rung.tile.BM * rung.tile.BN);
  ASSERT_TRUE(!has_tiles(rung) || rung.tile.BM == rung.tile.BN);
  constexpr int most_shown = 5;
  EmulatorDevice device(ladder());
  int disagreements = 0;
  const bool own_counts = rung.first.kernel != nullptr || has_counts_of_its_own(rung);
  const std::vector<Shape> shapes =
      RandomShapes(rung.tile).draw(own_counts ? shapes_with_counts_of_its_own : shapes_of_a_rung);
  for (const Shape& shape : shapes) {
    const std::string text = disagreement_of_four(device, rung, shape);
    if (!text.empty() && ++disagreements <= most_shown)
      ADD_FAILURE() << text << " (seed " << shape_seed << ")";
  }
  EXPECT_EQ(disagreements, 0) << "of " << shapes.size() << " shapes, seed " << shape_seed;
  RecordProperty("shapes", std::to_string(shapes.size()));
}

TEST(RandomShapesTest, AreFiveHundredDistinctOnesOfEveryKind) {
  const std::vector<Shape> shapes = RandomShapes({16, 16, 16}).draw(shapes_of_a_rung);
  EXPECT_EQ(std::set<Shape>(shapes.begin(), shapes.end()).size(), 500U);
  int singletons = 0, whole = 0, ragged = 0, large = 0;
  for (const Shape& shape : shapes) {
    const std::int64_t off = shape.M % 16 + shape.N % 16 + shape.K % 16;
    singletons += std::min({shape.M, shape.N, shape.K}) == 1 ? 1 : 0;
    whole += off == 0 ? 1 : 0;
    ragged += shape.M % 16 != 0 && shape.N % 16 != 0 && shape.K % 16 != 0 ? 1 : 0;
    large += std::max({shape.M, shape.N, shape.K}) > 100 ? 1 : 0;
  }
  EXPECT_GE(singletons, 50);
  EXPECT_GE(whole, 20);
  EXPECT_GE(ragged, 200);
  EXPECT_GE(large, 5);
}

}  // namespace
}  // namespace tilewright
