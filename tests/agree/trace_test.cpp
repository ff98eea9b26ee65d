// SPDX-License-Identifier: MIT
//
// The paper trace of shared_tile at T = 16, to the number, at 17x19x23 and 80x80x80. One launch counts all
// its blocks and phases together; launches that differ by one phase or one block show what that one did.
#include <map>

#include "tests/agree/agreement.h"

namespace tilewright {
namespace {

constexpr std::int64_t T = 16;

Outcome trace(Shape shape) {
  EmulatorDevice device(ladder());
  const Rung& rung = ladder().find("shared_tile_16");
  const Outcome outcome = run(device, rung, shape, find_family("coded"));
  EXPECT_EQ(disagreement(rung, shape, find_family("coded"), outcome), "");
  return outcome;
}

struct Numbers {
  std::int64_t global_reads, global_writes, shared_reads, shared_writes;
  bool operator==(const Numbers&) const = default;
  Numbers operator-(const Numbers& other) const {
    return {global_reads - other.global_reads, global_writes - other.global_writes,
            shared_reads - other.shared_reads, shared_writes - other.shared_writes};
  }
  friend void PrintTo(const Numbers& n, std::ostream* stream) {
    *stream << text_of(n.global_reads, n.global_writes, n.shared_reads, n.shared_writes);
  }
};

Numbers numbers(Shape shape) {
  const Counts counts = *trace(shape).product.counts;
  return {counts.global_reads.elements, counts.global_writes.elements, counts.shared_reads.elements,
          counts.shared_writes.elements};
}

// Global reads and shared writes of the two lines that load a tile, in the order of the source: A's, then
// B's.
struct LoadLine {
  std::int64_t global_reads = 0, shared_writes = 0;
};
std::vector<LoadLine> load_lines(Shape shape) {
  std::map<int, LoadLine> lines;
  for (const LineCount& line : trace(shape).product.lines) {
    if (line.space == "global" && line.op == "read") lines[line.line].global_reads = line.count.elements;
    if (line.space == "shared" && line.op == "write") lines[line.line].shared_writes = line.count.elements;
  }
  std::vector<LoadLine> in_order;
  for (const auto& [number, line] : lines) in_order.push_back(line);
  return in_order;
}

TEST(SharedTileTrace, HasTheCountsOfTheIssue) {
  EXPECT_EQ(numbers({17, 19, 23}), (Numbers{1656, 323, 65536, 4096}));
  const Numbers square = numbers({80, 80, 80});
  EXPECT_EQ(square.global_reads, 64000);
  EXPECT_EQ(square.shared_reads, 1024000);
  EXPECT_EQ(square.global_writes, 80 * 80);
}

// K = 23 has the phase of K = 16 and one more: the difference is the second reduction tile.
TEST(SharedTileTrace, SecondReductionTileHasSevenValidKAndNineZeros) {
  const std::vector<LoadLine> one = load_lines({17, 19, 16}), two = load_lines({17, 19, 23});
  ASSERT_EQ(one.size(), 2U);
  ASSERT_EQ(two.size(), 2U);
  constexpr std::int64_t blocks = 2 * 2, valid_k = 7, zero_k = 9;
  static_assert(valid_k + zero_k == T);
  // A's tile: M = 17 rows in all, loaded once for each of the 2 blocks across.
  EXPECT_EQ(two[0].global_reads - one[0].global_reads, 17 * valid_k * 2);
  // B's tile: N = 19 columns in all, once for each of the 2 blocks down.
  EXPECT_EQ(two[1].global_reads - one[1].global_reads, valid_k * 19 * 2);
  for (const std::size_t line : {std::size_t{0}, std::size_t{1}})
    EXPECT_EQ(two[line].shared_writes - one[line].shared_writes, blocks * T * T) << "every place is written";
  // One block inside C has no zeros but those of the 9 k, in A's tile and in B's.
  const std::vector<LoadLine> inside_one = load_lines({16, 16, 16}), inside_two = load_lines({16, 16, 23});
  for (const std::size_t line : {std::size_t{0}, std::size_t{1}}) {
    const std::int64_t written = inside_two[line].shared_writes - inside_one[line].shared_writes;
    const std::int64_t loaded = inside_two[line].global_reads - inside_one[line].global_reads;
    EXPECT_EQ(written - loaded, T * zero_k);
    EXPECT_EQ(loaded, T * valid_k);
  }
}

// 17x19 has four blocks; 17x16, 16x19 and 16x16 have those of them in the first column, the first row and
// both.
TEST(SharedTileTrace, AllThreadsOfTheLastBlockTakePart) {
  const Numbers last =
      (numbers({17, 19, 23}) - numbers({17, 16, 23})) - (numbers({16, 19, 23}) - numbers({16, 16, 23}));
  constexpr std::int64_t threads = T * T, phases = 2, rows = 1, columns = 3;
  EXPECT_EQ(last.global_writes, rows * columns);
  EXPECT_EQ(last.global_reads, rows * 23 + 23 * columns);
  // Each place of a tile is written, and no two threads wrote one (that would be a race): so each of the 256
  // threads wrote its own of A and of B in both phases, the 253 without an element of C among them, and read
  // 16 pairs. That they all came to both barriers is the finding that is not there.
  EXPECT_EQ(last.shared_writes, threads * 2 * phases);
  EXPECT_EQ(last.shared_reads, threads * 2 * T * phases);
}

TEST(SharedTileTrace, DimensionsBelowTheTileWork) {
  EXPECT_EQ(numbers({1, 1, 1}), (Numbers{2, 1, 2 * T * T * T, 2 * T * T}));
  EXPECT_EQ(numbers({3, 5, 7}), (Numbers{3 * 7 + 7 * 5, 15, 2 * T * T * T, 2 * T * T}));
}

}  // namespace
}  // namespace tilewright
