// SPDX-License-Identifier: MIT
#include "bench/ladder_sections.h"
#include "bench/markdown.h"

namespace tilewright {
namespace {

Shape square(std::int64_t edge) { return {edge, edge, edge}; }

std::string speed_text(const BenchedCell* cell, const BenchedCell* before) {
  if (!cell) return "-";
  if (!cell->microseconds) return cell->verdict.substr(0, cell->verdict.find('('));
  return fmt::format("{:.2f}{}", cell->tflops, is_slower(*cell, before) ? " **↓**" : "");
}

std::string before_text(const BenchedCell& cell, const BenchedCell* before) {
  if (!before) return "-";
  const std::string ratio = ratio_text(cell.tflops / before->tflops) + (cell.run == before->run ? "" : " †");
  return is_slower(cell, before) ? "**" + ratio + " slower**" : ratio;
}

std::string cublas_text(const BenchedCell& cell) {
  if (!cell.cublas) return "-";
  return fmt::format("{:.1f} %{}", cell.cublas->median * 100,
                     cell.cublas->verdict == "AMBIGUOUS" ? " (AMBIGUOUS)" : "");
}

std::vector<std::string> figures(const std::string& rung, Shape shape, const BenchedCell* cell,
                                 const BenchedCell* before) {
  std::vector<std::string> row{rung, fmt::format("{}", shape.M)};
  if (!cell) {
    row.insert(row.end(), {"-", "-", "-", "-", "-", "no record", "-"});
  } else if (!cell->microseconds) {
    row.insert(row.end(), {"-", "-", "-", "-", "-", cell->verdict, run_text(cell->run)});
  } else {
    row.insert(row.end(), {fmt::format("{:.1f}", *cell->microseconds), fmt::format("{:.2f}", cell->tflops),
                           cublas_text(*cell), fmt::format("{:.1f} %", cell->of_ceiling * 100),
                           before_text(*cell, before), cell->verdict, run_text(cell->run)});
  }
  return row;
}

// From the newest profile that says it.
std::string limit_text(const BenchFile& profiles, const std::string& rung) {
  const Json* newest = nullptr;
  for (const Json& record : profiles.records)
    if (record.value("kernel", "") == rung && record.contains("limit") &&
        (!newest || newest->value("started", "") <= record.value("started", "")))
      newest = &record;
  if (!newest) return "not profiled yet";
  const Json& limit = (*newest)["limit"];
  std::string kind = limit.value("kind", "unknown");
  const std::string resource = limit.value("resource", "");
  if (resource.empty() || !limit.contains("percent") || !limit["percent"].is_number()) return kind;
  std::string busiest = fmt::format("{}, {:.0f} % of its peak", resource, limit["percent"].get<double>());
  return kind == "latency" ? "latency; busiest: " + busiest : busiest;
}

std::string step_text(const LadderSources& sources, std::size_t number, const BenchRecords& records) {
  const LadderStep& step = sources.steps[number];
  std::string text = fmt::format("\n### {}\n\n- Idea: {} ([its page](../{}))\n- Predicted effect: {}\n",
                                 step.name(), step.idea, step.page, step.texts.predicted_effect);
  for (const std::string& rung : step.rungs)
    text += fmt::format("- Limiting resource{}: {}\n", step.rungs.size() == 1 ? "" : " of `" + rung + "`",
                        limit_text(sources.profiles, rung));
  text += fmt::format("- Decision: {}\n\n", step.texts.decision);
  text += table_head({"rung", "M = N = K", "median µs", "TFLOP/s", "of cuBLAS", "of the FMA ceiling",
                      "times the rung before", "verdict", "run"});
  for (const std::string& rung : step.rungs)
    for (const std::int64_t edge : ladder_edges)
      text += table_row(figures(rung, square(edge), records.find(rung, square(edge), ladder_cache),
                                fastest_before(sources.steps, number, square(edge), records)));
  return text;
}

}  // namespace

std::string glance_section(const LadderSources& sources, const BenchRecords& records) {
  std::vector<std::string> head{"rung"};
  for (const std::int64_t edge : ladder_edges) head.push_back(fmt::format("{}", edge));
  head.emplace_back("limiting resource");
  std::string text =
      "\n## At a glance\n\n![The rungs below the measured ceiling of multiply-adds](pictures/ladder.svg)\n\n"
      "![Measured rates below measured ceilings](pictures/roofline.svg)\n\nMedian TFLOP/s at M = N = K, "
      "caches warm. **↓** marks a rung that is slower "
      "than the fastest of the step before.\n\n" +
      table_head(head);
  for (std::size_t number = 0; number < sources.steps.size(); ++number) {
    const LadderStep& step = sources.steps[number];
    for (const std::string& rung : step.rungs) {
      std::vector<std::string> row{rung + (step.candidate() ? " (candidate)" : "")};
      for (const std::int64_t edge : ladder_edges)
        row.push_back(speed_text(records.find(rung, square(edge), ladder_cache),
                                 fastest_before(sources.steps, number, square(edge), records)));
      row.push_back(limit_text(sources.profiles, rung));
      text += table_row(row);
    }
  }
  return text;
}

std::string steps_section(const LadderSources& sources, const BenchRecords& records, bool candidates) {
  std::string text;
  for (std::size_t number = 0; number < sources.steps.size(); ++number)
    if (sources.steps[number].candidate() == candidates) text += step_text(sources, number, records);
  return text;
}

}  // namespace tilewright
