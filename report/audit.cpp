// SPDX-License-Identifier: MIT
#include "report/audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "bench/possible.h"
#include "bench/records.h"
#include "judge/verdict.h"

namespace tilewright {
namespace {

class BenchAudit {
 public:
  explicit BenchAudit(const BenchFile& run)
      : file_(run.name), line_(run.first_line - 1), first_(run.first_line) {
    for (const Json& record : run.records) look_at(record);
    require(of_rungs_ == planned_, "lacks timings of rungs, or has too many");
    for (const auto& [cell, kernel] : rungs_)
      for (const std::string& rival : rivals_[cell])
        require(compared_.count({cell, kernel, rival}) > 0,
                fmt::format("lacks the comparison of {} with {}", kernel, rival));
  }

  const std::vector<std::string>& problems() const { return problems_; }

 private:
  void require(bool holds, const std::string& problem) {
    if (!holds) problems_.push_back(fmt::format("{}: line {} {}", file_, line_, problem));
  }
  static bool near(double a, double b) {
    return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
  }
  static bool begins(const std::string& text, const std::string& with) { return text.rfind(with, 0) == 0; }

  void look_at(const Json& record) {
    ++line_;
    try {
      require(record.at("schema") == record_schema, "is of another schema");
      const std::string kind = record.at("record");
      if (line_ == first_) require(kind == "run", "is not the run");
      if (kind == "run")
        look_at_run(record);
      else if (kind == "timing")
        look_at_timing(record);
      else if (kind == "comparison")
        look_at_comparison(record);
      else
        require(kind == "rival" && begins(record.at("verdict"), "UNAVAILABLE("), "is of no known kind");
    } catch (const std::exception& error) {
      require(false, error.what());
    }
  }

  void look_at_run(const Json& record) {
    const Json &ceilings = record.at("ceilings"), &calibration = record.at("calibration");
    device_ = {.fma_tflops = ceilings.at("fma_tflops"),
               .copy_gbps = ceilings.at("copy_gbps"),
               .read_gbps = ceilings.at("read_gbps"),
               .clock_mhz = {}};
    costs_ = {.event_pair_us = calibration.at("event_pair_us"),
              .empty_launch_us = calibration.at("empty_launch_us"),
              .single_launch_us = calibration.at("single_launch_us"),
              .flush_ratio = calibration.at("flushed_over_cached_load")};
    planned_ = record.at("planned").get<std::size_t>();
    require(planned_ == record.at("kernels").size() * record.at("shapes").size(), "plans other than it says");
    plan_ = {};
    if (record.at("cache") != "warm")
      plan_.cache = record.at("cache") == "cold" ? Cache::cold : Cache::rotate;
    if (record.at("boundary") == "end-to-end") plan_.boundary = Boundary::end_to_end;
  }

  static Shape shape_of(const Json& record) {
    const Json& shape = record.at("shape");
    return {shape.at(0), shape.at(1), shape.at(2)};
  }

  void look_at_timing(const Json& record) {
    const std::string verdict = record.at("verdict"), role = record.at("role");
    if (role == "rung") ++of_rungs_;
    require(role == "rung" || role == "rival" || role == "control", "has an unknown role");
    const bool figure = verdict == "PASS" || verdict == "UNSTABLE(spread)" || verdict == "UNSTABLE(drift)";
    const bool none = begins(verdict, "UNSUPPORTED(") || begins(verdict, "REJECTED(");
    require(figure || none || begins(verdict, "FAIL("), "has the verdict " + verdict);
    if (!record.contains("samples_us")) return require(!figure, "has no samples");
    const std::vector<double> samples = record.at("samples_us");
    require(!samples.empty() && std::all_of(samples.begin(), samples.end(),
                                            [](double us) { return us > 0 && std::isfinite(us); }),
            "has a sample that is no time");
    for (const char* column : {"batch_wall_us", "position_in_round", "clock_mhz", "power_w", "throttle_bits"})
      require(record.at(column).size() == samples.size(), std::string("lacks a part of ") + column);
    look_at_figures(record, samples, verdict);
    samples_[{record.at("cell"), record.at("kernel"), role}] = samples;
    if (role == "rival" && figure) rivals_[record.at("cell")].insert(record.at("kernel"));
    if (role == "rung" && figure) rungs_[record.at("cell")] = record.at("kernel");
    if (!figure) return;
    for (const char* when : {"verified_before", "verified_after"})
      require(record.at(when).at("pass").get<bool>(), std::string("was not right: ") + when);
  }

