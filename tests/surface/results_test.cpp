// SPDX-License-Identifier: MIT
//
// Reads every record under results/ back: whole JSON lines of the schema, from a clean revision, with the
// environment they were measured in; and what the evidence says must hold: every rung passed, the checkers
// were clean, and the wrong kernels were caught.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <stdexcept>

#include "cli/app.h"
#include "device/catalog.h"

namespace tilewright {
namespace {

const std::string folder = TILEWRIGHT_SOURCE_DIR "/results/h200/";

std::vector<Json> records_of(const std::string& path) {
  std::ifstream stream(path);
  std::vector<Json> records;
  for (std::string line; std::getline(stream, line);) records.push_back(Json::parse(line));
  if (records.empty()) throw std::runtime_error("no records in " + path);
  return records;
}

void expect_keys(const Json& record, const std::vector<std::string>& keys) {
  for (const std::string& key : keys) EXPECT_TRUE(record.contains(key)) << key << " in " << record.dump();
}

void expect_origin(const Json& record) {
  expect_keys(record, {"revision", "dirty", "started", "environment"});
  EXPECT_EQ(record["revision"].get<std::string>().size(), 40U);
  EXPECT_FALSE(record["dirty"].get<bool>());
  EXPECT_EQ(record["environment"]["gpu"], "NVIDIA H200");
  expect_keys(record["environment"], {"compute_capability", "driver_cuda", "toolkit", "flags"});
}

std::set<std::string> ladder_names() {
  Catalog catalog;
  catalog.load_folder(TILEWRIGHT_LIB_DIR "/rungs");
  std::set<std::string> names;
  for (const Rung& rung : catalog.rungs()) names.insert(rung.name);
  return names;
}

TEST(Results, EveryFileHoldsWholeRecordsOfTheSchema) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".jsonl") continue;
    ++files;
    for (const Json& record : records_of(entry.path().string())) {
      EXPECT_EQ(record["schema"], record_schema) << entry.path();
      const std::string kind = record["record"];
      if (kind == "run" || kind == "multiply" || kind == "profile") expect_origin(record);
      if (kind == "cell")
        expect_keys(record, {"kernel", "contract", "precision", "shape", "inputs", "seed", "verdict"});
      if (kind == "sanitizer")
        expect_keys(record, {"tool", "kernel", "shapes", "errors", "cell_verdicts", "verdict"});
      if (kind == "profile")
        expect_keys(record, {"kernel", "symbol", "contract", "precision", "shape", "inputs", "seed",
                             "predicted", "metrics", "sass", "agreement", "verdict"});
      if (kind == "profile" && record.contains("readings")) {
        expect_keys(record, {"limit", "metrics_missing", "emulator", "replay_passes"});
        expect_keys(record["environment"], {"ncu", "clock_control", "cache_control", "replay_mode"});
      }
      EXPECT_TRUE((std::set<std::string>{"run", "cell", "multiply", "sanitizer", "profile"}.count(kind)))
          << kind;
    }
  }
  EXPECT_GE(files, 8U);
}

TEST(Results, EveryRungPassedTheWholePlanOnTheGpu) {
  const std::vector<Json> records = records_of(folder + "check.jsonl");
  std::map<std::string, std::size_t> passed;
  std::set<std::string> on_digits;
  for (const Json& record : records) {
    if (record["record"] != "cell") continue;
    EXPECT_EQ(record["verdict"], "PASS") << record.dump();
    ++passed[record["kernel"]];
    if (record["inputs"] == "operands") on_digits.insert(record["kernel"].get<std::string>());
  }
  std::size_t total = 0;
  for (const auto& [kernel, cells] : passed) total += cells;
  std::size_t planned = 0;  // over the runs: a rung that changed ran again
  for (const Json& record : records)
    if (record["record"] == "run") planned += record["planned"].get<std::size_t>();
  EXPECT_EQ(total, planned);
  // Tiles of one row or one column have fewer edges to go to.
  const std::set<std::string> of_vectors{"few_rows_1", "few_rows_1_narrow", "dot_rows"};
  for (const std::string& name : ladder_names()) {
    EXPECT_GE(passed[name], of_vectors.count(name) ? 700U : 780U) << name;
    EXPECT_TRUE(on_digits.count(name)) << name;
  }
}

