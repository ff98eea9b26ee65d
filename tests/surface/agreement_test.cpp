// SPDX-License-Identifier: MIT
//
// The records of predictions held against a GPU's counters: each rung is there at whole tiles and ragged, nothing is
// different, what the emulator predicted then it predicts now; and docs/agreement.md is what they make.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>

#include "bench/agreement_page.h"
#include "cli/profile_agreement.h"
#include "cli/trace.h"
#include "device/catalog.h"
#include "tests/surface/command.h"

namespace tilewright {
namespace {

const std::string kRecords = TILEWRIGHT_SOURCE_DIR "/results/h200/agreement.jsonl";

class AgreementRecords : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(kRecords))
      GTEST_SKIP() << "there are no records yet: agreement.sh has not been run on a GPU (docs/agreement.md)";
    records_ = read_records(kRecords);
    ASSERT_FALSE(records_.empty());
  }
  static Shape shape_of(const Json& record) {
    const Json& shape = record.at("shape");
    return {shape.at(0), shape.at(1), shape.at(2)};
  }
  std::vector<Json> records_;
};

TEST_F(AgreementRecords, NothingIsDifferent) {
  // What must have been counted, by whatever name this GPU counts it.
  const std::set<std::string> required{"global_load_requests",       "global_load_sectors",
                                       "global_store_sectors",       "shared_load_requests",
                                       "shared_load_bank_conflicts", "multiply_adds"};
  for (const Json& record : records_) {
    EXPECT_EQ(record.at("verdict"), "PASS") << record.at("kernel") << " " << record.at("shape");
    std::set<std::string> compared;
    for (const Json& agreement : record.at("agreement")) {
      const std::string status = agreement.at("status");
      EXPECT_TRUE(status == "equal" || status == "merged" || status == "arbitrated" || status == "masked" ||
                  status.rfind("unavailable(", 0) == 0)
          << record.at("kernel") << " " << record.at("shape") << " " << agreement.dump();
      EXPECT_EQ(status == "equal", agreement.at("measured") == agreement.at("predicted")) << agreement.dump();
      EXPECT_EQ(status == "merged" || status == "arbitrated" || status == "masked",
                agreement.contains("note"))
          << agreement.dump();
      if (!agreement.at("measured").is_null()) compared.insert(agreement.at("quantity").get<std::string>());
    }
    for (const std::string& quantity : required)
      EXPECT_TRUE(compared.count(quantity)) << quantity << " of " << record.at("kernel");
  }
}

TEST_F(AgreementRecords, EveryRungWasMeasuredAtThreeShapesOneRagged) {
  Catalog catalog;
  catalog.load_folder(TILEWRIGHT_LIB_DIR "/rungs");
  std::map<std::string, std::set<Shape>> shapes, ragged;
  for (const Json& record : records_) {
    const Shape shape = shape_of(record);
    const Rung& rung = catalog.find(record.at("kernel"));
    shapes[rung.name].insert(shape);
    // Nothing is ragged where a tile is one element long.
    const auto cuts = [](std::int64_t extent, int tile) { return tile == 1 || extent % tile != 0; };
    if (cuts(shape.M, rung.tile.BM) && cuts(shape.N, rung.tile.BN) && cuts(shape.K, rung.tile.BK))
      ragged[rung.name].insert(shape);
  }
  for (const Rung& rung : catalog.rungs()) {
    EXPECT_GE(shapes[rung.name].size(), 3U) << rung.name;
    EXPECT_GE(ragged[rung.name].size(), 1U) << rung.name;
  }
}

TEST_F(AgreementRecords, SharedTile32At1024HasTheKnownRequestsAndSectors) {
  std::map<std::string, Json> measured;
  for (const Json& record : records_)
    if (record.at("kernel") == "shared_tile_32" && shape_of(record) == Shape{1024, 1024, 1024})
      for (const Json& agreement : record.at("agreement")) {
        measured[agreement.at("quantity")] = agreement.at("measured");
      }
  EXPECT_EQ(measured["global_load_requests"], 2097152);
  EXPECT_EQ(measured["global_load_sectors"], 8388608);
}

