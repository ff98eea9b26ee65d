// SPDX-License-Identifier: MIT
//
// Made-up records of the bench, as short as a page of them needs; no kernel was ever this fast.
#pragma once

#include "report/bench_records.h"

namespace tilewright {

inline Json made_up_run(const std::string& started = "2026-01-02T03:04:05Z",
                        const std::string& cache = "warm", const std::string& mode = "boost",
                        const std::string& gpu = "No GPU") {
  return {{"schema", 1},
          {"record", "run"},
          {"command", "bench"},
          {"revision", "0123456789abcdef"},
          {"dirty", false},
          {"started", started},
          {"environment", {{"gpu", gpu}, {"driver", "1.2.3"}, {"toolkit", "4.5"}, {"cublas", "6.7"}}},
          {"ceilings", {{"fma_tflops", 50.0}}},
          {"cache", cache},
          {"mode", mode},
          {"boundary", "device"}};
}

inline Json made_up_timing(std::int64_t cell, const std::string& kernel, Shape shape, const std::string& role,
                           std::optional<double> microseconds, const std::string& verdict = "PASS") {
  Json record{{"schema", 1},       {"record", "timing"}, {"cell", cell},
              {"kernel", kernel},  {"role", role},       {"shape", {shape.M, shape.N, shape.K}},
              {"verdict", verdict}};
  if (microseconds) record["summary_us"] = {{"median", *microseconds}};
  return record;
}

inline Json made_up_comparison(std::int64_t cell, const std::string& kernel, Shape shape,
                               const std::string& rival, double ratio, const std::string& verdict) {
  return {{"schema", 1},
          {"record", "comparison"},
          {"cell", cell},
          {"kernel", kernel},
          {"shape", {shape.M, shape.N, shape.K}},
          {"rival", rival},
          {"rival_is", rival == "cublas" ? "cublaslt" : kernel},
          {"median", ratio},
          {"median_interval", {{"low", ratio - 0.01}, {"high", ratio + 0.01}}},
          {"verdict", verdict}};
}

// A rung beside cuBLAS, which takes `ratio` times as long.
inline std::vector<Json> made_up_cell(std::int64_t cell, const std::string& kernel, Shape shape,
                                      double microseconds, double ratio, const std::string& verdict) {
  return {made_up_timing(cell, kernel, shape, "rung", microseconds),
          made_up_timing(cell, "cublaslt", shape, "rival", microseconds * ratio),
          made_up_comparison(cell, kernel, shape, "cublas", ratio, verdict)};
}

inline void append(std::vector<Json>& records, const std::vector<Json>& more) {
  records.insert(records.end(), more.begin(), more.end());
}

}  // namespace tilewright
