// SPDX-License-Identifier: MIT
#include "bench/regression.h"

#include <fmt/format.h>

#include <fstream>
#include <map>
#include <optional>

#include "bench/records.h"
#include "core/error.h"
#include "core/shape.h"

namespace tilewright {
namespace {

// Bigger is slower.
struct Estimate {
  double median = 0, low = 0, high = 0;
};

struct Entry {
  std::string verdict;
  std::optional<Estimate> time, over_cublas;
};

std::string key_of(const Json& record) {
  const Json& shape = record.at("shape");
  return fmt::format("{} at {}, {}, {}, {}", record.at("kernel").get<std::string>(),
                     to_string(Shape{shape.at(0), shape.at(1), shape.at(2)}),
                     record.at("cache").get<std::string>(), record.at("mode").get<std::string>(),
                     record.at("boundary").get<std::string>());
}

Estimate estimate_of(const Json& summary) {
  const Json& interval = summary.at("median_interval");
  return {summary.at("median"), interval.at("low"), interval.at("high")};
}

// Own time over cuBLAS's, from the record's cuBLAS's over own.
std::optional<Estimate> inverse(const Estimate& ratio) {
  if (!(ratio.low > 0)) return std::nullopt;
  return Estimate{1 / ratio.median, 1 / ratio.high, 1 / ratio.low};
}

std::map<std::string, Entry> entries_of(const std::vector<Json>& records) {
  std::map<std::string, Entry> entries;
  for (const Json& record : records) {
    const std::string kind = record.at("record");
    if (kind == "timing" && record.at("role") == "rung") {
      Entry& entry = entries[key_of(record)];
      entry.verdict = record.at("verdict");
      if (record.contains("summary_us")) entry.time = estimate_of(record["summary_us"]);
    } else if (kind == "comparison" && record.at("rival") == "cublas") {
      entries[key_of(record)].over_cublas = inverse(estimate_of(record));
    }
  }
  return entries;
}

std::string gpu_of(const std::vector<Json>& records) {
  for (const Json& record : records)
    if (record.at("record") == "run") return record.at("environment").value("gpu", "");
  throw bad_input("--gate", "", "has no run record");
}

bool is_wrong(const std::string& verdict) {
  return verdict.rfind("FAIL", 0) == 0 || verdict.rfind("REJECTED", 0) == 0;
}

// Empty when it is not slower.
std::string slowdown(const Estimate& before, const Estimate& now, const std::string& against) {
  if (!(before.median > 0) || now.median <= before.median * (1 + tolerated_slowdown) ||
      now.low <= before.high)
    return {};
  return fmt::format("{:.3f} times as long{}", now.median / before.median, against);
}

}  // namespace

std::vector<Json> read_bench_records(const std::string& path) {
  std::ifstream stream(path);
  std::vector<Json> records;
  bool run = false;
  for (std::string line; std::getline(stream, line);) {
    Json record = Json::parse(line, nullptr, false);
    if (!record.is_object() || record.value("schema", 0) != record_schema || !record.contains("record"))
      throw bad_input("--gate", path,
                      "line " + std::to_string(records.size() + 1) + " is no record of this schema");
    run = run || (record["record"] == "run" && record.value("command", "") == "bench");
    records.push_back(std::move(record));
  }
  if (!run) throw bad_input("--gate", path, "is not a file that `tilewright bench --out` wrote");
  return records;
}

GateResult find_regressions(const std::vector<Json>& before, const std::vector<Json>& now) {
  GateResult result;
  try {
    if (gpu_of(before) != gpu_of(now))
      throw bad_input("--gate", gpu_of(before), "is another GPU than this one, " + gpu_of(now));
    const std::map<std::string, Entry> old_entries = entries_of(before);
    for (const auto& [key, entry] : entries_of(now)) {
      const auto found = old_entries.find(key);
      if (found == old_entries.end() || !is_figure(found->second.verdict)) continue;
      const Entry& old = found->second;
      ++result.compared;
      std::string reason;
      if (is_wrong(entry.verdict))
        reason = "is " + entry.verdict + " and was " + old.verdict;
      else if (!is_figure(entry.verdict))
        --result.compared;
      else if (entry.over_cublas && old.over_cublas)
        reason = slowdown(*old.over_cublas, *entry.over_cublas, ", against cuBLAS");
      else if (entry.time && old.time)
        reason = slowdown(*old.time, *entry.time, "");
      if (!reason.empty()) result.regressions.push_back({key, reason});
    }
  } catch (const Json::exception& error) {
    throw bad_input("--gate", "", std::string("holds a record without its keys: ") + error.what());
  }
  if (result.compared == 0) throw bad_input("--gate", "", "has no measured rung in common with this run");
  return result;
}

}  // namespace tilewright
