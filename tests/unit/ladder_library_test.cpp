// SPDX-License-Identifier: MIT
//
// `auto` beside cuBLAS on the page of the ladder: every declared shape, means and worst of the targets, and the shapes
// that lose, which no mean may hide.
#include <gtest/gtest.h>

#include "bench/ladder_page.h"
#include "tests/unit/bench_records_fixture.h"

namespace tilewright {
namespace {

constexpr Shape k128{128, 128, 128}, k4096{4096, 4096, 4096}, kOdd{17, 19, 23}, kLong{1, 64, 64};

std::string page_of(const std::vector<Json>& warm, const std::vector<Json>& rotate = {}) {
  LadderSources sources;
  sources.sets = {{"square", {k128, k4096}}, {"odd", {kOdd, kLong, k128}}};
  std::vector<Json> records{made_up_run()};
  append(records, warm);
  sources.bench = {{"results/warm.jsonl", records}};
  records = {made_up_run("2026-01-02T03:04:05Z", "rotate")};
  append(records, rotate);
  sources.bench.push_back({"results/rotate.jsonl", records});
  return ladder_page(sources);
}

// From this heading to the next.
std::string section(const std::string& page, const std::string& heading) {
  const std::size_t at = page.find(heading);
  if (at == std::string::npos) return {};
  return page.substr(at, page.find("\n#", at + 1) - at);
}

void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << part << "\nin\n" << text;
}

std::vector<Json> mixed() {
  std::vector<Json> records;
  append(records, made_up_cell(1, "auto", k128, 10, 2.0, "FASTER"));
  append(records, made_up_cell(2, "auto", k4096, 2000, 0.5, "SLOWER"));
  append(records, made_up_cell(3, "auto", kOdd, 10, 0.8, "SLOWER"));
  append(records, made_up_cell(4, "auto", kLong, 10, 0.995, "AMBIGUOUS"));
  return records;
}

TEST(LadderLibrary, EveryDeclaredShapeIsShown) {
  const std::string page = page_of(mixed(), made_up_cell(1, "auto", kOdd, 20, 1.0, "SAME"));
  expect_parts(section(page, "### square"),
               {"| 128x128x128 | 10.0 | 20.0 | 2.000 | FASTER | 1 | - | - | - | no record | - |\n"});
  expect_parts(section(page, "### odd"),
               {"| 17x19x23 | 10.0 | 8.0 | 0.800 | SLOWER | 1 | 20.0 | 20.0 | 1.000 | SAME | 2 |\n"});
}

TEST(LadderLibrary, TargetsHaveTheirGeometricMeanAndTheirWorst) {
  expect_parts(section(page_of(mixed()), "### Targets"),
               {"| squares from 2048 | warm | 1 of 1 | 0.500 | 0.500 at 4096x4096x4096 | 1 | 0 |\n",
                "| squares below 2048 | warm | 1 of 1 | 2.000 | 2.000 at 128x128x128 | 0 | 0 |\n",
                "| odd | warm | 3 of 3 | 1.168 | 0.800 at 17x19x23 | 1 | 1 |\n",
                // A shape of two sets counts once: (2 · 0.5 · 0.8 · 0.995)^(1/4).
                "| all | warm | 4 of 4 | 0.945 | 0.500 at 4096x4096x4096 | 2 | 1 |\n",
                "| odd | rotate | 0 of 3 | not measured | - | - | - |\n"});
}

TEST(LadderLibrary, ShapesThatLoseAreATableOfTheirOwnTheWorstFirst) {
  const std::string lost =
      section(page_of(mixed(), made_up_cell(1, "auto", k128, 10, 0.7, "SLOWER")), "### Shapes that lose");
  expect_parts(
      lost,
      {"| 4096x4096x4096 | warm | 0.500 | 0.490 … 0.510 | 1 |\n| 128x128x128 | rotate | 0.700 | 0.690 … "
       "0.710 | 2 |\n| 17x19x23 | warm | 0.800 | 0.790 … 0.810 | 1 |\n",
       "(AMBIGUOUS):\n\n", "| 1x64x64 | warm | 0.995 | 0.985 … 1.005 | 1 |\n"});
  EXPECT_EQ(lost.find("None is SLOWER"), std::string::npos);
}

TEST(LadderLibrary, WhereNothingLosesItSaysSo) {
  const std::string lost =
      section(page_of(made_up_cell(1, "auto", k128, 10, 2.0, "FASTER")), "### Shapes that lose");
  expect_parts(lost, {"None is SLOWER"});
  EXPECT_EQ(lost.find("AMBIGUOUS"), std::string::npos);
  EXPECT_EQ(lost.find("No figure"), std::string::npos);
}

TEST(LadderLibrary, WhatIsWrongOrHasNoRivalHasNoRatio) {
  std::vector<Json> records{made_up_timing(1, "auto", k128, "rung", {}, "FAIL(wrong_value)"),
                            made_up_timing(2, "auto", k4096, "rung", 2000)};
  const std::string page = page_of(records);
  expect_parts(page, {"| 128x128x128 | - | - | - | FAIL(wrong_value) | 1 |",
                      "| 4096x4096x4096 | 2000.0 | - | - | no rival | 1 |",
                      "| all | warm | 0 of 4 | not measured | - | - | - |\n",
                      "No figure came of these:\n\n- 128x128x128, warm: FAIL(wrong_value)\n"});
}

}  // namespace
}  // namespace tilewright
