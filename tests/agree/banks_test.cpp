// SPDX-License-Identifier: MIT
//
// The banks and sectors that the pages of the rungs derive are what the emulator counts, at a shape of whole tiles.
#include "tests/agree/agreement.h"

namespace tilewright {
namespace {

using Numbers = std::vector<std::int64_t>;

// 128x128x16: sixteen k; one block of 8 warps, or of column_tile 4 blocks of 16 warps.
constexpr Shape whole_tiles{128, 128, 16};
constexpr std::int64_t k_of_warps = 16 * 8;

struct DerivedBanks {
  const char* rung;
  Numbers read_ways;   // of each line that reads shared memory, in the order of the source
  Numbers write_ways;  // the same for writes
  std::int64_t read_conflicts, write_conflicts;
  std::int64_t store_sectors;  // of C, for each sector that would do
};

// Conflicts are the ways beyond the first of every request, four quarter-warps a request where it is of 16 bytes.
constexpr std::int64_t a_2_ways_b_4_ways = k_of_warps * (8 * 1 + 8 * 3);  // 8 requests each of 4 bytes
constexpr std::int64_t b_2_ways = k_of_warps * 2 * 4 * 1;                 // 2 requests of 16 bytes
constexpr std::int64_t transposed_2_ways = 2 * 8 * 4 * 1;                 // 2 tiles, 8 warps, 4 requests each

const DerivedBanks derived[] = {
    // a and b; the tile of A and of B
    {"column_tile", {1, 1}, {1, 1}, 0, 0, 1},
    {"register_tile", {2, 4}, {1, 1}, a_2_ways_b_4_ways, 0, 8},
    // a and b; the four rows of the transposed tile of A, the tile of B
    {"vector_load", {1, 2}, {2, 2, 2, 2, 1}, b_2_ways, transposed_2_ways, 2},
    {"conflict_free", {1, 1}, {1, 1, 1, 1, 1}, 0, 0, 1},
    {"warp_tile", {1, 1}, {1, 1, 1, 1, 1}, 0, 0, 1},
};

void PrintTo(const DerivedBanks& row, std::ostream* stream) { *stream << row.rung; }

struct Lines {
  Numbers ways;
  WarpCounts sum;
};

Lines lines_of(const Outcome& outcome, std::string_view space, std::string_view op) {
  Lines lines;
  for (const LineCount& line : outcome.product.lines) {
    if (line.space != space || line.op != op) continue;
    lines.ways.push_back(line.warps.most_ways);
    lines.sum += line.warps;
  }
  return lines;
}

class Banks : public testing::TestWithParam<DerivedBanks> {};

TEST_P(Banks, AreAsDerived) {
  const DerivedBanks& expected = GetParam();
  const Rung& rung = ladder().find(expected.rung);
  EmulatorSettings settings;
  settings.see_warps = true;
  EmulatorDevice device(ladder(), settings);
  const Outcome outcome = run(device, rung, whole_tiles, find_family("coded"));
  ASSERT_EQ(disagreement(rung, whole_tiles, find_family("coded"), outcome), "");

  const Lines reads = lines_of(outcome, "shared", "read"), writes = lines_of(outcome, "shared", "write");
  EXPECT_EQ(reads.ways, expected.read_ways);
  EXPECT_EQ(reads.sum.bank_conflicts, expected.read_conflicts);
  EXPECT_EQ(writes.ways, expected.write_ways);
  EXPECT_EQ(writes.sum.bank_conflicts, expected.write_conflicts);

  const WarpCounts loads = lines_of(outcome, "global", "read").sum;
  EXPECT_EQ(loads.sectors, loads.ideal_sectors);
  const WarpCounts stores = lines_of(outcome, "global", "write").sum;
  EXPECT_EQ(stores.sectors, stores.ideal_sectors * expected.store_sectors);
}

INSTANTIATE_TEST_SUITE_P(Ladder, Banks, testing::ValuesIn(derived),
                         [](const auto& given) { return given.param.rung; });

}  // namespace
}  // namespace tilewright
