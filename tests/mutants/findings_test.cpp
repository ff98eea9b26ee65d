// SPDX-License-Identifier: MIT
//
// What is in the findings of a few mutants, to the number: which elements, how many events in all, how many
// of them listed. The numbers are worked out from the shape, not from a run.
#include <gtest/gtest.h>

#include <algorithm>

#include "device/emulator_device.h"
#include "judge/inputs.h"
#include "judge/outcome.h"
#include "tests/mutants/mutant_source.h"

namespace tilewright {
namespace {

// 17x19x23 in blocks of 16 x 16: 2 x 2 blocks, threads for rows 0 … 31 and columns 0 … 31.
constexpr Shape shape{17, 19, 23};

Outcome run(const std::string& name, EmulatorSettings settings = {}, const char* inputs = "uniform",
            Shape at = shape) {
  Catalog catalog;
  const Rung& rung =
      catalog.add(std::make_unique<KernelModule>(TILEWRIGHT_LIB_DIR "/mutants/" + name + ".so"));
  const Operands in = make_inputs(find_family(inputs), at, 1);
  EmulatorDevice device(catalog, settings);
  return run_and_judge(device, rung, in.A, in.B, make_reference(in.A, in.B, false));
}

std::vector<Finding> of_kind(const Outcome& outcome, FindingKind kind) {
  std::vector<Finding> findings = outcome.product.findings;
  std::erase_if(findings, [&](const Finding& finding) { return finding.kind != kind; });
  return findings;
}

// All of one line: `listed` of them are there, and each says that there were `total`.
void expect_totals(const std::vector<Finding>& findings, std::size_t listed, std::int64_t total) {
  EXPECT_EQ(findings.size(), listed);
  for (const Finding& finding : findings) EXPECT_EQ(finding.total, total) << finding.message;
}

TEST(Findings, AreListedUpToTheCapAndAllCounted) {
  // Rows 17 … 31 of columns 0 … 18 are stored behind C.
  constexpr std::int64_t beyond = 15 * 19;
  for (const std::size_t cap : {std::size_t{1}, std::size_t{3}, std::size_t{8}, std::size_t{1000}}) {
    const Outcome outcome = run("no_row_mask_on_store", {.findings_per_line = cap});
    expect_totals(outcome.product.findings, std::min<std::size_t>(cap, beyond), beyond);
    EXPECT_EQ(outcome.product.findings_total, beyond);
  }
}

TEST(Findings, NameEveryElementOnce) {
  const Outcome outcome = run("no_row_mask_on_store", {.findings_per_line = 1000});
  std::set<std::int64_t> elements;
  for (const Finding& finding : outcome.product.findings) elements.insert(finding.index);
  ASSERT_EQ(elements.size(), 15U * 19U);
  EXPECT_EQ(*elements.begin(), 17 * 19);
  EXPECT_EQ(*elements.rbegin(), 32 * 19 - 1);
}

TEST(Findings, TwoKindsOnOneLineHaveTotalsOfTheirOwn) {
  const Outcome outcome = run("no_column_mask_on_store");
  // Columns 19 … 31 of each row are the first 13 of the next one; those of the last row lie behind C.
  expect_totals(of_kind(outcome, FindingKind::double_write), 8, 16 * 13);
  expect_totals(of_kind(outcome, FindingKind::out_of_bounds), 8, 13);
  EXPECT_EQ(outcome.product.findings_total, 17 * 13);
}

TEST(Findings, TwoLinesHaveACapEach) {
  // Threads of the first block row beyond M = 17 rows and N = 19 columns: at 17x19x23 every phase and both
  // barriers of three of the four blocks see a thread that has left.
  const Outcome outcome = run("early_return");
  const std::vector<Finding> divergences = of_kind(outcome, FindingKind::barrier_divergence);
  std::set<int> lines;
  for (const Finding& finding : divergences) lines.insert(finding.line);
  EXPECT_EQ(lines, read_mutant(TILEWRIGHT_SOURCE_DIR "/tests/mutants/early_return.cu").lines);
  expect_totals(divergences, 2 * 3 * 2, 3 * 2);
}

TEST(Findings, TheElementNobodyWritesIsNamed) {
  const Outcome outcome = run("one_unwritten");
  ASSERT_EQ(outcome.product.findings.size(), 1U);
  const Finding& finding = outcome.product.findings.front();
  EXPECT_EQ(finding.buffer, "C");
  EXPECT_EQ(finding.index, 17 * 19 - 1);
  EXPECT_EQ(finding.total, 1);
  EXPECT_NE(finding.message.find("(row 16, column 18)"), std::string::npos) << finding.message;
  // The sentinel is there as well, so the judge alone would have seen it too.
  EXPECT_EQ(outcome.judgement->failure, "non_finite");
}

TEST(Findings, TheOverwrittenInputIsNamed) {
  const Outcome outcome = run("input_overwritten");
  ASSERT_EQ(outcome.product.findings.size(), 1U);
  EXPECT_EQ(outcome.product.findings.front().buffer, "A");
  EXPECT_EQ(outcome.product.findings.front().index, 0);
}

TEST(Findings, TheWildWriteStopsItsBlockAndNoOther) {
  const Outcome outcome = run("wild_write");
  ASSERT_EQ(outcome.product.findings.size(), 1U);
  const Finding& finding = outcome.product.findings.front();
  EXPECT_EQ(finding.thread, (Index3{0, 0, 0}));
  EXPECT_EQ(finding.block, (Index3{0, 0, 0}));
  // The other 3 blocks stored their 17 * 19 − 16 * 16 elements; of the first, thread 0 alone came so far.
  EXPECT_EQ(outcome.product.counts->global_writes.elements, 17 * 19 - 16 * 16 + 1);
}

TEST(Findings, TheSlotBehindSharedMemoryIsNamed) {
  const std::vector<Finding> findings =
      of_kind(run("shared_out_of_bounds", {.workers = 1}), FindingKind::out_of_bounds);
  // Only the first block has a last thread that is inside C; 16 x 16 floats are all its shared memory.
  expect_totals(findings, 1, 1);
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings.front().thread, (Index3{15, 15, 0}));
  EXPECT_EQ(findings.front().index, 16 * 16);
}

TEST(Findings, TheSlotFarIntoSharedMemoryIsNamed) {
  // The tiles of B begin 48 KiB behind those of A, and the barriers lie in front.
  std::set<std::string> buffers;
  const Outcome outcome = run("tensor_copy_fills_what_is_read", {}, "uniform", {17, 19, 200});
  for (const Finding& finding : outcome.product.findings) buffers.insert(finding.buffer);
  EXPECT_EQ(buffers, (std::set<std::string>{"signals", "tensor_copy_tiles"}));
}

TEST(Findings, AMisalignedLoadIsCountedOncePerLoad) {
  const Outcome outcome = run("misaligned_float4");
  // Row r begins at 23 r floats: aligned for r = 0, 4, 8, 12, 16. The other 12 rows, 19 columns, 5 loads
  // each.
  expect_totals(of_kind(outcome, FindingKind::misaligned_access), 8, 12 * 19 * 5);
}

TEST(Findings, TheJudgeNamesTheNan) {
  const Outcome outcome = run("one_nan");
  EXPECT_EQ(outcome.judgement->non_finite, 1);
  EXPECT_EQ(outcome.judgement->failing, 1);
  EXPECT_EQ(outcome.judgement->worst.row, 16);
  EXPECT_EQ(outcome.judgement->worst.column, 18);
  EXPECT_FALSE(outcome.judgement->worst.got.has_value());
}

// Integers hide a lower precision and symmetric inputs hide a transposition: that is why the families differ,
// and what these two would slip through with the wrong ones.
TEST(Findings, TheWrongInputsHideAMutant) {
  EXPECT_EQ(run("tf32_inputs", {}, "coded").verdict.text(), "PASS");
  EXPECT_EQ(run("tf32_inputs", {}, "uniform").verdict.text(), "FAIL(wrong_value)");
  EXPECT_EQ(run("row_column_swapped", {}, "ones").verdict.text(), "PASS");
  EXPECT_EQ(run("row_column_swapped", {}, "coded").verdict.text(), "FAIL(wrong_value)");
}

std::string text_of(const Outcome& outcome) {
  std::string text = std::to_string(outcome.product.findings_total) + " in all\n";
  for (const Finding& finding : outcome.product.findings)
    text += finding.file + ":" + std::to_string(finding.line) + " " + finding.message + "\n";
  return text;
}

class FindingsByBlockOrder : public testing::TestWithParam<Order> {};

TEST_P(FindingsByBlockOrder, DoNotDependOnTheNumberOfWorkers) {
  const Order blocks = GetParam();
  for (const char* name :
       {"no_first_barrier", "no_row_mask_on_store", "no_zero_fill", "early_return", "misaligned_float4"}) {
    const std::string alone = text_of(run(name, {.block_order = blocks, .workers = 1}));
    for (const int workers : {2, 3})
      for (int again = 0; again < 5; ++again)
        ASSERT_EQ(text_of(run(name, {.block_order = blocks, .workers = workers})), alone)
            << name << ", " << workers << " workers";
  }
}

INSTANTIATE_TEST_SUITE_P(, FindingsByBlockOrder,
                         testing::Values(Order::forward, Order::reversed, Order::shuffled),
                         [](const auto& order) {
                           return order.param == Order::forward    ? "Forward"
                                  : order.param == Order::reversed ? "Reversed"
                                                                   : "Shuffled";
                         });

}  // namespace
}  // namespace tilewright
