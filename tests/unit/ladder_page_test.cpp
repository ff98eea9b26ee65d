// SPDX-License-Identifier: MIT
//
// docs/ladder.md of records that are made up: what is shown where, what is marked, what is missing, what is refused.
#include "bench/ladder_page.h"

#include <gtest/gtest.h>

#include "tests/unit/bench_records_fixture.h"
#include "tests/unit/error_of.h"

namespace tilewright {
namespace {

constexpr Shape square(std::int64_t edge) { return {edge, edge, edge}; }

LadderStep step(const std::string& name, std::vector<std::string> rungs, const std::string& folder = "") {
  return {
      "kernels/fp32/" + folder + name + ".md", "idea of " + name, std::move(rungs), {"predicted", "decided"}};
}

// Three steps at 1024: the second faster than the first, the third slower than the second.
LadderSources three_steps() {
  LadderSources sources;
  sources.steps = {step("00_one", {"one"}), step("01_two", {"two_a", "two_b"}),
                   step("02_three", {"three"}, "candidates/")};
  std::vector<Json> records{made_up_run()};
  append(records, made_up_cell(1, "one", square(1024), 400, 0.25, "SLOWER"));
  append(records, made_up_cell(2, "two_a", square(1024), 200, 0.5, "SLOWER"));
  append(records, made_up_cell(3, "two_b", square(1024), 100, 0.995, "AMBIGUOUS"));
  append(records, made_up_cell(4, "three", square(1024), 125, 0.8, "SLOWER"));
  sources.bench = {{"results/some.jsonl", records}};
  return sources;
}

void expect_parts(const std::string& page, const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    EXPECT_NE(page.find(part), std::string::npos) << part << "\nin\n" << page;
}

TEST(LadderPage, EveryRungHasItsTextAndItsFigures) {
  expect_parts(
      ladder_page(three_steps()),
      {"### two\n\n- Idea: idea of 01_two ([its page](../kernels/fp32/01_two.md))\n"
       "- Predicted effect: predicted\n- Limiting resource of `two_a`: not profiled yet\n",
       "- Decision: decided\n",
       // 2·1024³ in 200 µs; of a ceiling of 50.
       "| two_a | 1024 | 200.0 | 10.74 | 50.0 % | 21.5 % | 2.000 | PASS | 1 |\n",
       "| two_b | 1024 | 100.0 | 21.47 | 99.5 % (AMBIGUOUS) | 42.9 % | 4.000 | PASS | 1 |\n",
       "| two_b | 2048 | - | - | - | - | - | no record | - |\n",
       "| 1 | [some.jsonl](../results/some.jsonl) | 2026-01-02 | 0123456789ab | No GPU | 1.2.3 | 4.5 | 6.7 | "
       "warm | boost | device | 50.0 |\n"});
}

TEST(LadderPage, ASlowerRungStaysAndIsMarked) {
  const std::string page = ladder_page(three_steps());
  expect_parts(page, {"| three | 1024 | 125.0 | 17.18 | 80.0 % | 34.4 % | **0.800 slower** | PASS | 1 |\n",
                      "| three (candidate) | - | 17.18 **↓** | - | - | - | not profiled yet |\n",
                      "| two_b | - | 21.47 | - | - | - | not profiled yet |\n"});
  EXPECT_LT(page.find("### two\n"), page.find("## Candidates\n"));
  EXPECT_LT(page.find("## Candidates\n"), page.find("### three\n"));
}

TEST(LadderPage, WithinOnePerCentIsNotSlower) {
  LadderSources sources = three_steps();
  append(sources.bench[0].records, made_up_cell(5, "one", square(2048), 1000, 0.5, "SLOWER"));
  append(sources.bench[0].records, made_up_cell(6, "two_a", square(2048), 1009, 0.5, "SLOWER"));
  append(sources.bench[0].records, made_up_cell(7, "two_b", square(2048), 1011, 0.5, "SLOWER"));
  expect_parts(ladder_page(sources), {"| 0.991 | PASS", "| **0.989 slower** | PASS"});
}

TEST(LadderPage, ARatioAcrossRunsSaysSo) {
  LadderSources sources = three_steps();
  std::vector<Json> later{made_up_run("2026-03-01T00:00:00Z")};
  append(later, made_up_cell(1, "two_b", square(1024), 50, 1.9, "FASTER"));
  sources.bench.push_back({"results/later.jsonl", later});
  expect_parts(ladder_page(sources),
               {"| two_b | 1024 | 50.0 | 42.95 | 190.0 % | 85.9 % | 8.000 † | PASS | 2 |"});
}

TEST(LadderPage, AVerdictWithoutAFigureIsShownAsItIs) {
  LadderSources sources = three_steps();
  append(sources.bench[0].records,
         {made_up_timing(5, "one", square(4096), "rung", {}, "UNSUPPORTED(too slow)"),
          made_up_timing(6, "two_a", square(4096), "rung", 9e3, "UNSTABLE(drift)"),
          made_up_timing(7, "two_b", square(4096), "rung", {}, "FAIL(hang)")});
  expect_parts(ladder_page(sources),
               {"| one | 4096 | - | - | - | - | - | UNSUPPORTED(too slow) | 1 |\n",
                "| two_a | 4096 | 9000.0 | 15.27 | - | 30.5 % | - | UNSTABLE(drift) | 1 |\n",
                "| one | - | 5.37 | - | UNSUPPORTED | - |",
                "| two_b | 4096 | - | - | - | - | - | FAIL(hang) | 1 |\n"});
}

TEST(LadderPage, TheNewestProfileNamesTheLimit) {
  LadderSources sources = three_steps();
  const auto profile = [](const char* kernel, const char* started, Json limit) {
    return Json{
        {"schema", 1}, {"record", "profile"}, {"kernel", kernel}, {"started", started}, {"limit", limit}};
  };
  sources.profiles = {
      "results/profiles.jsonl",
      {profile("one", "2", {{"kind", "resource"}, {"resource", "FMA pipe"}, {"percent", 81.4}}),
       profile("one", "1", {{"kind", "resource"}, {"resource", "old"}, {"percent", 70}}),
       profile("two_a", "1", {{"kind", "latency"}, {"resource", "L1"}, {"percent", 40}}),
       profile("two_b", "1", {{"kind", "unknown"}, {"resource", ""}, {"percent", nullptr}})}};
  expect_parts(ladder_page(sources),
               {"- Limiting resource: FMA pipe, 81 % of its peak\n",
                "- Limiting resource of `two_a`: latency; busiest: L1, 40 % of its peak\n",
                "- Limiting resource of `two_b`: unknown\n", "- Limiting resource: not profiled yet\n"});
  sources.profiles.records[1]["schema"] = 7;
  expect_error([&] { ladder_page(sources); }, Code::bad_input,
               {"'results/profiles.jsonl'", "line 2 is no record of this schema"});
}

TEST(LadderPage, WithoutRecordsItSaysSo) {
  LadderSources sources = three_steps();
  sources.bench.clear();
  sources.sets = {{"odd", {{17, 19, 23}}}};
  expect_parts(
      ladder_page(sources),
      {"| one | - | - | - | - | - | not profiled yet |\n", "There are no records of `auto` yet.\n",
       "There are no records of a control yet.\n", "There are no records yet: no GPU has been measured.\n"});
  sources.steps.pop_back();
  EXPECT_EQ(ladder_page(sources).find("## Candidates"), std::string::npos);
}

TEST(LadderPage, AnotherSchemaIsRefused) {
  LadderSources sources = three_steps();
  sources.bench[0].records[1]["schema"] = 2;
  expect_error([&] { ladder_page(sources); }, Code::bad_input, {"'results/some.jsonl'", "line 2"});
}

TEST(LadderPage, TheControlShowsItsOutcome) {
  LadderSources sources = three_steps();
  append(sources.bench[0].records, {made_up_timing(9, "one", square(512), "rung", 80.0),
                                    made_up_timing(9, "one", square(512), "control", 81.0),
                                    made_up_comparison(9, "one", square(512), "itself", 0.99, "AMBIGUOUS")});
  expect_parts(ladder_page(sources),
               {"| one | 512x512x512 | warm | boost | 0.9900 | 0.9800 … 1.0000 | AMBIGUOUS | 1 |\n"});
}

}  // namespace
}  // namespace tilewright