// Every block of a small launch; of a large one, a few blocks of each kind.
Prediction predicted_now(const Rung& rung, Shape shape) {
  constexpr std::int64_t most_multiply_adds = 4 << 20;
  TraceRequest request;
  request.kernel.names = {rung.name};
  request.shape = to_string(shape);
  request.sample_blocks = shape.multiply_adds() > most_multiply_adds && is_block_a_tile(rung);
  const Trace trace = run_trace({.root = TILEWRIGHT_BINARY_DIR}, request);
  return predict_counters(trace.rung, trace.shape, trace.outcome.product.lines);
}

TEST_F(AgreementRecords, TheEmulatorStillPredictsTheSame) {
  Catalog catalog;
  catalog.load_folder(TILEWRIGHT_LIB_DIR "/rungs");
  for (const Json& record : records_) {
    const std::string kernel = record.at("kernel");
    const std::vector<Agreement> now =
        compare(predicted_now(catalog.find(kernel), shape_of(record)), {}, nullptr);
    ASSERT_EQ(now.size(), record.at("agreement").size());
    for (std::size_t i = 0; i < now.size(); ++i) {
      EXPECT_EQ(record.at("agreement")[i].at("quantity"), now[i].quantity);
      EXPECT_EQ(record.at("agreement")[i].at("predicted"), now[i].predicted)
          << now[i].quantity << " of " << kernel << " at " << record.at("shape");
    }
  }
}

// Nsight Compute has read these two numbers of a kernel of this kind on an H200; they need no record to be predicted.
TEST(AgreementPrediction, SharedTile32At1024HasTheKnownRequestsAndSectors) {
  Catalog catalog;
  catalog.load_folder(TILEWRIGHT_LIB_DIR "/rungs");
  const Prediction prediction = predicted_now(catalog.find("shared_tile_32"), {1024, 1024, 1024});
  EXPECT_EQ(prediction.global_reads.requests, 2097152);
  EXPECT_EQ(prediction.global_reads.sectors, 8388608);
  EXPECT_EQ(prediction.shared_reads.bank_conflicts, 0);
  EXPECT_EQ(prediction.multiply_adds, 1024LL * 1024 * 1024);
}

TEST(AgreementPage, IsWhatTheRecordsMake) {
  EXPECT_EQ(whole_file(TILEWRIGHT_SOURCE_DIR "/docs/agreement.md"), agreement_page(read_records(kRecords)))
      << "run ./dev docs";
}

// Made up, to see how each status is shown; no kernel of this name exists.
Json made_up_record(const std::string& shape) {
  const Shape extents = parse_shape(shape);
  const auto row = [](const char* quantity, Json predicted, Json measured, const char* status) {
    return Json{{"quantity", quantity}, {"predicted", predicted}, {"measured", measured}, {"status", status}};
  };
  return {
      {"kernel", "made_up"},
      {"revision", "0123456789abcdef"},
      {"shape", {extents.M, extents.N, extents.K}},
      {"environment", {{"gpu", "No GPU"}, {"ncu", "1.2"}}},
      {"sass", {{"arch", "sm_00"}, {"LDS", 32}, {"LDS.128", 8}}},
      {"metrics", {{{"name", "launch__registers_per_thread"}, {"value", 31}}}},
      {"agreement",
       {row("global_load_requests", 4096, 4096, "equal"), row("shared_load_requests", 16384, 10240, "merged"),
        row("multiply_adds", 1000, 1001, "different"), row("local_loads", 0, nullptr, "unavailable(none)")}}};
}

TEST(AgreementPage, ShowsEachStatusForWhatItIs) {
  const std::string page = agreement_page({made_up_record("8x8x8"), made_up_record("9x9x9")});
  for (const char* part :
       {"### made_up\n", "|  | 8x8x8 | 9x9x9 |\n", "| global load requests | 4,096 | 4,096 |\n",
        "| shared load requests | 10,240 *merged* from 16,384 |",
        "| multiply adds | **1,001** *different*, predicted 1,000 |", "| local loads | unavailable(none) |",
        "2 launches, 8 numbers: 2 equal, 2 merged, 0 arbitrated, 0 masked, 2 different, 2 unavailable.",
        "(sm_00), instructions: 32 LDS, 8 LDS.128; 31 registers a thread.",
        "Nsight Compute 1.2; source 0123456789ab\n"})
    EXPECT_NE(page.find(part), std::string::npos) << part << "\nin\n" << page;
  EXPECT_NE(agreement_page({}).find("There are no records yet"), std::string::npos);
  EXPECT_EQ(page.find("There are no records yet"), std::string::npos);
}

}  // namespace
}  // namespace tilewright