  void look_at_figures(const Json& record, const std::vector<double>& samples, const std::string& verdict) {
    const Summary summary = summarise(samples);
    const Json& kept = record.at("summary_us");
    require(kept.at("samples") == samples.size() && near(kept.at("median"), summary.median) &&
                near(kept.at("smallest"), summary.smallest) && near(kept.at("largest"), summary.largest) &&
                near(kept.at("quarter"), summary.quarter) &&
                near(kept.at("three_quarters"), summary.three_quarters) &&
                near(kept.at("median_interval").at("low"), summary.interval.low) &&
                near(kept.at("median_interval").at("high"), summary.interval.high),
            "has a summary that is not of its samples");
    const Shape shape = shape_of(record);
    require(near(record.at("tflops"), tflops(shape, summary.median)),
            "has TFLOP/s that are not of its median");
    require(near(record.at("fraction_of_fma_ceiling"), tflops(shape, summary.median) / device_.fma_tflops),
            "has a fraction that is not of its run's ceiling");
    const std::string unstable = instability(summary);
    if (verdict == "PASS" || begins(verdict, "UNSTABLE(")) {
      require(verdict == (unstable.empty() ? "PASS" : "UNSTABLE(" + unstable + ")"), "is not " + verdict);
      const std::string impossible =
          impossibility(shape, summary.median, record.at("launches_per_batch"), plan_, device_, costs_);
      require(impossible.empty(), "is " + impossible);
    }
  }

  void look_at_comparison(const Json& record) {
    const std::string rival = record.at("rival"), is = record.at("rival_is"), verdict = record.at("verdict");
    const auto own = samples_.find({record.at("cell"), record.at("kernel"), "rung"});
    const auto other = samples_.find({record.at("cell"), is, rival == "itself" ? "control" : "rival"});
    if (own == samples_.end() || other == samples_.end())
      return require(false, "compares what was not timed");
    compared_.insert({record.at("cell"), record.at("kernel"), rival});
    const std::vector<double> kept = record.at("ratios");
    bool same = kept.size() == own->second.size() && kept.size() == other->second.size();
    for (std::size_t i = 0; same && i < kept.size(); ++i)
      same = near(kept[i], other->second[i] / own->second[i]);
    require(same, "has ratios that are not of the samples");
    const Comparison comparison = compare_paired(kept);
    require(near(record.at("median"), comparison.median) && verdict == comparison.verdict &&
                near(record.at("median_interval").at("low"), comparison.interval.low) &&
                near(record.at("median_interval").at("high"), comparison.interval.high),
            "does not follow from its ratios");
    if (rival == "itself") require(verdict == "SAME" || verdict == "AMBIGUOUS", "sees what is not there");
    if (rival != "cublas") return;
    for (const std::string& one : rivals_[record.at("cell")])
      require(median(other->second) <= median(samples_.at({record.at("cell"), one, "rival"})),
              "does not compare with the best of cuBLAS");
  }

  std::string file_;
  std::vector<std::string> problems_;
  std::size_t line_, first_, planned_ = 0, of_rungs_ = 0;
  TimingPlan plan_;
  Ceilings device_;
  Calibration costs_;
  std::map<std::tuple<std::int64_t, std::string, std::string>, std::vector<double>> samples_;
  std::map<std::int64_t, std::set<std::string>> rivals_;  // with figures, by cell
  std::map<std::int64_t, std::string> rungs_;             // likewise
  std::set<std::tuple<std::int64_t, std::string, std::string>> compared_;
};

// A product that passes by its own numbers.
bool passes(const Json& cell) {
  const Json& shape = cell.at("shape");
  const std::int64_t elements = shape.at(0).get<std::int64_t>() * shape.at(1).get<std::int64_t>();
  if (cell.value("findings_total", 0) != 0 || cell.value("failing", 0) != 0 ||
      cell.value("special_wrong", 0) != 0 || cell.value("differing_launches", 0) != 0)
    return false;
  const auto within = [&](const char* key, double limit) {
    return !cell.contains(key) || cell[key].is_null() || cell[key].get<double>() <= limit;
  };
  return within("max_r", cell.value("bitwise", false) ? 0 : max_r_limit) &&
         within("rms_r", rms_limit(elements));
}

}  // namespace

std::vector<std::string> bench_contradictions(const BenchFile& run) { return BenchAudit(run).problems(); }

std::vector<std::string> check_contradictions(const BenchFile& run) {
  std::vector<std::string> problems;
  const auto note = [&](std::size_t index, const std::string& what) {
    problems.push_back(fmt::format("{}: line {} {}", run.name, run.first_line + index, what));
  };
  std::size_t products = 0;
  for (std::size_t i = 1; i < run.records.size(); ++i) {
    const Json& record = run.records[i];
    if (record.at("record") == "sanitizer") {
      products += record.at("shapes").size();
      if (record.at("verdict") == "PASS" && record.at("errors") != 0) note(i, "is PASS with errors");
      continue;
    }
    ++products;
    if (record.at("verdict") == "PASS" && !passes(record)) note(i, "is PASS, and its own numbers fail");
  }
  const Json& head = run.records.front();
  if (head.contains("planned") && head["planned"] != products)
    note(0, fmt::format("planned {} products, and {} are recorded", head["planned"].dump(), products));
  return problems;
}

}  // namespace tilewright
