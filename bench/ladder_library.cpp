// SPDX-License-Identifier: MIT
#include <algorithm>

#include "bench/ladder_sections.h"
#include "bench/markdown.h"

namespace tilewright {
namespace {

// From this edge on a square fills the chip many times over.
constexpr std::int64_t large_edge = 2048;

using Shapes = std::vector<Shape>;

Shapes squares_of(const Shapes& shapes, bool large) {
  Shapes some;
  for (const Shape& shape : shapes)
    if (shape.M == shape.N && shape.N == shape.K && (shape.M >= large_edge) == large) some.push_back(shape);
  return some;
}

// `auto` µs, cuBLAS µs, ratio, verdict, run.
std::vector<std::string> cell_texts(const BenchedCell* cell) {
  if (!cell) return {"-", "-", "-", "no record", "-"};
  const std::string run = run_text(cell->run);
  if (!cell->microseconds) return {"-", "-", "-", cell->verdict, run};
  const std::string own = fmt::format("{:.1f}", *cell->microseconds);
  if (!cell->cublas) return {own, "-", "-", "no rival", run};
  return {own, fmt::format("{:.1f}", cell->cublas_microseconds), ratio_text(cell->cublas->median),
          cell->cublas->verdict, run};
}

std::string set_table(const DeclaredSet& set, const BenchRecords& records) {
  std::string text = "\n### " + set.name + "\n\n";
  std::vector<std::string> head{"MxNxK"};
  for (const char* cache : library_caches)
    for (const char* column : {": `auto` µs", ": cuBLAS µs", ": cuBLAS/`auto`", ": verdict", ": run"})
      head.push_back(std::string(cache) + column);
  text += table_head(head);
  for (const Shape& shape : set.shapes) {
    std::vector<std::string> row{to_string(shape)};
    for (const char* cache : library_caches)
      for (std::string& cell : cell_texts(records.find(library_kernel, shape, cache)))
        row.push_back(std::move(cell));
    text += table_row(row);
  }
  return text;
}

// What a target came to in one state of the caches.
std::string target_row(const std::string& name, const std::string& cache, const Shapes& shapes,
                       const BenchRecords& records) {
  const Standing stand = standing(records, shapes, cache);
  std::vector<std::string> row{name, cache, fmt::format("{} of {}", stand.measured, shapes.size())};
  if (stand.measured == 0)
    row.insert(row.end(), {"not measured", "-", "-", "-"});
  else
    row.insert(row.end(), {ratio_text(stand.mean),
                           ratio_text(stand.worst->cublas->median) + " at " + to_string(stand.worst->shape),
                           fmt::format("{}", stand.slower), fmt::format("{}", stand.undecided)});
  return table_row(row);
}

std::string targets(const std::vector<DeclaredSet>& sets, const BenchRecords& records) {
  std::string text =
      "\n### Targets\n\nThe target of every row is 1 or more: never slower than the best of cuBLAS. The mean "
      "is "
      "geometric, of cuBLAS/`auto` over the shapes that were measured.\n\n" +
      table_head({"shapes", "caches", "measured", "mean", "worst", "slower", "undecided"}, 2);
  const auto add = [&](const std::string& name, const Shapes& shapes) {
    for (const char* cache : library_caches) text += target_row(name, cache, shapes, records);
  };
  for (const DeclaredSet& set : sets) {
    if (set.name != "square") {
      add(set.name, set.shapes);
      continue;
    }
    add(fmt::format("squares from {}", large_edge), squares_of(set.shapes, true));
    add(fmt::format("squares below {}", large_edge), squares_of(set.shapes, false));
  }
  add("all", all_shapes(sets));
  return text;
}

std::string ratio_table(const std::vector<const BenchedCell*>& cells, const BenchRecords& records) {
  std::string text = table_head({"MxNxK", "caches", "cuBLAS/`auto`", "interval", "run"}, 2);
  for (const BenchedCell* cell : cells)
    text += table_row(
        {to_string(cell->shape), records.runs()[cell->run].cache, ratio_text(cell->cublas->median),
         ratio_text(cell->cublas->low) + " … " + ratio_text(cell->cublas->high), run_text(cell->run)});
  return text;
}

// Measured, and no figure came of it: wrong, impossible or refused.
std::string without_figure(const Shapes& shapes, const BenchRecords& records) {
  std::string text;
  for (const char* cache : library_caches)
    for (const Shape& shape : shapes) {
      const BenchedCell* cell = records.find(library_kernel, shape, cache);
      if (cell && !cell->microseconds)
        text += fmt::format("- {}, {}: {}\n", to_string(shape), cache, cell->verdict);
    }
  return text.empty() ? text : "\nNo figure came of these:\n\n" + text;
}

std::string losses(const Shapes& shapes, const BenchRecords& records) {
  std::string text = "\n### Shapes that lose\n\n";
  const auto slower = library_cells_with("SLOWER", shapes, records);
  text += slower.empty() ? "None is SLOWER than the best of cuBLAS.\n" : ratio_table(slower, records);
  const auto undecided = library_cells_with("AMBIGUOUS", shapes, records);
  if (!undecided.empty())
    text += "\nThe samples of these do not decide (AMBIGUOUS):\n\n" + ratio_table(undecided, records);
  return text + without_figure(shapes, records);
}

}  // namespace

std::string library_section(const std::vector<DeclaredSet>& sets, const BenchRecords& records) {
  const Shapes all = all_shapes(sets);
  const bool any = std::any_of(all.begin(), all.end(), [&](Shape shape) {
    return records.find(library_kernel, shape, "warm") || records.find(library_kernel, shape, "rotate");
  });
  std::string text =
      "\n## `auto` beside cuBLAS\n\n`auto` launches the rung that is chosen for the shape. The shapes are "
      "those of "
      "[`bench/shapes.json`](../bench/shapes.json), declared before they were measured. cuBLAS/`auto` above "
      "1 means "
      "that `auto` is faster.\n";
  if (!any) return text + "\nThere are no records of `auto` yet.\n";
  text += "\n![cuBLAS's time over that of auto at each shape, every round](pictures/library.svg)\n";
  for (const DeclaredSet& set : sets) text += set_table(set, records);
  return text + targets(sets, records) + losses(all, records);
}

}  // namespace tilewright
