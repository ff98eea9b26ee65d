// SPDX-License-Identifier: MIT
//
// Every sample of every timing, and every paired comparison.
#include <algorithm>
#include <map>

#include "bench/possible.h"
#include "bench/statistics.h"
#include "report/blocks.h"
#include "report/sections.h"

namespace tilewright {
namespace {

using CellKey = std::tuple<std::size_t, std::int64_t>;  // run and cell

std::map<CellKey, std::string> rungs_of_cells(const Evidence& evidence) {
  std::map<CellKey, std::string> rungs;
  for (const TimingRow& row : evidence.timings)
    if (row.role == "rung") rungs[{row.run, row.cell}] = row.kernel;
  return rungs;
}

struct Group {
  std::string title;
  Json rows = Json::array();
};

// By shape and way of measuring, in the order in which they were measured.
void add_groups(std::vector<Group>& groups, const Evidence& evidence, const std::string& suffix) {
  const std::map<CellKey, std::string> rungs = rungs_of_cells(evidence);
  for (const TimingRow& row : evidence.timings) {
    if (row.samples.empty()) continue;
    const std::string title = to_string(row.shape) + ", " + row.way();
    auto group =
        std::find_if(groups.begin(), groups.end(), [&](const Group& one) { return one.title == title; });
    if (group == groups.end()) group = groups.insert(groups.end(), Group{title});
    const auto own = rungs.find({row.run, row.cell});
    std::string label = row.kernel;
    if (row.role == "control") label += ", again";
    if (row.role == "rival" && own != rungs.end()) label += " beside " + own->second;
    const Summary summary = summarise(row.samples);
    group->rows.push_back({{"label", label + suffix},
                           {"role", row.role},
                           {"verdict", row.verdict},
                           {"median", summary.median},
                           {"low", summary.interval.low},
                           {"high", summary.interval.high},
                           {"samples", row.samples}});
  }
}

Json figure_of(const ReportView& view) {
  std::vector<Group> groups;
  add_groups(groups, view.sets[0], view.sets.size() > 1 ? " (A)" : "");
  if (view.sets.size() > 1) add_groups(groups, view.sets[1], " (B)");
  Json drawn = Json::array();
  for (Group& group : groups) drawn.push_back({{"title", group.title}, {"rows", std::move(group.rows)}});
  return {{"kind", "distributions"},
          {"name", "timings"},
          {"caption", "Time of one launch: every sample, the median and its 99 % interval."},
          {"unit", "µs"},
          {"groups", drawn}};
}

Json table_of(const Evidence& evidence) {
  TableBlock table("timings", "The timings");
  table.text("shape").text("caches, mode, boundary").text("kernel").text("role").verdict("verdict");
  table.count("samples").count("launches a batch").number("median", "µs", 2).number("low", "µs", 2);
  table.number("high", "µs", 2).number("spread", "%", 2).number("drift", "%", 2).number("rate", "TFLOP/s", 2);
  table.number("of the FMA ceiling", "%", 1).number("lowest clock", "MHz", 0).text("run");
  for (const TimingRow& row : evidence.timings) {
    std::vector<Json> cells{to_string(row.shape), row.way(),          row.kernel,  row.role,
                            row.verdict,          row.samples.size(), row.launches};
    if (row.samples.empty()) {
      cells.insert(cells.end(), 7, nullptr);
    } else {
      const Summary summary = summarise(row.samples);
      const double rate = tflops(row.shape, summary.median);
      const double ceiling = evidence.runs[row.run].record.at("ceilings").at("fma_tflops");
      cells.insert(cells.end(),
                   {summary.median, summary.interval.low, summary.interval.high, summary.spread * 100,
                    summary.drift * 100, rate, ceiling > 0 ? Json(100 * rate / ceiling) : Json(nullptr)});
    }
    cells.push_back(or_nothing(row.lowest_clock_mhz));
    cells.emplace_back(run_number(row.run));
    table.row(std::move(cells));
  }
  return table.json();
}

}  // namespace

Section timings_section(const ReportView& view) {
  Section section{
      "timings",
      "Every sample",
      "Device time alone, from events around batches; no sample is left out. Spread is the middle half over "
      "the median, drift the second half's median over the first's, less 1.",
      {}};
  if (!view.main().timings.empty()) section.blocks = {figure_of(view), table_of(view.main())};
  return section;
}

Section comparisons_section(const ReportView& view) {
  Section section{"comparisons",
                  "Paired comparisons",
                  "The rival's time over the kernel's, round by round: above 1 the kernel is faster. FASTER "
                  "and SLOWER need "
                  "the whole interval of the median beyond 1 %, SAME all of it within; else AMBIGUOUS.",
                  {}};
  TableBlock table("comparisons", "Kernels and their rivals, in turn on the same buffers");
  table.text("shape").text("caches, mode, boundary").text("kernel").text("rival").text("which was");
  table.number("ratio", "", 4)
      .number("low", "", 4)
      .number("high", "", 4)
      .count("rounds")
      .verdict("verdict")
      .text("run");
  for (const ComparisonRow& row : view.main().comparisons) {
    const Comparison comparison = compare_paired(row.ratios);
    table.row({to_string(row.shape), row.cache + ", " + row.mode + ", " + row.boundary, row.kernel, row.rival,
               row.rival == row.rival_is ? Json(nullptr) : Json(row.rival_is), comparison.median,
               comparison.interval.low, comparison.interval.high, row.ratios.size(), comparison.verdict,
               run_number(row.run)});
  }
  if (!table.empty()) section.blocks.push_back(table.json());
  return section;
}

}  // namespace tilewright
