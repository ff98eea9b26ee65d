// SPDX-License-Identifier: MIT
//
// Of many runs the newest figure, with its run; and records that are none of ours refused by file and line.
#include "report/bench_records.h"

#include <gtest/gtest.h>

#include "tests/unit/bench_records_fixture.h"
#include "tests/unit/error_of.h"

namespace tilewright {
namespace {

constexpr Shape k512{512, 512, 512};

BenchFile file_of(const std::string& name, const Json& run, const std::vector<Json>& records) {
  BenchFile file{name, {run}};
  append(file.records, records);
  return file;
}

TEST(BenchRecords, TheNewestRunIsShownWhateverItsFileIsCalled) {
  const BenchFile newer =
      file_of("a", made_up_run("2026-02-01T00:00:00Z"), made_up_cell(1, "r", k512, 10, 0.5, "SLOWER"));
  const BenchFile older =
      file_of("b", made_up_run("2026-01-01T00:00:00Z"), made_up_cell(1, "r", k512, 20, 0.25, "SLOWER"));
  for (const auto& files : {std::vector{newer, older}, std::vector{older, newer}}) {
    const BenchRecords records(files);
    const BenchedCell* cell = records.find("r", k512, "warm");
    ASSERT_NE(cell, nullptr);
    EXPECT_EQ(*cell->microseconds, 10);
    EXPECT_EQ(records.runs()[cell->run].file, "a");
    EXPECT_NEAR(cell->tflops, 26.84, 0.01);
    EXPECT_NEAR(cell->of_ceiling, 26.84 / 50, 0.001);
    EXPECT_EQ(cell->cublas->median, 0.5);
    EXPECT_EQ(cell->cublas_microseconds, 5);
  }
}

TEST(BenchRecords, WhatWasNotMeasuredHidesNoMeasurementAndWhatFailedDoes) {
  const BenchFile measured = file_of(
      "a", made_up_run("2026-01-01T00:00:00Z"),
      {made_up_timing(1, "slow", k512, "rung", 10.0), made_up_timing(2, "wrong", k512, "rung", 10.0)});
  const BenchFile later =
      file_of("b", made_up_run("2026-02-01T00:00:00Z"),
              {made_up_timing(1, "slow", k512, "rung", {},
                              "UNSUPPORTED(8 launches take 9 ms, more than --seconds allows)"),
               made_up_timing(2, "wrong", k512, "rung", {}, "FAIL(wrong_value)")});
  for (const auto& files : {std::vector{measured, later}, std::vector{later, measured}}) {
    const BenchRecords records(files);
    EXPECT_EQ(records.find("slow", k512, "warm")->verdict, "PASS");
    EXPECT_EQ(records.find("wrong", k512, "warm")->verdict, "FAIL(wrong_value)");
    EXPECT_FALSE(records.find("wrong", k512, "warm")->microseconds);
  }
}

TEST(BenchRecords, CachesAndModesAreNotMixed) {
  const BenchRecords records({file_of("a", made_up_run("2026-01-01T00:00:00Z", "rotate"),
                                      {made_up_timing(1, "r", k512, "rung", 10.0)}),
                              file_of("b", made_up_run("2026-01-02T00:00:00Z", "warm", "sustained"),
                                      {made_up_timing(1, "r", k512, "rung", 20.0),
                                       made_up_comparison(1, "r", k512, "itself", 1.0, "SAME")})});
  EXPECT_EQ(records.find("r", k512, "warm"), nullptr);
  EXPECT_EQ(*records.find("r", k512, "rotate")->microseconds, 10);
  ASSERT_EQ(records.controls().size(), 1U);
  EXPECT_EQ(records.controls()[0].itself.verdict, "SAME");
}

// All shapes of which the operands do not fit share the number of the cell before.
TEST(BenchRecords, WhatIsRefusedTogetherIsKeptApart) {
  const BenchRecords records({file_of("a", made_up_run(),
                                      {made_up_timing(0, "p", k512, "rung", {}, "UNSUPPORTED(memory)"),
                                       made_up_timing(0, "q", k512, "rung", {}, "UNSUPPORTED(memory)")})});
  EXPECT_NE(records.find("p", k512, "warm"), nullptr);
  EXPECT_NE(records.find("q", k512, "warm"), nullptr);
}

TEST(BenchRecords, WhatIsNoneOfOursIsRefusedByFileAndLine) {
  const auto refused = [](const std::vector<Json>& records, const std::string& rule) {
    expect_error([&] { BenchRecords({{"some.jsonl", records}}); }, Code::bad_input, {"'some.jsonl'", rule});
  };
  Json other_schema = made_up_timing(1, "r", k512, "rung", 10.0);
  other_schema["schema"] = 2;
  refused({made_up_run(), other_schema}, "line 2 is no record of this schema");
  refused({made_up_run(), Json{{"schema", 1}}}, "line 2 is no record of this schema");
  refused({made_up_timing(1, "r", k512, "rung", 10.0)}, "line 1 is not the run");
  Json without_shape = made_up_timing(1, "r", k512, "rung", 10.0);
  without_shape.erase("shape");
  refused({made_up_run(), without_shape}, "line 2 does not fit");
  refused({made_up_run(), made_up_timing(1, "r", k512, "rung", {})}, "line 2 does not fit");
  refused({made_up_run(), made_up_comparison(1, "r", k512, "cublas", 1, "SAME")}, "line 2 does not fit");
  refused({made_up_run(), made_up_run("2026-01-01T00:00:00Z", "warm", "boost", "Another")},
          "one page is of one GPU");
}

}  // namespace
}  // namespace tilewright
