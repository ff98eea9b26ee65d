// SPDX-License-Identifier: MIT
//
// A whole bench on a device made of paper: its records, what is possible, what is refused, and the gate.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "bench/possible.h"
#include "bench/regression.h"
#include "bench/run_bench.h"
#include "core/process.h"
#include "tests/unit/bench_fake.h"
#include "tests/unit/error_of.h"

namespace tilewright {
namespace {

BenchRequest request_for(std::vector<Rung> kernels, std::vector<Shape> shapes = {{256, 256, 256}}) {
  BenchRequest request;
  request.kernels = std::move(kernels);
  request.shapes = std::move(shapes);
  request.plan.seconds = 0.5;
  request.origin = {std::string(40, 'a'), false, "2026-01-01T00:00:00Z"};
  return request;
}

BenchResult run(TimingDevice& device, const BenchRequest& request) { return run_bench(device, request, {}); }

std::vector<Json> of_kind(const BenchResult& result, const std::string& kind) {
  std::vector<Json> records;
  for (const Json& record : result.records)
    if (record["record"] == kind) records.push_back(record);
  return records;
}

void expect_finite(const Json& json) {
  if (json.is_number_float()) {
    EXPECT_TRUE(std::isfinite(json.get<double>()));
  }
  if (json.is_structured())
    for (const Json& value : json) expect_finite(value);
}

std::vector<Rival> two_rivals(FakeStand& stand) {
  std::vector<Rival> rivals;
  rivals.push_back({"cublas_default", {}, {}});
  rivals.back().candidates.push_back(std::make_unique<NoisyContender>("cublas_default", stand, 90));
  rivals.push_back({"cublaslt", {}, {}});
  for (const double microseconds : {80.0, 50.0})
    rivals.back().candidates.push_back(std::make_unique<NoisyContender>("cublaslt", stand, microseconds));
  rivals.push_back({"cublas_pedantic", {}, "libcublas cannot be loaded"});
  return rivals;
}

TEST(BenchRun, RecordsHoldWhatIsNeededToCountAgain) {
  FakeDevice device;
  device.rivals_of = two_rivals;
  BenchRequest request = request_for({rung_named("own")});
  request.control = true;
  const BenchResult result = run(device, request);
  EXPECT_FALSE(result.failed);
  for (const Json& record : result.records) {
    EXPECT_EQ(record["schema"], record_schema);
    expect_finite(record);
    EXPECT_EQ(Json::parse(record.dump()).dump(), record.dump());
  }
  const Json& header = result.records.front();
  EXPECT_EQ(header["record"], "run");
  EXPECT_EQ(header["ceilings"]["fma_tflops"], 60.0);
  EXPECT_EQ(header["calibration"]["flushed_over_cached_load"], 2.5);
  EXPECT_EQ(header["cache"], "warm");
  const std::vector<Json> timings = of_kind(result, "timing");
  ASSERT_EQ(timings.size(), 4U);
  EXPECT_EQ(timings[0]["role"], "rung");
  EXPECT_EQ(timings[1]["role"], "control");
  EXPECT_EQ(timings[2]["role"], "rival");
  for (const Json& timing : timings) {
    EXPECT_EQ(timing["verdict"], "PASS") << timing.dump();
    EXPECT_EQ(timing["samples_us"].size(), timing["summary_us"]["samples"]);
    EXPECT_EQ(timing["clock_mhz"].size(), timing["samples_us"].size());
    EXPECT_TRUE(timing["power_w"][0].is_null()) << "unknown is no number";
    EXPECT_TRUE(timing["verified_before"]["pass"]);
    EXPECT_TRUE(timing["verified_after"]["pass"]);
  }
  EXPECT_EQ(timings[3]["description"]["tried"].size(), 2U) << "the heuristic list with its times";
}

TEST(BenchRun, CublasIsTheFastestWayToCallIt) {
  FakeDevice device;
  device.rivals_of = two_rivals;
  const BenchResult result = run(device, request_for({rung_named("own")}));  // 100 us against 50
  ASSERT_EQ(result.rows.size(), 1U);
  EXPECT_EQ(result.rows[0].cublas, "SLOWER");
  EXPECT_NEAR(*result.rows[0].against_cublas, 0.5, 0.01);
  const std::vector<Json> comparisons = of_kind(result, "comparison");
  ASSERT_EQ(comparisons.size(), 3U);
  EXPECT_EQ(comparisons.back()["rival"], "cublas");
  EXPECT_EQ(comparisons.back()["rival_is"], "cublaslt");
  EXPECT_EQ(comparisons.back()["ratios"].size(), 24U);
  ASSERT_EQ(of_kind(result, "rival").size(), 1U);
  EXPECT_EQ(of_kind(result, "rival")[0]["verdict"], "UNAVAILABLE(libcublas cannot be loaded)");
}

TEST(BenchRun, TheControlSaysSame) {
  FakeDevice device;
  device.make = [](const std::string& name, FakeStand& stand) {
    return std::make_unique<NoisyContender>(name, stand, 100);
  };
  BenchRequest request = request_for({rung_named("own")});
  request.control = true;
  const BenchResult result = run(device, request);
  EXPECT_EQ(result.rows[0].control, "SAME");
  EXPECT_FALSE(result.failed);
}

TEST(BenchRun, AControlThatSeesADifferenceFails) {
  FakeDevice device;
  int made = 0;
  device.make = [&](const std::string& name, FakeStand& stand) {
    return std::make_unique<FakeContender>(name, stand, made++ == 0 ? 100 : 110);
  };
  BenchRequest request = request_for({rung_named("own")});
  request.control = true;
  EXPECT_TRUE(run(device, request).failed);
}

TEST(BenchRun, TooFastIsRejected) {
  struct Row {
    double microseconds;
    const char* verdict;
  };
  for (const Row& row : {Row{100, "PASS"}, Row{0.4, "REJECTED(below resolution)"},
                         Row{1.7, "PASS"}}) {  // 256^3 in 1.7 us: 19.7 TFLOP/s
    FakeDevice device;
    device.make = [&](const std::string& name, FakeStand& stand) {
      return std::make_unique<FakeContender>(name, stand, row.microseconds);
    };
    const BenchResult result = run(device, request_for({rung_named("own")}));
    EXPECT_EQ(result.rows[0].verdict, row.verdict) << row.microseconds;
    EXPECT_EQ(result.failed, std::string(row.verdict) != "PASS");
  }
  // 1024^3 in 30 us would be 71.6 TFLOP/s where 60 are possible.
  FakeDevice device;
  device.make = [](const std::string& name, FakeStand& stand) {
    return std::make_unique<FakeContender>(name, stand, 30);
  };
  const BenchResult result = run(device, request_for({rung_named("own")}, {{1024, 1024, 1024}}));
  EXPECT_EQ(result.rows[0].verdict, "REJECTED(above the measured ceiling)");
  EXPECT_TRUE(of_kind(result, "comparison").empty());
}

TEST(BenchRun, MemorysCeilingHoldsWhereCachesDoNot) {
  const FakeDevice device;
  const Shape shape{1, 8192, 8192};  // 268 MB: 64 us at 4200 GB/s
  TimingPlan plan;
  const auto judged = [&](double microseconds) {
    return impossibility(shape, microseconds, 10, plan, device.ceilings_, device.calibration_);
  };
  EXPECT_EQ(judged(40), "");
  plan.cache = Cache::rotate;
  EXPECT_EQ(judged(40), "above the measured ceiling");
  EXPECT_EQ(judged(66), "");
  EXPECT_EQ(judged(std::nan("")), "below resolution");
}

TEST(BenchRun, OneWrongRungDoesNotCostTheOthers) {
  FakeDevice device;
  device.make = [](const std::string& name, FakeStand& stand) -> std::unique_ptr<Contender> {
    if (name == "refused") throw Error(Code::unsupported, name, "", "threads per block");
    if (name == "stops") return std::make_unique<StopsAfter>(name, stand, 30);
    return std::make_unique<FakeContender>(name, stand, 100);
  };
  const BenchResult result =
      run(device, request_for({rung_named("refused"), rung_named("stops"), rung_named("good")},
                              {{64, 64, 64}, {200000, 64, 64}}));
  ASSERT_EQ(result.rows.size(), 6U);
  EXPECT_EQ(result.rows[0].verdict, "UNSUPPORTED(threads per block)");
  EXPECT_EQ(result.rows[1].verdict, "FAIL(unwritten_output)");
  EXPECT_EQ(result.rows[2].verdict, "PASS");
  EXPECT_EQ(result.rows[5].verdict, "UNSUPPORTED(the GPU has too little free memory)");
  EXPECT_TRUE(result.failed);
  EXPECT_EQ(result.measured, 1U);
}

TEST(BenchRun, AFaultKeepsWhatWasMeasured) {
  FakeDevice device;
  device.make = [](const std::string& name, FakeStand& stand) -> std::unique_ptr<Contender> {
    if (name == "faults") return std::make_unique<Faults>(name, stand, 5);
    return std::make_unique<FakeContender>(name, stand, 100);
  };
  const BenchResult result =
      run(device, request_for({rung_named("good"), rung_named("faults"), rung_named("never")}));
  ASSERT_EQ(result.rows.size(), 2U);
  EXPECT_EQ(result.rows[0].verdict, "PASS");
  EXPECT_EQ(result.rows[1].kernel, "faults");
  EXPECT_EQ(result.rows[1].verdict, "FAIL(fault)");
  EXPECT_TRUE(result.lost && result.failed);
}

TEST(BenchRun, AFlushThatDoesNotShowIsNone) {
  FakeDevice device;
  device.calibration_.flush_ratio = 1.05;
  BenchRequest request = request_for({rung_named("own")});
  run(device, request);
  request.plan.cache = Cache::cold;
  BenchListener listener;
  listener.keep = [](const Json& record) { ADD_FAILURE() << record; };
  expect_error([&] { run_bench(device, request, listener); }, Code::unavailable, {"--cache", "UNAVAILABLE("});
}

TEST(BenchRun, RecordsAreHandedOverAsTheyCome) {
  FakeDevice device;
  std::vector<Json> kept;
  std::vector<std::size_t> known;  // whenever a new cell begins
  BenchListener listener;
  listener.say = [&](const std::string&) { known.push_back(kept.size()); };
  listener.keep = [&](const Json& record) { kept.push_back(record); };
  const BenchResult result = run_bench(device, request_for({rung_named("a"), rung_named("b")}), listener);
  EXPECT_EQ(known, (std::vector<std::size_t>{1, 2})) << "the run; the run and the first timing";
  EXPECT_EQ(kept, result.records);
}

std::vector<Json> records_at(double microseconds, bool rival) {
  FakeDevice device;
  device.make = [=](const std::string& name, FakeStand& stand) {
    return std::make_unique<NoisyContender>(name, stand, microseconds);
  };
  if (rival) device.rivals_of = two_rivals;
  return run(device, request_for({rung_named("own")})).records;
}

TEST(BenchGate, SlowerIsARegressionAndTheRestIsNot) {
  for (const bool rival : {false, true}) {
    const std::vector<Json> before = records_at(100, rival);
    const GateResult slower = find_regressions(before, records_at(106, rival));
    ASSERT_EQ(slower.regressions.size(), 1U);
    EXPECT_EQ(slower.regressions[0].what, "own at 256x256x256, warm, boost, device");
    EXPECT_NE(slower.regressions[0].reason.find(rival ? "against cuBLAS" : "times as long"),
              std::string::npos);
    for (const double microseconds : {100.0, 102.0, 80.0}) {
      const GateResult same = find_regressions(before, records_at(microseconds, rival));
      EXPECT_EQ(same.compared, 1U);
      EXPECT_TRUE(same.regressions.empty()) << microseconds;
    }
  }
}

TEST(BenchGate, WrongNowIsARegression) {
  FakeDevice device;
  device.make = [](const std::string& name, FakeStand& stand) {
    return std::make_unique<Writes>(name, stand, 7.0F);
  };
  const GateResult result =
      find_regressions(records_at(100, false), run(device, request_for({rung_named("own")})).records);
  ASSERT_EQ(result.regressions.size(), 1U);
  EXPECT_EQ(result.regressions[0].reason, "is FAIL(wrong_value) and was PASS");
}

TEST(BenchGate, WhatCannotBeComparedIsRefused) {
  const std::vector<Json> before = records_at(100, false);
  std::vector<Json> elsewhere = before;
  elsewhere[0]["environment"]["gpu"] = "another";
  expect_error([&] { find_regressions(before, elsewhere); }, Code::bad_input, {"--gate", "another GPU"});
  const std::vector<Json> only_header{before[0]};
  expect_error([&] { find_regressions(before, only_header); }, Code::bad_input,
               {"no measured rung in common"});
  std::vector<Json> broken = before;
  broken[1].erase("shape");
  expect_error([&] { find_regressions(before, broken); }, Code::bad_input, {"without its keys"});
}

TEST(BenchGate, AFileIsReadBackOrRefused) {
  const TemporaryFolder folder;
  const std::string good = folder.file("good.jsonl"), bad = folder.file("bad.jsonl"),
                    other = folder.file("o.jsonl");
  const std::vector<Json> records = records_at(100, true);
  std::ofstream stream(good);
  for (const Json& record : records) stream << record.dump() << "\n";
  stream.close();
  EXPECT_EQ(read_bench_records(good).size(), records.size());
  std::ofstream(bad) << records[0].dump() << "\n{half";
  expect_error([&] { read_bench_records(bad); }, Code::bad_input, {"line 2"});
  std::ofstream(other) << R"({"schema":1,"record":"run"})";
  expect_error([&] { read_bench_records(other); }, Code::bad_input, {"tilewright bench --out"});
  expect_error([&] { read_bench_records(folder.file("none")); }, Code::bad_input, {"--gate"});
}

}  // namespace
}  // namespace tilewright