// With ones the sum is K: what is left out or taken twice shows at some residue of K.
TEST(Results, EveryRungCountsOnesAtEveryResidueOfK) {
  std::map<std::string, std::set<std::int64_t>> residues;
  for (const Json& record : records_of(folder + "ones.jsonl")) {
    if (record["record"] != "cell") continue;
    EXPECT_EQ(record["verdict"], "PASS") << record.dump();
    if (record["inputs"] != "ones") continue;
    residues[record["kernel"]].insert(record["shape"][2].get<std::int64_t>() % 64);
  }
  for (const std::string& name : ladder_names()) EXPECT_EQ(residues[name].size(), 64U) << name;
  // cuBLAS ran the same; its verdicts are what they are.
  std::map<std::string, std::size_t> cells;
  for (const Json& record : records_of(folder + "ones_cublas.jsonl"))
    if (record["record"] == "cell" && record["inputs"] == "ones") ++cells[record["kernel"]];
  EXPECT_EQ(cells, (std::map<std::string, std::size_t>{
                       {"cublas_default", 64}, {"cublas_pedantic", 64}, {"cublaslt", 64}}));
}

TEST(Results, AHundredLaunchesGaveTheSameBits) {
  std::set<std::string> steady;
  for (const Json& record : records_of(folder + "launches.jsonl")) {
    if (record["record"] != "cell") continue;
    EXPECT_EQ(record["verdict"], "PASS") << record.dump();
    EXPECT_GE(record["launches"], 100);
    EXPECT_EQ(record["differing_launches"], 0);
    steady.insert(record["kernel"].get<std::string>());
  }
  // Atomic additions come in no fixed order, and that was seen.
  for (const Json& record : records_of(folder + "launches_atomic.jsonl")) {
    if (record["record"] != "cell") continue;
    EXPECT_EQ(record["verdict"], "FAIL(differs_between_launches)") << record.dump();
    steady.insert(record["kernel"].get<std::string>());
  }
  EXPECT_EQ(steady, ladder_names());
}

TEST(Results, TheDigitsProductWasVerified) {
  const Json record = records_of(folder + "multiply.jsonl").front();
  EXPECT_EQ(record["shape"], (Json{1797, 1797, 64}));
  EXPECT_TRUE(record["verified"].get<bool>());
  EXPECT_EQ(record["verdict"], "PASS");
}

TEST(Results, MemoryAndRaceCheckersWereCleanOnEveryRung) {
  for (const char* tool : {"memcheck", "racecheck", "initcheck", "synccheck"}) {
    std::set<std::string> clean;
    for (const Json& record : records_of(folder + "sanitizer_" + tool + ".jsonl")) {
      if (record["record"] != "sanitizer") continue;
      EXPECT_EQ(record["verdict"], "PASS") << record.dump();
      EXPECT_EQ(record["errors"], 0);
      EXPECT_EQ(record["cell_verdicts"].size(), record["shapes"].size());
      clean.insert(record["kernel"].get<std::string>());
    }
    EXPECT_EQ(clean, ladder_names()) << tool;
  }
}

TEST(Results, RacecheckCaughtBothBarrierMutants) {
  std::map<std::string, std::string> verdicts;
  for (const Json& record : records_of(folder + "mutants_racecheck.jsonl"))
    if (record["record"] == "sanitizer") verdicts[record["kernel"]] = record["verdict"];
  EXPECT_EQ(verdicts, (std::map<std::string, std::string>{{"no_first_barrier", "FAIL(racecheck)"},
                                                          {"no_second_barrier", "FAIL(racecheck)"}}));
}

TEST(Results, AFaultAHangAndARefusalCostTheirOwnCellOnly) {
  std::map<std::string, std::string> verdicts;
  for (const char* file : {"mutants_fault.jsonl", "mutants_refused.jsonl"})
    for (const Json& record : records_of(folder + file))
      if (record["record"] == "cell") verdicts[record["kernel"]] = record["verdict"];
  EXPECT_EQ(verdicts["wild_write"], "FAIL(fault)");
  EXPECT_EQ(verdicts["endless_loop_with_loads"], "FAIL(hang)");
  EXPECT_EQ(verdicts["honest_float4"], "PASS");
  const std::string refused = verdicts["honest_launch_bounds"];
  EXPECT_EQ(refused.rfind("UNSUPPORTED(", 0), 0U) << refused;
  EXPECT_NE(refused.find("1024"), std::string::npos) << refused;
  EXPECT_NE(refused.find("256"), std::string::npos) << refused;
}

}  // namespace
}  // namespace tilewright
