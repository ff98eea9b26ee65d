// SPDX-License-Identifier: MIT
//
// Every deliberately wrong kernel of this folder is caught, with the kind and on the line that its source
// marks, in every order of threads and blocks; every honest one, and every rung, passes with no finding at
// all.
#include <gtest/gtest.h>

#include "device/emulator_device.h"
#include "judge/inputs.h"
#include "judge/outcome.h"
#include "tests/mutants/mutant_source.h"

namespace tilewright {
namespace {

struct Schedule {
  const char* name;
  Order threads, blocks;
  std::uint64_t seed;
};

constexpr Schedule schedules[] = {
    {"forward", Order::forward, Order::forward, 1},      {"reversed", Order::reversed, Order::reversed, 1},
    {"shuffled 1", Order::shuffled, Order::forward, 1},  {"shuffled 2", Order::shuffled, Order::shuffled, 2},
    {"shuffled 3", Order::shuffled, Order::reversed, 3},
};

struct EmulatedRun {
  std::string where;  // for messages
  Rung rung;
  Shape shape;
  Outcome outcome;
};

std::vector<EmulatedRun> run_everywhere(const Catalog& catalog, const Rung& rung, const std::string& inputs,
                                        const std::vector<Shape>& shapes) {
  std::vector<EmulatedRun> runs;
  const Family& family = find_family(inputs);
  for (const Shape& shape : shapes) {
    const Operands in = make_inputs(family, shape, 1);
    const Reference reference = make_reference(in.A, in.B, family.order_term);
    for (const Schedule& schedule : schedules) {
      EmulatorDevice device(
          catalog, {.thread_order = schedule.threads, .block_order = schedule.blocks, .seed = schedule.seed});
      runs.push_back({std::string(rung.name) + " " + to_string(shape) + " " + schedule.name, rung, shape,
                      run_and_judge(device, rung, in.A, in.B, reference)});
    }
  }
  return runs;
}

bool of_kind(const Finding& finding, const std::string& kind) { return name_of(finding.kind) == kind; }

// The elements of a buffer by its name; 0 for what is not a buffer of the launch.
std::int64_t elements_of(const std::string& buffer, Shape shape) {
  if (buffer == "A") return shape.M * shape.K;
  if (buffer == "B") return shape.K * shape.N;
  return buffer == "C" ? shape.M * shape.N : 0;
}

void expect_place(const Finding& finding, Shape shape) {
  const std::set<FindingKind> without_access{FindingKind::barrier_divergence, FindingKind::access_limit,
                                             FindingKind::fault};
  if (without_access.count(finding.kind) != 0) return;
  EXPECT_FALSE(finding.buffer.empty());
  const std::int64_t elements = elements_of(finding.buffer, shape);
  const bool inside = finding.index >= 0 && finding.index < elements;
  if (finding.kind == FindingKind::out_of_bounds)
    EXPECT_FALSE(inside) << finding.buffer << "[" << finding.index << "]";
  else if (elements != 0)
    EXPECT_TRUE(inside) << finding.buffer << "[" << finding.index << "]";
  else
    EXPECT_GE(finding.index, 0) << finding.buffer;
}

// What a person needs to find the fault: every field that applies to the kind is there and makes sense.
void expect_filled(const Finding& finding, const MutantSource& source, const Rung& rung, Shape shape) {
  SCOPED_TRACE(finding.message);
  EXPECT_EQ(finding.kernel, source.name);
  EXPECT_EQ(finding.file, source.path());
  EXPECT_GT(finding.line, 0);
  EXPECT_GE(finding.total, 1);
  EXPECT_FALSE(finding.message.empty());
  expect_place(finding, shape);
  const std::set<FindingKind> of_the_launch{FindingKind::unwritten_output, FindingKind::counter_not_zero};
  if (of_the_launch.count(finding.kind) != 0) return;  // nobody did it
  ASSERT_TRUE(finding.block && finding.thread);
  EXPECT_TRUE(finding.thread->x >= 0 && finding.thread->x < rung.block.x && finding.thread->y >= 0 &&
              finding.thread->y < rung.block.y);
  if (is_block_a_tile(rung)) {
    EXPECT_LT(finding.block->x * rung.tile.BN, shape.N);
    EXPECT_LT(finding.block->y * rung.tile.BM, shape.M);
  }
  const std::set<FindingKind> of_two{FindingKind::race, FindingKind::barrier_divergence,
                                     FindingKind::double_write};
  const bool of_two_kernels = finding.message.find("the first kernel") != std::string::npos;
  EXPECT_TRUE(of_two.count(finding.kind) == 0 || finding.other_thread.has_value() || of_two_kernels);
}

void expect_caught_by_finding(const MutantSource& source, const EmulatedRun& run) {
  const std::vector<Finding>& findings = run.outcome.product.findings;
  std::int64_t of_this_kind = 0;
  for (const Finding& finding : findings) {
    expect_filled(finding, source, run.rung, run.shape);
    if (!of_kind(finding, source.caught)) continue;
    ++of_this_kind;
    EXPECT_TRUE(source.lines.count(finding.line) != 0 || source.lines.count(finding.other_line) != 0)
        << "line " << finding.line << " is not marked: " << finding.message;
  }
  EXPECT_GE(of_this_kind, 1) << "the verdict is " << run.outcome.verdict.text();
  EXPECT_GE(run.outcome.product.findings_total, static_cast<std::int64_t>(findings.size()));
}

void expect_caught(const MutantSource& source, const EmulatedRun& run) {
  SCOPED_TRACE(run.where);
  EXPECT_EQ(run.outcome.verdict.kind, Verdict::Kind::fail);
  if (finding_kinds().count(source.caught) != 0) return expect_caught_by_finding(source, run);
  // Nothing but the judge sees it: the verdict names it and there is no finding that could have told.
  EXPECT_EQ(run.outcome.verdict.detail, source.caught);
  EXPECT_EQ(run.outcome.product.findings_total, 0);
}

void expect_clean(const EmulatedRun& run) {
  SCOPED_TRACE(run.where);
  EXPECT_EQ(run.outcome.verdict.text(), "PASS");
  EXPECT_EQ(run.outcome.product.findings_total, 0);
  for (const Finding& finding : run.outcome.product.findings) ADD_FAILURE() << finding.message;
}

class Mutants : public testing::TestWithParam<MutantSource> {};

TEST_P(Mutants, SaysWhatIsWrong) {
  const MutantSource& source = GetParam();
  const bool by_finding = finding_kinds().count(source.caught) != 0;
  EXPECT_TRUE(by_finding || judged_kinds().count(source.caught) != 0 || source.caught == "nothing")
      << "`// Caught: " << source.caught << "` is no kind of finding and no verdict";
  EXPECT_EQ(source.honest(), source.caught == "nothing");
  EXPECT_EQ(by_finding, !source.lines.empty()) << "`// caught here` belongs to findings, and to each of them";
}

TEST_P(Mutants, IsJudgedRight) {
  const MutantSource& source = GetParam();
  Catalog catalog;
  const Rung& rung =
      catalog.add(std::make_unique<KernelModule>(TILEWRIGHT_LIB_DIR "/mutants/" + source.name + ".so"));
  EXPECT_EQ(catalog.rungs().size(), 1U);
  EXPECT_EQ(rung.name, source.name);
  EXPECT_EQ(rung.source, source.path());
  for (const EmulatedRun& run : run_everywhere(catalog, rung, source.inputs, source.shapes))
    source.honest() ? expect_clean(run) : expect_caught(source, run);
}

INSTANTIATE_TEST_SUITE_P(, Mutants, testing::ValuesIn(read_mutants()),
                         [](const auto& mutant) { return mutant.param.name; });

TEST(Rungs, AreClean) {
  Catalog catalog;
  catalog.load_folder(TILEWRIGHT_LIB_DIR "/rungs");
  for (const Rung& rung : catalog.rungs())
    for (const EmulatedRun& run : run_everywhere(catalog, rung, "uniform", {{17, 19, 23}, {33, 18, 40}}))
      expect_clean(run);
}

TEST(Detectors, HaveAMutantEach) {
  std::set<std::string> caught;
  for (const MutantSource& source : read_mutants()) caught.insert(source.caught);
  std::set<std::string> kinds = finding_kinds();
  EXPECT_EQ(kinds.size(), 15U) << "finding_kinds() no longer finds the end of the enumeration";
  kinds.merge(judged_kinds());
  for (const std::string& kind : kinds)
    EXPECT_EQ(caught.count(kind), 1U) << "nothing shows that " << kind << " is detected";
}

}  // namespace
}  // namespace tilewright
