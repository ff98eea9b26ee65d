// SPDX-License-Identifier: MIT
//
// The kernel that chooses, beside cuBLAS over the declared shapes, and what loses.
#include <algorithm>

#include "report/blocks.h"
#include "report/sections.h"
#include "report/standing.h"

namespace tilewright {
namespace {

struct Placed {
  std::string set;
  const BenchedCell* cell;
};

std::vector<Placed> placed_cells(const ReportView& view, const std::string& cache) {
  std::vector<Placed> placed;
  std::vector<Shape> seen;
  for (const DeclaredSet& set : view.inputs.declared)
    for (const Shape& shape : set.shapes) {
      if (std::find(seen.begin(), seen.end(), shape) != seen.end()) continue;
      seen.push_back(shape);
      const BenchedCell* cell = view.main().benched.find(library_kernel, shape, cache);
      if (cell) placed.push_back({set.name, cell});
    }
  return placed;
}

// The ratios of a cell's comparison with cuBLAS, round by round.
Json ratios_of(const Evidence& evidence, const BenchedCell& cell) {
  const BenchedRun& run = evidence.benched.runs()[cell.run];
  for (const ComparisonRow& row : evidence.comparisons)
    if (row.rival == "cublas" && row.kernel == cell.kernel && row.shape == cell.shape &&
        evidence.runs[row.run].file == run.file && evidence.runs[row.run].started == run.started)
      return row.ratios;
  return Json::array();
}

Json figure_of(const ReportView& view, const std::string& cache, const std::vector<Placed>& placed) {
  Json rows = Json::array();
  for (const auto& [set, cell] : placed)
    if (cell->cublas)
      rows.push_back({{"label", to_string(cell->shape)},
                      {"group", set},
                      {"median", cell->cublas->median},
                      {"low", cell->cublas->low},
                      {"high", cell->cublas->high},
                      {"verdict", cell->cublas->verdict},
                      {"samples", ratios_of(view.main(), *cell)}});
  return {{"kind", "ratios"},
          {"name", std::string("library_") + cache},
          {"caption", "cuBLAS's time over that of auto, caches " + cache +
                          ": the median of all rounds, its 99 % interval, and every round."},
          {"meaning", "right of 1, auto is faster than the best of cuBLAS"},
          {"band", 0.01},
          {"rows", rows}};
}

void add_rows(TableBlock& table, const std::string& cache, const std::vector<Placed>& placed) {
  for (const auto& [set, cell] : placed) {
    const auto figure = [cell = cell](double value) {
      return cell->microseconds ? Json(value) : Json(nullptr);
    };
    const auto beside = [cell = cell](auto value) { return cell->cublas ? Json(value) : Json(nullptr); };
    const BenchedRatio ratio = cell->cublas.value_or(BenchedRatio{});
    table.row({to_string(cell->shape), set, cache, or_nothing(cell->microseconds),
               beside(cell->cublas_microseconds), figure(cell->tflops), figure(cell->of_ceiling * 100),
               beside(ratio.median), beside(ratio.low), beside(ratio.high), beside(ratio.verdict),
               cell->verdict, run_number(cell->run)});
  }
}

void add_standing(TableBlock& table, const ReportView& view, const std::string& name,
                  const std::vector<Shape>& shapes) {
  for (const char* cache : library_caches) {
    const Standing stand = standing(view.main().benched, shapes, cache);
    if (stand.measured == 0) continue;
    table.row({name, cache, stand.measured, shapes.size(), stand.mean, stand.worst->cublas->median,
               to_string(stand.worst->shape), stand.slower, stand.undecided});
  }
}

}  // namespace

Section standing_section(const ReportView& view) {
  Section section{"library",
                  "auto beside cuBLAS",
                  "auto chooses a rung for the shape. Its rival is the fastest of cuBLAS's default, its "
                  "pedantic mode and "
                  "cuBLASLt's list, in turn with it on the same buffers.",
                  {}};
  TableBlock table("library", "auto beside the best of cuBLAS");
  table.text("shape").text("set").text("caches").number("auto", "µs", 2).number("cuBLAS", "µs", 2);
  table.number("rate", "TFLOP/s", 2)
      .number("of the FMA ceiling", "%", 1)
      .number("cuBLAS's time over own", "", 3);
  table.number("low", "", 3).number("high", "", 3).verdict("beside cuBLAS").verdict("verdict").text("run");
  for (const char* cache : library_caches) {
    const std::vector<Placed> placed = placed_cells(view, cache);
    if (placed.empty()) continue;
    section.blocks.push_back(figure_of(view, cache, placed));
    add_rows(table, cache, placed);
  }
  if (section.blocks.empty()) return section;
  TableBlock targets("standing", "The ratio over sets of shapes; 1 or more is the aim everywhere");
  targets.text("shapes").text("caches").count("measured").count("declared").number("geometric mean", "", 3);
  targets.number("worst", "", 3).text("worst at").count("SLOWER").count("AMBIGUOUS");
  add_standing(targets, view, "all", all_shapes(view.inputs.declared));
  for (const DeclaredSet& set : view.inputs.declared) add_standing(targets, view, set.name, set.shapes);
  section.blocks.push_back(targets.json());
  section.blocks.push_back(table.json());
  return section;
}

Section losses_section(const ReportView& view) {
  Section section{
      "losses", "What loses", "Shapes at which auto is slower than the best of cuBLAS, worst first.", {}};
  const BenchRecords& records = view.main().benched;
  const std::vector<Shape> shapes = all_shapes(view.inputs.declared);
  if (standing(records, shapes, library_caches[0]).measured +
          standing(records, shapes, library_caches[1]).measured ==
      0)
    return section;
  TableBlock table("losses", "SLOWER than the best of cuBLAS, and what the samples do not decide");
  table.text("shape").text("caches").number("cuBLAS's time over own", "", 3).number("low", "", 3);
  table.number("high", "", 3).verdict("verdict").text("run");
  for (const char* verdict : {"SLOWER", "AMBIGUOUS"})
    for (const BenchedCell* cell : library_cells_with(verdict, shapes, records))
      table.row({to_string(cell->shape), records.runs()[cell->run].cache, cell->cublas->median,
                 cell->cublas->low, cell->cublas->high, cell->cublas->verdict, run_number(cell->run)});
  section.blocks.push_back(table.empty() ? text_block({"None."}) : table.json());
  return section;
}

}  // namespace tilewright
