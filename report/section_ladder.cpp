// SPDX-License-Identifier: MIT
//
// The ladder: every rung's rate at one square, below the ceiling that a kernel of multiply-adds alone reached.
#include <algorithm>
#include <set>

#include "bench/possible.h"
#include "report/blocks.h"
#include "report/sections.h"
#include "report/standing.h"

namespace tilewright {
namespace {

struct Bar {
  const BenchedCell* cell;
  const BenchedCell* before;
};

std::vector<Bar> bars_at(const ReportView& view, Shape shape) {
  std::vector<Bar> bars;
  const BenchRecords& records = view.main().benched;
  for (std::size_t step = 0; step < view.inputs.steps.size(); ++step)
    for (const std::string& rung : view.inputs.steps[step].rungs) {
      const BenchedCell* cell = records.find(rung, shape, ladder_cache);
      if (cell && cell->microseconds)
        bars.push_back({cell, fastest_before(view.inputs.steps, step, shape, records)});
    }
  return bars;
}

Json figure_of(const std::vector<Bar>& bars, const BenchRecords& records, Shape shape) {
  double ceiling = 0, cublas_us = 0;
  Json drawn = Json::array();
  for (const Bar& bar : bars) {
    ceiling = std::max(ceiling, records.runs()[bar.cell->run].fma_tflops);
    if (bar.cell->cublas && (cublas_us == 0 || bar.cell->cublas_microseconds < cublas_us))
      cublas_us = bar.cell->cublas_microseconds;
    drawn.push_back({{"label", bar.cell->kernel},
                     {"tflops", bar.cell->tflops},
                     {"note", is_slower(*bar.cell, bar.before) ? "slower than the step before" : ""}});
  }
  Json levels = Json::array();
  if (cublas_us > 0)
    levels.push_back({{"label", "cuBLAS, the best of its calls"}, {"tflops", tflops(shape, cublas_us)}});
  return {{"kind", "ladder"},
          {"name", "ladder"},
          {"caption",
           "TFLOP/s of every rung at " + to_string(shape) +
               ", caches warm. The top is the ceiling: a kernel of multiply-adds alone, measured in the "
               "same run."},
          {"top", {{"label", "FMA ceiling, measured"}, {"tflops", ceiling}}},
          {"levels", levels},
          {"bars", drawn}};
}

Json table_of(const std::vector<Bar>& bars, Shape shape) {
  TableBlock table("ladder", "The rungs at " + to_string(shape) + ", caches warm");
  table.text("rung")
      .number("median", "µs", 1)
      .number("rate", "TFLOP/s", 2)
      .number("of the FMA ceiling", "%", 1);
  table.number("cuBLAS's time over own", "", 3)
      .verdict("beside cuBLAS")
      .number("times the step before", "", 3);
  table.verdict("verdict").text("run");
  for (const auto& [cell, before] : bars) {
    std::vector<Json> row{cell->kernel, *cell->microseconds, cell->tflops, cell->of_ceiling * 100};
    row.push_back(cell->cublas ? Json(cell->cublas->median) : Json(nullptr));
    row.push_back(cell->cublas ? Json(cell->cublas->verdict) : Json(nullptr));
    row.push_back(before ? Json(cell->tflops / before->tflops) : Json(nullptr));
    row.emplace_back(cell->verdict);
    row.emplace_back(run_number(cell->run));
    table.row(std::move(row));
  }
  return table.json();
}

Json sizes_table(const ReportView& view) {
  const BenchRecords& records = view.main().benched;
  std::set<std::int64_t> edges;
  for (const BenchedCell* cell : records.cells())
    if (view.is_rung(cell->kernel) && cell->shape.M == cell->shape.N && cell->shape.N == cell->shape.K &&
        records.find(cell->kernel, cell->shape, ladder_cache))
      edges.insert(cell->shape.M);
  TableBlock table("sizes", "TFLOP/s of the rungs at M = N = K, caches warm");
  table.text("rung");
  for (const std::int64_t edge : edges) table.number(std::to_string(edge), "", 2);
  for (const LadderStep& step : view.inputs.steps)
    for (const std::string& rung : step.rungs) {
      std::vector<Json> row{rung};
      bool any = false;
      for (const std::int64_t edge : edges) {
        const BenchedCell* cell = records.find(rung, {edge, edge, edge}, ladder_cache);
        const bool measured = cell && cell->microseconds;
        row.push_back(measured ? Json(cell->tflops) : Json(nullptr));
        any = any || measured;
      }
      if (any) table.row(std::move(row));
    }
  return table.json();
}

}  // namespace

Section ladder_section(const ReportView& view) {
  Section section{"ladder", "The ladder", "One idea a rung. A rung that loses stays, and is marked.", {}};
  const std::optional<Shape> shape = view.ladder_shape();
  if (!shape) return section;
  const std::vector<Bar> bars = bars_at(view, *shape);
  section.blocks = {figure_of(bars, view.main().benched, *shape), table_of(bars, *shape), sizes_table(view)};
  return section;
}

}  // namespace tilewright
