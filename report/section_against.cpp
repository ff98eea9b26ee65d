// SPDX-License-Identifier: MIT
//
// Two sets of records side by side. Their samples are of different runs and cannot be paired, so the interval of a ratio
// is the widest that the two medians' intervals allow.
#include <fmt/format.h>

#include "bench/records.h"
#include "bench/statistics.h"
#include "report/blocks.h"
#include "report/sections.h"

namespace tilewright {
namespace {

using Key = std::tuple<std::string, Shape, std::string, std::string, std::string>;  // kernel … boundary

struct Estimate {
  double median = 0, low = 0, high = 0;
};

struct Measured {
  std::string verdict, started;
  Estimate us;
  std::optional<Estimate> over_cublas;  // own time over cuBLAS's
};

struct Pair {
  Key key;
  Measured own, other;
  std::string by, verdict;
  Estimate ratio;  // other's over own: above 1 the first set is faster
};

Estimate inverse(const Interval& interval, double median) {
  return {1 / median, 1 / interval.high, 1 / interval.low};
}

Estimate over(const Estimate& other, const Estimate& own) {
  return {other.median / own.median, other.low / own.high, other.high / own.low};
}

// The newest figure of each key.
std::map<Key, Measured> measured_of(const Evidence& evidence) {
  std::map<Key, Measured> all;
  for (const TimingRow& row : evidence.timings) {
    if (row.role != "rung" || !is_figure(row.verdict)) continue;
    const std::string& started = evidence.runs[row.run].started;
    Measured& kept = all[{row.kernel, row.shape, row.cache, row.mode, row.boundary}];
    if (kept.started > started) continue;
    const Summary summary = summarise(row.samples);
    kept = {row.verdict, started, {summary.median, summary.interval.low, summary.interval.high}, {}};
  }
  for (const ComparisonRow& row : evidence.comparisons) {
    const auto found = all.find({row.kernel, row.shape, row.cache, row.mode, row.boundary});
    if (row.rival != "cublas" || found == all.end() ||
        found->second.started != evidence.runs[row.run].started)
      continue;
    const Comparison comparison = compare_paired(row.ratios);
    found->second.over_cublas = inverse(comparison.interval, comparison.median);
  }
  return all;
}

std::string gpu_of(const Evidence& evidence) {
  const auto& runs = evidence.benched.runs();
  return runs.empty() ? "" : runs.front().gpu;
}

std::vector<Pair> pairs_of(const ReportView& view) {
  std::vector<Pair> pairs;
  if (view.sets.size() < 2) return pairs;
  const bool same_gpu = gpu_of(view.sets[0]) == gpu_of(view.sets[1]);
  const std::map<Key, Measured> others = measured_of(view.sets[1]);
  for (const auto& [key, own] : measured_of(view.sets[0])) {
    const auto found = others.find(key);
    if (found == others.end()) continue;
    const Measured& other = found->second;
    const bool by_cublas = same_gpu && own.over_cublas && other.over_cublas;
    Pair pair{key, own, other, by_cublas ? "ratio to cuBLAS" : "time", "", {}};
    pair.ratio = by_cublas ? over(*other.over_cublas, *own.over_cublas) : over(other.us, own.us);
    pair.verdict = verdict_of_ratio(pair.ratio.low, pair.ratio.high);
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

std::string way_of(const Key& key) {
  return std::get<2>(key) + ", " + std::get<3>(key) + ", " + std::get<4>(key);
}

}  // namespace

std::vector<std::pair<std::string, int>> verdicts_against(const ReportView& view) {
  std::vector<std::pair<std::string, int>> counts{
      {"FASTER", 0}, {"SLOWER", 0}, {"SAME", 0}, {"AMBIGUOUS", 0}};
  for (const Pair& pair : pairs_of(view))
    for (auto& [verdict, count] : counts) count += pair.verdict == verdict;
  return counts;
}

Section against_section(const ReportView& view) {
  Section section{"against", "Two sets of records", "", {}};
  if (view.sets.size() < 2) return section;
  const std::string &own = view.sets[0].name, &other = view.sets[1].name;
  section.lead = fmt::format(
      "A is {}; B is {}. Above 1, A is faster. Where both runs of one GPU have cuBLAS, its time is the "
      "measure, because "
      "that ratio keeps still when the clock does not; else the times are. The interval is the widest that "
      "both medians' "
      "intervals allow, so that a set beside itself is never FASTER or SLOWER.",
      own, other);
  const std::vector<Pair> pairs = pairs_of(view);
  if (pairs.empty()) {
    section.blocks.push_back(
        text_block({"They have no kernel at the same shape, measured the same way, in common."}));
    return section;
  }
  TableBlock table("against", "What both sets have");
  table.text("kernel")
      .text("shape")
      .text("caches, mode, boundary")
      .number(own, "µs", 2)
      .number(other, "µs", 2);
  table.text("held by").number("ratio", "", 3).number("low", "", 3).number("high", "", 3).verdict("verdict");
  Json rows = Json::array();
  for (const Pair& pair : pairs) {
    const std::string &kernel = std::get<0>(pair.key), shape = to_string(std::get<1>(pair.key));
    table.row({kernel, shape, way_of(pair.key), pair.own.us.median, pair.other.us.median, pair.by,
               pair.ratio.median, pair.ratio.low, pair.ratio.high, pair.verdict});
    rows.push_back({{"label", fmt::format("{} {}", kernel, shape)},
                    {"group", way_of(pair.key)},
                    {"median", pair.ratio.median},
                    {"low", pair.ratio.low},
                    {"high", pair.ratio.high},
                    {"verdict", pair.verdict},
                    {"samples", Json::array()}});
  }
  section.blocks.push_back({{"kind", "ratios"},
                            {"name", "against"},
                            {"caption", "B's time over A's, kernel by kernel"},
                            {"meaning", "right of 1, A is faster"},
                            {"band", same_band},
                            {"rows", rows}});
  section.blocks.push_back(table.json());
  return section;
}

}  // namespace tilewright
