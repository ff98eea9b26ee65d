// SPDX-License-Identifier: MIT
//
// Made-up records that are whole, as a report reads them: every summary follows from its samples. No kernel was ever this
// fast.
#pragma once

#include <numeric>

#include "bench/possible.h"
#include "bench/statistics.h"
#include "report/document.h"

namespace tilewright {

inline std::string lines_of(const std::vector<Json>& records) {
  std::string text;
  for (const Json& record : records) text += record.dump() + "\n";
  return text;
}

inline Json whole_run(std::size_t planned, const std::string& started = "2026-01-02T03:04:05Z",
                      const std::string& gpu = "No GPU") {
  Json kernels = Json::array();
  for (std::size_t i = 0; i < planned; ++i) kernels.push_back("kernel");
  return {{"schema", 1},
          {"record", "run"},
          {"command", "bench"},
          {"revision", "0123456789abcdef"},
          {"dirty", false},
          {"started", started},
          {"environment", {{"gpu", gpu}, {"driver", "1.2.3"}, {"toolkit", "4.5"}, {"cublas", "6.7"}}},
          {"ceilings", {{"fma_tflops", 50.0}, {"copy_gbps", 3000.0}, {"read_gbps", 4000.0}}},
          {"calibration",
           {{"event_pair_us", 1.0},
            {"single_launch_us", 3.0},
            {"empty_launch_us", 1.0},
            {"flushed_over_cached_load", 2.0}}},
          {"rules",
           {{"confidence", 0.99}, {"same_band", 0.01}, {"largest_spread", 0.1}, {"largest_drift", 0.05}}},
          {"seed", 1},
          {"cache", "warm"},
          {"mode", "boost"},
          {"boundary", "device"},
          {"planned", planned},
          {"kernels", kernels},
          {"shapes", {{1, 1, 1}}}};
}

inline Json whole_head(const std::string& record, std::int64_t cell, const std::string& kernel, Shape shape) {
  return {{"schema", 1},
          {"record", record},
          {"cell", cell},
          {"kernel", kernel},
          {"contract", "library"},
          {"inputs", "uniform"},
          {"seed", 1},
          {"shape", {shape.M, shape.N, shape.K}},
          {"cache", "warm"},
          {"mode", "boost"},
          {"boundary", "device"}};
}

inline Json whole_timing(std::int64_t cell, const std::string& kernel, Shape shape, const std::string& role,
                         const std::vector<double>& samples) {
  const Summary summary = summarise(samples);
  Json record = whole_head("timing", cell, kernel, shape);
  record.update({{"role", role},
                 {"verdict", "PASS"},
                 {"launches_per_batch", 10},
                 {"verified_before", {{"pass", true}}},
                 {"verified_after", {{"pass", true}}},
                 {"summary_us",
                  {{"samples", samples.size()},
                   {"smallest", summary.smallest},
                   {"quarter", summary.quarter},
                   {"median", summary.median},
                   {"three_quarters", summary.three_quarters},
                   {"largest", summary.largest},
                   {"median_interval", {{"low", summary.interval.low}, {"high", summary.interval.high}}}}},
                 {"tflops", tflops(shape, summary.median)},
                 {"fraction_of_fma_ceiling", tflops(shape, summary.median) / 50.0},
                 {"samples_us", samples}});
  for (const char* column : {"batch_wall_us", "position_in_round", "clock_mhz", "power_w", "throttle_bits"})
    record[column] = std::vector<int>(samples.size(), 0);
  return record;
}

inline Json whole_comparison(std::int64_t cell, const std::string& kernel, Shape shape,
                             const std::string& rival, const std::string& rival_is,
                             const std::vector<double>& own, const std::vector<double>& other) {
  std::vector<double> ratios(own.size());
  for (std::size_t i = 0; i < own.size(); ++i) ratios[i] = other[i] / own[i];
  const Comparison comparison = compare_paired(ratios);
  Json record = whole_head("comparison", cell, kernel, shape);
  record.update({{"rival", rival},
                 {"rival_is", rival_is},
                 {"ratios", ratios},
                 {"median", comparison.median},
                 {"median_interval", {{"low", comparison.interval.low}, {"high", comparison.interval.high}}},
                 {"verdict", comparison.verdict}});
  return record;
}

// So many samples from `first` on, each `step` more than the one before.
inline std::vector<double> samples_from(double first, double step, std::size_t count = 20) {
  std::vector<double> samples(count);
  for (std::size_t i = 0; i < count; ++i) samples[i] = first + step * static_cast<double>(i % 5);
  return samples;
}

// A rung with its samples, in turn with a cuBLAS that takes 100 µs and a little.
inline void add_whole_cell(std::vector<Json>& records, std::int64_t cell, const std::string& kernel,
                           Shape shape, const std::vector<double>& samples) {
  const std::vector<double> rival = samples_from(100, 0.01, samples.size());
  records.push_back(whole_timing(cell, kernel, shape, "rung", samples));
  records.push_back(whole_timing(cell, "cublaslt", shape, "rival", rival));
  for (const char* name : {"cublaslt", "cublas"})
    records.push_back(whole_comparison(cell, kernel, shape, name, "cublaslt", samples, rival));
}

inline constexpr Shape kSquare{512, 512, 512};

// One run with the rungs `first` and `second` of two steps.
inline std::vector<Json> whole_records(double first_us, double second_us, const std::string& gpu = "No GPU") {
  std::vector<Json> records{whole_run(2, "2026-01-02T03:04:05Z", gpu)};
  add_whole_cell(records, 1, "first", kSquare, samples_from(first_us, 0.01));
  add_whole_cell(records, 2, "second", kSquare, samples_from(second_us, 0.01));
  return records;
}

inline ReportInputs whole_inputs(const std::vector<std::vector<Json>>& sets) {
  ReportInputs inputs;
  for (const auto& records : sets) {
    const std::string name = "set" + std::to_string(inputs.sets.size() + 1);
    inputs.sets.push_back({name, {{name + "/a.jsonl", lines_of(records)}}});
  }
  inputs.steps = {{"kernels/fp32/01_first.md", "an idea", {"first"}, {"up", "kept"}},
                  {"kernels/fp32/02_second.md", "another", {"second"}, {"up again", "kept, and slower"}}};
  inputs.declared = {{"square", {kSquare}}};
  return inputs;
}

}  // namespace tilewright
