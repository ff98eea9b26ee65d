// SPDX-License-Identifier: MIT
//
// A few blocks of each class count for the whole grid what the whole grid counts, to the last sector.
#include "tests/agree/agreement.h"

namespace tilewright {
namespace {

std::string text_of(const std::vector<LineCount>& lines) {
  std::string text;
  for (const LineCount& line : lines) {
    text += line.file + ":" + std::to_string(line.line) + " " + std::string(line.space) + " " +
            std::string(line.op);
    const WarpCounts& warps = line.warps;
    for (const std::int64_t number :
         {line.count.accesses, line.count.elements, warps.requests, warps.lanes, warps.sectors,
          warps.ideal_sectors, warps.wavefronts, warps.bank_conflicts, warps.most_ways})
      text += " " + std::to_string(number);
    if (line.space == "shared") text += " distinct " + std::to_string(line.distinct_elements.value_or(-1));
    text += "\n";
  }
  return text;
}

class SampledBlocks : public testing::TestWithParam<std::string> {};

TEST_P(SampledBlocks, CountWhatAllBlocksCount) {
  const Rung& rung = ladder().find(GetParam());
  EmulatorSettings all, few;
  all.see_warps = few.see_warps = few.sample_blocks = true;
  EmulatorDevice whole(ladder(), all), sampled(ladder(), few);
  for (const Shape shape : {Shape{96, 96, 32}, Shape{97, 131, 33}, Shape{70, 99, 7}, Shape{1, 300, 5},
                            Shape{300, 1, 5}, Shape{129, 65, 64}, Shape{3, 2, 1}}) {
    if (!is_block_a_tile(rung)) {  // a few blocks cannot stand for all
      const Outcome refused = run(sampled, rung, shape, find_family("coded"));
      EXPECT_EQ(refused.verdict.kind, Verdict::Kind::unsupported);
      EXPECT_NE(refused.error.find("not one a tile"), std::string::npos) << refused.error;
      continue;
    }
    const Outcome expected = run(whole, rung, shape, find_family("coded"));
    const Outcome outcome = run(sampled, rung, shape, find_family("coded"));
    ASSERT_EQ(outcome.verdict.text(), "PASS") << rung.name << " " << to_string(shape);
    EXPECT_EQ(text_of(outcome.product.lines), text_of(expected.product.lines)) << to_string(shape);
    EXPECT_EQ(text_of(*outcome.product.counts), text_of(*expected.product.counts)) << to_string(shape);
    ASSERT_TRUE(outcome.product.sample);
    std::int64_t members = 0;
    for (const BlockSample::Class& one : outcome.product.sample->classes) members += one.members;
    const Grid grid = grid_of(rung, problem_of(shape, nominal_multiprocessors));
    EXPECT_EQ(members, grid.count());
  }
}

INSTANTIATE_TEST_SUITE_P(Ladder, SampledBlocks, testing::ValuesIn(rung_names()),
                         [](const auto& given) { return given.param; });

}  // namespace
}  // namespace tilewright
