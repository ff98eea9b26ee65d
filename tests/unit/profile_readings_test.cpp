// SPDX-License-Identifier: MIT
//
// Quantities from metrics: each by name and in its unit, two of them computed, none made up where a metric is missing;
// and what the model says of a launch beforehand.
#include "cli/profile_readings.h"

#include <gtest/gtest.h>

#include <set>

#include "cli/profile_model.h"
#include "device/catalog.h"
#include "tests/unit/fake_ncu.h"

namespace tilewright {
namespace {

std::vector<Metric> metrics_in(const std::string& fixture) {
  std::vector<Metric> metrics;
  for (const Metric& metric : parse_ncu_csv(ncu_fixture(fixture))) metrics.push_back(in_base_units(metric));
  return metrics;
}

const Reading& find(const std::vector<Reading>& readings, const std::string& quantity) {
  for (const Reading& reading : readings)
    if (reading.quantity == quantity) return reading;
  throw std::runtime_error("no quantity " + quantity);
}

TEST(ProfileReadings, ReadsEveryQuantityInItsUnit) {
  const std::vector<Reading> readings = readings_of(metrics_in("profile.csv"), {});
  const auto measured = [&](const char* quantity) { return measured_of(readings, quantity).value_or(-1); };
  EXPECT_EQ(measured("blocks"), 4);
  EXPECT_EQ(measured("threads_per_block"), 1024);
  EXPECT_EQ(measured("registers_per_thread"), 31);
  EXPECT_EQ(measured("static_shared_bytes"), 8192);
  EXPECT_EQ(measured("duration"), 7250);
  EXPECT_EQ(measured("dram_read_bytes"), 34816);
  EXPECT_EQ(measured("l1_bytes"), 81920);
  EXPECT_EQ(measured("occupancy_achieved"), 49.5);
  EXPECT_EQ(measured("sectors_per_load"), 4);
  EXPECT_EQ(measured("sectors_per_store"), 4);
  EXPECT_EQ(measured("local_loads"), 0);
  for (const Reading& reading : readings)
    EXPECT_EQ(reading.measured.has_value(), reading.quantity != "gmma") << reading.quantity;
}

TEST(ProfileReadings, WhatIsMissingIsNamedAndNotZero) {
  const std::vector<Reading> readings = readings_of(metrics_in("good.csv"), {});
  EXPECT_EQ(measured_of(readings, "registers_per_thread"), 31);
  const Reading& dram = find(readings, "dram_read_bytes");
  EXPECT_EQ(dram.measured, std::nullopt);
  EXPECT_EQ(dram.metrics, std::vector<std::string>{"dram__bytes_read.sum"});
  EXPECT_EQ(measured_of(readings, "sectors_per_load"), 4);  // without the counters of cp.async
  EXPECT_EQ(measured_of(readings, "no such quantity"), std::nullopt);
}

TEST(ProfileReadings, CopiesByCpAsyncAreLoadsAndNoRequestsHaveNoSectors) {
  const std::string of = "_pipe_lsu_mem_global_op_";
  const auto per_load = [&](double sectors, double copied, double requests, double copies) {
    return measured_of(readings_of({{"l1tex__t_sectors" + of + "ld.sum", "", sectors},
                                    {"l1tex__t_sectors" + of + "ldgsts.sum", "", copied},
                                    {"l1tex__t_requests" + of + "ld.sum", "", requests},
                                    {"l1tex__t_requests" + of + "ldgsts.sum", "", copies}},
                                   {}),
                       "sectors_per_load");
  };
  EXPECT_EQ(per_load(0, 64, 0, 4), 16);
  EXPECT_EQ(per_load(8, 64, 8, 4), 6);
  EXPECT_EQ(per_load(0, 0, 0, 0), std::nullopt);
}

TEST(ProfileReadings, StallsComeLargestFirstAndTheUnknownLast) {
  std::vector<std::string> stalls;
  for (const Reading& reading : readings_of(metrics_in("profile.csv"), {}))
    if (reading.section == "stalls") stalls.push_back(reading.quantity);
  ASSERT_GE(stalls.size(), 4U);
  EXPECT_EQ(stalls[0], "long_scoreboard");
  EXPECT_EQ(stalls[1], "short_scoreboard");
  EXPECT_EQ(stalls[2], "mio_throttle");
  EXPECT_EQ(stalls.back(), "gmma");
}

TEST(ProfileReadings, NoQuantityOrMetricTwiceAndNoneThatInstrumentsTheKernel) {
  std::set<std::string> quantities, metrics;
  for (const Reading& reading : readings_of({}, {}))
    EXPECT_TRUE(quantities.insert(reading.quantity).second) << reading.quantity;
  for (const std::string& name : reading_metrics()) {
    EXPECT_TRUE(metrics.insert(name).second) << name;
    EXPECT_EQ(name.find("sass"), std::string::npos) << name;
  }
}

class ProfileModel : public testing::Test {
 protected:
  void SetUp() override { catalog_.load_folder(TILEWRIGHT_LIB_DIR "/rungs"); }
  Predictions predict(const std::string& rung, Shape shape, const LaunchedOn& machine) const {
    return predict_launch(catalog_.find(rung), shape, machine);
  }
  Catalog catalog_;
};

TEST_F(ProfileModel, SaysWhatFollowsFromRungShapeAndRegisters) {
  Predictions model = predict("shared_tile_32", {4096, 4096, 4096},
                              {.architecture = "sm_90", .multiprocessors = 100, .registers_per_thread = 31});
  EXPECT_EQ(model["blocks"].value, 128 * 128);
  EXPECT_EQ(model["blocks"].by, "rung");
  EXPECT_EQ(model["threads_per_block"].value, 1024);
  EXPECT_EQ(model["static_shared_bytes"].value, 8192);
  EXPECT_EQ(model["fma_pipe_instructions"].value, 4096.0 * 4096 * 4096 / 32);
  EXPECT_EQ(model["dram_read_bytes"].value, 4.0 * 2 * 4096 * 4096);
  EXPECT_EQ(model["dram_write_bytes"].value, 4.0 * 4096 * 4096);
  // 32 registers a thread as they are handed out: two blocks of 32 warps fill the SM's 64.
  EXPECT_EQ(model["blocks_by_registers"].value, 2);
  EXPECT_EQ(model["blocks_by_warps"].value, 2);
  EXPECT_EQ(model["occupancy_possible"].value, 100);
  EXPECT_EQ(model["waves"].value, 128.0 * 128 / 200);
}

TEST_F(ProfileModel, CountsWhatRaggedTilesAdd) {
  Predictions model = predict("shared_tile_32", {33, 31, 1}, {});
  EXPECT_EQ(model["blocks"].value, 2);
  EXPECT_EQ(model["fma_pipe_instructions"].value, 2 * 32 * 32);
  EXPECT_EQ(model["dram_read_bytes"].value, 4.0 * (33 + 31));
}

TEST_F(ProfileModel, SaysNothingOfOccupancyWhereItKnowsTooLittle) {
  const Shape shape{64, 64, 64};
  EXPECT_EQ(
      predict("direct", shape, {.architecture = "sm_12", .multiprocessors = 100, .registers_per_thread = 31})
          .count("occupancy_possible"),
      0U);
  EXPECT_EQ(
      predict("direct", shape, {.architecture = "sm_90", .multiprocessors = 100}).count("occupancy_possible"),
      0U);
  const Predictions without_gpu =
      predict("direct", shape, {.architecture = "sm_90", .registers_per_thread = 31});
  EXPECT_EQ(without_gpu.count("occupancy_possible"), 1U);
  EXPECT_EQ(without_gpu.count("waves"), 0U);
}

TEST(ProfileEmulated, AddsWhatTheEmulatorCounted) {
  Prediction emulated;
  emulated.global_reads = {.requests = 512, .sectors = 2048};
  emulated.global_writes = {.requests = 128, .sectors = 512};
  emulated.shared_reads = {.requests = 8, .wavefronts = 16, .bank_conflicts = 8};
  Predictions predictions;
  add_emulated(predictions, emulated);
  EXPECT_EQ(predictions["sectors_per_load"].value, 4);
  EXPECT_EQ(predictions["sectors_per_load"].by, "emulator");
  EXPECT_EQ(predictions["l1_bytes"].value, 32 * (2048 + 512));
  EXPECT_EQ(predictions["load_bank_conflicts"].value, 8);
  EXPECT_EQ(predictions["store_bank_conflicts"].value, 0);
  // Every name is one of a quantity that is read.
  const std::vector<Reading> readings = readings_of({}, predictions);
  for (const auto& [quantity, predicted] : predictions)
    EXPECT_TRUE(find(readings, quantity).predicted) << quantity;
}

TEST_F(ProfileModel, EveryPredictionIsOfAQuantityThatIsRead) {
  const Predictions predictions = predict(
      "direct", {64, 64, 64}, {.architecture = "sm_90", .multiprocessors = 132, .registers_per_thread = 31});
  const std::vector<Reading> readings = readings_of({}, predictions);
  for (const auto& [quantity, predicted] : predictions)
    EXPECT_TRUE(find(readings, quantity).predicted) << quantity;
}

}  // namespace
}  // namespace tilewright
