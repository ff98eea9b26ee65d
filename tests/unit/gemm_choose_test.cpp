// SPDX-License-Identifier: MIT
//
// What auto chooses and why, on a GPU of paper.
#include <gtest/gtest.h>

#include <algorithm>

#include "gemm/auto.h"
#include "gemm/launch_plan.h"
#include "tests/unit/error_of.h"
#include "tests/unit/tuned_fixture.h"

namespace tilewright {
namespace {

std::string nothing_refused(const Rung&) { return {}; }

ChoiceRequest request_for(Shape shape, const std::string& gpu = "Paper GPU") {
  return {.problem = {shape.M, shape.N, shape.K, 100}, .gpu = gpu};
}

Choice choice_at(Shape shape, const Refusal& refusal = nothing_refused) {
  const TunedTable table = paper_table();
  return choose(request_for(shape), &table, paper_rungs(), refusal);
}

void expect_in(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "no '" << part << "' in: " << text;
}

TEST(Choose, TheSameShapeAsTuned) {
  const Choice choice = choice_at({4096, 4096, 64});
  EXPECT_EQ(choice.rung, "quads");
  EXPECT_EQ(choice.reason, "the fastest on Paper GPU at 4096x4096x64 (this shape)");
  ASSERT_FALSE(choice.runners_up.empty());
  EXPECT_EQ(choice.runners_up.front().rung, "large_tile");
  expect_in(choice.runners_up.front().why, "1.10 times as long as the fastest");
  EXPECT_TRUE(choice.passed_over.empty());
}

TEST(Choose, TheNearestShapeWithItsDistance) {
  const Choice choice = choice_at({4096, 8192, 64});
  EXPECT_EQ(choice.rung, "quads");
  expect_in(choice.reason, "at 4096x4096x64, the nearest tuned shape, log distance 1.00");
  EXPECT_EQ(choice_at({2, 2048, 4096}).rung, "few_rows");
  EXPECT_EQ(choice_at({2048, 2048, 2048}).rung, "large_tile");
}

// A unit of distance in alignment: near shapes of another class give way, much nearer ones do not.
TEST(Choose, AlignmentIsAnAxis) {
  EXPECT_EQ(choice_at({4095, 4097, 4093}).rung, "direct");
  EXPECT_EQ(choice_at({4096, 4096, 4092}).rung, "large_tile");
  EXPECT_EQ(choice_at({3, 4097, 4095}).rung, "few_rows");
  EXPECT_DOUBLE_EQ(log_distance({64, 64, 64}, {64, 64, 64}, {true, true}), 0);
  EXPECT_DOUBLE_EQ(log_distance({64, 64, 64}, {64, 64, 64}, {false, true}), 1);
  EXPECT_DOUBLE_EQ(log_distance({64, 64, 64}, {32, 64, 128}, {true, true}), std::sqrt(2.0));
}

TEST(Choose, UnalignedPointersAreAnotherClass) {
  const TunedTable table = paper_table();
  ChoiceRequest request = request_for({4096, 4096, 4096});
  request.base_alignment = 4;
  EXPECT_EQ(choose(request, &table, paper_rungs(), nothing_refused).rung, "direct");
  EXPECT_EQ(row_alignment({8, 8, 8}, 4), (RowAlignment{false, false}));
  EXPECT_EQ(name_of(row_alignment({8, 6, 8})), "A");
  EXPECT_EQ(name_of(row_alignment({8, 8, 6})), "B");
  EXPECT_EQ(name_of(row_alignment({8, 8, 8})), "both");
  EXPECT_EQ(name_of(row_alignment({8, 5, 7})), "neither");
}

TEST(Choose, TiesDoNotDependOnTheOrderOfRows) {
  TunedTable table = paper_table();
  table.rows = {{{64, 64, 64}, "direct", 1, "", 0}, {{256, 256, 256}, "quads", 1, "", 0}};
  const ChoiceRequest request = request_for({128, 128, 128});
  EXPECT_EQ(choose(request, &table, paper_rungs(), nothing_refused).rung, "quads") << "more work";
  std::reverse(table.rows.begin(), table.rows.end());
  EXPECT_EQ(choose(request, &table, paper_rungs(), nothing_refused).rung, "quads");
  table.rows = {{{128, 64, 64}, "direct", 1, "", 0}, {{64, 128, 64}, "quads", 1, "", 0}};
  EXPECT_EQ(choose(request_for({64, 64, 64}), &table, paper_rungs(), nothing_refused).rung, "quads");
  std::reverse(table.rows.begin(), table.rows.end());
  EXPECT_EQ(choose(request_for({64, 64, 64}), &table, paper_rungs(), nothing_refused).rung, "quads");
}

TEST(Choose, FarBeyondTheTableStaysWithItsBorder) {
  EXPECT_EQ(choice_at({2147483647, 2147483647, 2147483647}).rung, "direct") << "odd, like 4097x4095x4093";
  EXPECT_EQ(choice_at({1 << 30, 1 << 30, 1 << 30}).rung, "large_tile");
  EXPECT_EQ(choice_at({1, 1 << 30, 1 << 30}).rung, "few_rows");
  EXPECT_EQ(choice_at({1 << 20, 1 << 20, 4}).rung, "quads");
}

TEST(Choose, WhatCannotBeLaunchedGivesWayToTheNextNearest) {
  const Refusal no_quads = [](const Rung& rung) {
    return std::string_view(rung.name) == "quads" ? std::string("blocks in y: it asks for 65537")
                                                  : std::string();
  };
  const Choice choice = choice_at({4096, 4096, 64}, no_quads);
  EXPECT_EQ(choice.rung, "large_tile");
  expect_in(choice.reason, "1.10 times as long");
  expect_in(choice.reason, "; not quads: blocks in y: it asks for 65537");
  ASSERT_EQ(choice.passed_over.size(), 1U);
  EXPECT_EQ(choice.passed_over.front().rung, "quads");
}

TEST(Choose, TheLimitsOfAGridAreRespected) {
  const Shape tall{65535LL * 128, 16, 16};
  const auto refusal = [&](const Rung& rung) {
    return launch_refusal(rung, Problem{tall.M, tall.N, tall.K, 100});
  };
  const Choice choice = choice_at(tall, refusal);
  for (const Option& option : choice.passed_over) expect_in(option.why, "blocks in y");
  EXPECT_FALSE(choice.passed_over.empty());
  EXPECT_EQ(choice.rung, "large_tile") << "65535 blocks down are the most there may be";
  expect_error(
      [&] {
        choice_at({2147483647, 16, 16}, [](const Rung&) { return "blocks in y"; });
      },
      Code::unsupported, {"auto", "2147483647x16x16", "blocks in y"});
}

TEST(Choose, ATunedRungThatTheProgramLacks) {
  TunedTable table = paper_table();
  table.rows = {{{64, 64, 64}, "renamed", 1, "direct", 2}};
  const Choice choice = choose(request_for({64, 64, 64}), &table, paper_rungs(), nothing_refused);
  EXPECT_EQ(choice.rung, "direct");
  expect_in(choice.reason, "; not renamed: it is not in this program");
}

TEST(Choose, AnUntunedGpuGetsASafeDefaultAndSaysSo) {
  const TunedTable table = paper_table();
  const Choice other = choose(request_for({64, 64, 64}, "Other"), &table, paper_rungs(), nothing_refused);
  EXPECT_EQ(other.rung, "direct");
  EXPECT_EQ(other.reason, "untuned GPU 'Other': safe default");
  EXPECT_EQ(choose(request_for({64, 64, 64}, ""), nullptr, paper_rungs(), nothing_refused).reason,
            "no GPU computes this: safe default");
  ChoiceRequest slice = request_for({64, 64, 64});
  slice.problem.multiprocessors = 14;
  expect_in(choose(slice, &table, paper_rungs(), nothing_refused).reason,
            "has 14 multiprocessors here, 100 where it was tuned: safe default");
  TunedTable empty = paper_table();
  empty.rows.clear();
  expect_in(choose(request_for({64, 64, 64}), &empty, paper_rungs(), nothing_refused).reason, "has no rows");
  // A program with none of the defaults uses the last of its own.
  const std::vector<Rung> others{rung_named("one"), rung_named("two")};
  EXPECT_EQ(choose(request_for({64, 64, 64}, ""), nullptr, others, nothing_refused).rung, "two");
  expect_error(
      [&] {
        choose(request_for({64, 64, 64}), nullptr, {}, nothing_refused);
      },
      Code::unsupported, {"there is no rung"});
}

TEST(Choose, AChooserKnowsItsDevice) {
  const Chooser chooser(paper_rungs(), {paper_table()}, {{"gpu", "Paper GPU"}, {"multiprocessors", "100"}});
  const Chosen chosen = chooser.choose({1, 4096, 4096}, nothing_refused);
  EXPECT_STREQ(chosen.rung.name, "few_rows");
  EXPECT_EQ(chosen.choice.rung, "few_rows");
  const Chooser elsewhere(paper_rungs(), {paper_table()}, {{"device", "emulator"}});
  EXPECT_STREQ(elsewhere.choose({1, 4096, 4096}, nothing_refused).rung.name, "direct");
  EXPECT_TRUE(is_auto(auto_kernel()));
  EXPECT_FALSE(is_auto(paper_rungs().front()));
}

TEST(LaunchPlan, CountsBlocksTilesAndWaves) {
  const LaunchPlan plan = plan_launch(rung_named("r", 64), {1000, 130, 7, 10});
  EXPECT_EQ(plan.grid.x, 3);
  EXPECT_EQ(plan.grid.y, 16);
  EXPECT_EQ(plan.blocks, 48);
  EXPECT_EQ(plan.tiles, 48);
  EXPECT_EQ(plan.splits, 1);
  EXPECT_EQ(plan.waves, 5);
  EXPECT_EQ(plan_launch(rung_named("r", 64), {1000, 130, 7, 0}).waves, std::nullopt);
  EXPECT_FALSE(plan.first_grid);
  Rung two = rung_named("r", 16);
  two.first = {.kernel = [](const float*, const float*, float*, int, int, int, float*) {},
               .block = {32, 1},
               .grid = [](const Problem& p) -> Grid {
                 return {p.K, 2, 3};
               }};
  EXPECT_EQ(plan_launch(two, {1000, 130, 7, 10}).first_grid->count(), 42);
  EXPECT_EQ(launch_refusal(rung_named("r", 16), {1000, 130, 7, 0}), "");
  expect_in(launch_refusal(rung_named("r", 64), {1000, 130, 7, 0}), "threads per block");
}

}  // namespace
}  // namespace tilewright
