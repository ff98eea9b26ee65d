// SPDX-License-Identifier: MIT
//
// Every committed record of the bench is counted again, and the counting sees what is wrong when something is.
#include <gtest/gtest.h>

#include <functional>

#include "bench/agreement_page.h"
#include "report/audit.h"

namespace tilewright {
namespace {

const std::string kBench = TILEWRIGHT_SOURCE_DIR "/results/h200/bench/";

TEST(BenchResults, EveryFigureFollowsFromItsSamples) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kBench)) {
    ++files;
    EXPECT_EQ(entry.path().extension(), ".jsonl") << entry.path();
    const std::vector<Json> records = read_records(entry.path().string());
    ASSERT_FALSE(records.empty()) << entry.path();
    const Json& run = records.front();
    EXPECT_EQ(run.at("revision").get<std::string>().size(), 40U) << entry.path();
    EXPECT_FALSE(run.at("dirty").get<bool>()) << entry.path();
    EXPECT_EQ(run.at("environment").at("gpu"), "NVIDIA H200") << entry.path();
    for (const std::string& problem : bench_contradictions({entry.path().filename(), records}))
      ADD_FAILURE() << problem;
    for (const Json& record : records)
      EXPECT_FALSE(record.value("role", "") == "rung" &&
                   record.at("verdict").get<std::string>().rfind("FAIL", 0) == 0)
          << entry.path() << ": " << record.at("kernel");
  }
  EXPECT_GE(files, 8U);
}

// The first record that answers to these.
Json& find(std::vector<Json>& records, const std::string& kind, const std::string& key,
           const std::string& value) {
  for (Json& record : records)
    if (record.at("record") == kind && record.at(key) == value) return record;
  throw std::runtime_error("no " + kind + " with " + key + " " + value);
}

TEST(BenchResults, WhatDoesNotFollowIsSeen) {
  const std::vector<Json> good = read_records(kBench + "bench_control_boost.jsonl");
  ASSERT_TRUE(bench_contradictions({"good", good}).empty());
  struct Row {
    const char* problem;
    std::function<void(std::vector<Json>&)> change;
  };
  const auto rung = [](std::vector<Json>& records) -> Json& {
    return find(records, "timing", "role", "rung");
  };
  const auto itself = [](std::vector<Json>& records) -> Json& {
    return find(records, "comparison", "rival", "itself");
  };
  const std::vector<Row> rows{
      {"is of another schema", [&](auto& all) { rung(all)["schema"] = 2; }},
      {"is not the run", [&](auto& all) { all.erase(all.begin()); }},
      {"is of no known kind", [&](auto& all) { rung(all)["record"] = "timimg"; }},
      {"has the verdict PASSED", [&](auto& all) { rung(all)["verdict"] = "PASSED"; }},
      {"has a sample that is no time", [&](auto& all) { rung(all)["samples_us"][3] = -1.0; }},
      {"has a summary that is not of its samples",
       [&](auto& all) { rung(all)["summary_us"]["median"] = 30.0; }},
      {"has TFLOP/s that are not of its median", [&](auto& all) { rung(all)["tflops"] = 9.0; }},
      {"has a fraction that is not of its run's",
       [&](auto& all) { all[0]["ceilings"]["fma_tflops"] = 61.0; }},
      {"is above the measured ceiling", [&](auto& all) { all[0]["ceilings"]["fma_tflops"] = 10.0; }},
      {"is below resolution", [&](auto& all) { all[0]["calibration"]["empty_launch_us"] = 40.0; }},
      {"was not right: verified_after", [&](auto& all) { rung(all)["verified_after"]["pass"] = false; }},
      {"lacks a part of clock_mhz", [&](auto& all) { rung(all)["clock_mhz"].erase(0); }},
      {"has ratios that are not of the samples", [&](auto& all) { itself(all)["ratios"][0] = 1.5; }},
      {"does not follow from its ratios", [&](auto& all) { itself(all)["verdict"] = "FASTER"; }},
      {"sees what is not there", [&](auto& all) { itself(all)["verdict"] = "FASTER"; }},
      {"compares what was not timed", [&](auto& all) { itself(all)["kernel"] = "another"; }},
      {"does not compare with the best of cuBLAS",
       [&](auto& all) {
         Json& best = find(all, "comparison", "rival", "cublas")["rival_is"];
         best = best == "cublaslt" ? "cublas_default" : "cublaslt";
       }},
      {"lacks timings of rungs", [&](auto& all) { rung(all)["role"] = "control"; }},
  };
  for (const Row& row : rows) {
    std::vector<Json> records = good;
    row.change(records);
    const std::vector<std::string> problems = bench_contradictions({"changed", records});
    EXPECT_TRUE(std::any_of(
        problems.begin(), problems.end(),
        [&](const std::string& problem) { return problem.find(row.problem) != std::string::npos; }))
        << row.problem << ", but: " << (problems.empty() ? "nothing" : problems.front());
  }
}

}  // namespace
}  // namespace tilewright
