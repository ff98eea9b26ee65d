// SPDX-License-Identifier: MIT
//
// Reading what Nsight Compute prints: metrics by name with their units, and every way in which there is no report.
#include "cli/profile_csv.h"

#include <map>

#include "tests/unit/error_of.h"
#include "tests/unit/fake_ncu.h"

namespace tilewright {
namespace {

std::string fixture(const std::string& name) {
  std::string text = ncu_fixture(name);
  EXPECT_FALSE(text.empty()) << name;
  return text;
}

std::map<std::string, Metric> by_name(const std::string& text) {
  std::map<std::string, Metric> metrics;
  for (const Metric& metric : parse_ncu_csv(text)) metrics[metric.name] = metric;
  return metrics;
}

TEST(ProfileCsv, ReadsMetricsByNameWithUnitsAndThousandsSeparators) {
  auto metrics = by_name(fixture("good.csv"));
  EXPECT_EQ(metrics["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"].value, 2048);
  EXPECT_EQ(metrics["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"].unit, "sector");
  EXPECT_EQ(metrics["smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"].value, 262144);
  EXPECT_EQ(metrics["launch__registers_per_thread"].value, 31);
  EXPECT_EQ(metrics["launch__registers_per_thread"].unit, "register/thread");
  EXPECT_EQ(metrics["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"].value, 0);
  EXPECT_EQ(metrics["Kernel Name"].value, std::nullopt);
  EXPECT_EQ(ncu_failure(fixture("good.csv")), "");
}

TEST(ProfileCsv, ReadsTheSameWithCarriageReturns) {
  std::string text = fixture("good.csv");
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2)
    text.replace(at, 1, "\r\n");
  EXPECT_EQ(by_name(text)["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"].value, 512);
}

TEST(ProfileCsv, WhatNcuHasNoNumberForHasNoValue) {
  auto metrics = by_name(fixture("missing.csv"));
  EXPECT_EQ(metrics.at("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum").value, std::nullopt);
  EXPECT_EQ(metrics.at("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum").value, std::nullopt);
  EXPECT_EQ(metrics.count("smsp__sass_inst_executed_op_local_st.sum"), 0U);
  EXPECT_EQ(metrics.at("l1tex__t_requests_pipe_lsu_mem_global_op_st.sum").value, 128);
}

TEST(ProfileCsv, NotFiniteNumbersAreNoNumbers) {
  for (const char* text : {"nan", "inf", "-", "12 %", ""}) {
    const std::string table = std::string("\"ID\",\"a.sum\"\n\"\",\"\"\n\"0\",\"") + text + "\"\n";
    EXPECT_EQ(by_name(table).at("a.sum").value, std::nullopt) << text;
  }
}

TEST(ProfileCsv, SumsTheLaunchesOfSeveralKernels) {
  const std::string row = "\"ID\",\"a.sum\",\"b.sum\"\n\"\",\"\",\"\"\n\"0\",\"1,200\",\"7\"\n\"1\",\"34\",";
  const std::vector<Metric> both = parse_ncu_csv(row + "\"n/a\"\n", 2);
  EXPECT_EQ(value_of(both, "a.sum"), 1234);
  EXPECT_EQ(value_of(both, "b.sum"), std::nullopt) << "no sum without one of its terms";
  expect_error([&] { parse_ncu_csv(fixture("good.csv"), 2); }, Code::unavailable, {"1 launches, not 2"});
}

TEST(ProfileCsv, RefusesWhatIsNotTheReportOfOneLaunch) {
  const auto refused = [](const std::string& name, const std::string& reason) {
    SCOPED_TRACE(name);
    expect_error([&] { parse_ncu_csv(fixture(name)); }, Code::unavailable, {"ncu", reason});
  };
  refused("truncated.csv", "cut off");
  refused("no_launch.csv", "no launch");
  refused("two_launches.csv", "2 launches");
  refused("no_kernel.txt", "no table");
  refused("not_permitted.txt", "no table");
}

// Wherever the text ends, it is the whole report or none of it.
TEST(ProfileCsv, NoPrefixOfAReportIsReadAsOne) {
  const std::string text = fixture("good.csv");
  for (std::size_t length = 0; length + 2 < text.size(); ++length)
    EXPECT_TRUE(error_of([&] { parse_ncu_csv(text.substr(0, length)); })) << length;
}

TEST(ProfileCsv, SaysWhyThereIsNoReport) {
  EXPECT_NE(ncu_failure(fixture("not_permitted.txt")).find("ERR_NVGPUCTRPERM"), std::string::npos);
  EXPECT_EQ(ncu_failure(fixture("no_kernel.txt")), "ncu saw no launch of the kernel");
  EXPECT_EQ(ncu_failure(fixture("other_error.txt")), "Failed to initialize the profiler: LibraryNotLoaded");
}

TEST(ProfileCsv, FindsTheMetricsThatNcuDoesNotKnow) {
  const std::vector<std::string> asked{"smsp__inst_executed_op_shared_ld.sum", "smsp__inst_executed.sum",
                                       "sass__inst_executed_shared_loads", "launch__registers_per_thread"};
  EXPECT_EQ(
      metrics_unknown_to_ncu(fixture("unknown_metric.txt"), asked),
      (std::vector<std::string>{"smsp__inst_executed_op_shared_ld.sum", "sass__inst_executed_shared_loads"}));
  EXPECT_TRUE(metrics_unknown_to_ncu(fixture("good.csv"), asked).empty());
}

TEST(ProfileCsv, ConvertsBytesAndTimesAndLeavesOtherUnits) {
  const auto converted = [](const char* unit, std::optional<double> value) {
    const Metric metric = in_base_units({"a.sum", unit, value});
    return std::pair(metric.unit, metric.value);
  };
  using Pair = std::pair<std::string, std::optional<double>>;
  EXPECT_EQ(converted("byte", 12), Pair("byte", 12));
  EXPECT_EQ(converted("Kbyte", 1.5), Pair("byte", 1500));
  EXPECT_EQ(converted("Mbyte", 1.5), Pair("byte", 1500000));
  EXPECT_EQ(converted("Gbyte", 2), Pair("byte", 2e9));
  EXPECT_EQ(converted("Kbyte/block", 8.192), Pair("byte/block", 8192));
  EXPECT_EQ(converted("second", 2), Pair("nsecond", 2e9));
  EXPECT_EQ(converted("ms", 2), Pair("nsecond", 2e6));
  EXPECT_EQ(converted("usecond", 7.25), Pair("nsecond", 7250));
  EXPECT_EQ(converted("nsecond", 7), Pair("nsecond", 7));
  EXPECT_EQ(converted("%", 76.5), Pair("%", 76.5));
  EXPECT_EQ(converted("sector", 3), Pair("sector", 3));
  EXPECT_EQ(converted("", 3), Pair("", 3));
  EXPECT_EQ(converted("Mbyte", std::nullopt), Pair("byte", std::nullopt));
}

TEST(ProfileCsv, SaysInHowManyPassesTheKernelRan) {
  EXPECT_EQ(passes_of(fixture("good.csv")), 9);
  EXPECT_EQ(passes_of(fixture("profile.csv")), 31);
  EXPECT_EQ(passes_of("==PROF== Profiling \"direct\" - 0: 0%....100% - 1 pass\n"), 1);
  EXPECT_EQ(passes_of(fixture("no_kernel.txt")), std::nullopt);
}

}  // namespace
}  // namespace tilewright
