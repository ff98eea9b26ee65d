// SPDX-License-Identifier: MIT
#include "report/standing.h"

#include <algorithm>
#include <cmath>

#include "bench/statistics.h"

namespace tilewright {

std::vector<Shape> all_shapes(const std::vector<DeclaredSet>& sets) {
  std::vector<Shape> all;
  for (const DeclaredSet& set : sets)
    for (const Shape& shape : set.shapes)
      if (std::find(all.begin(), all.end(), shape) == all.end()) all.push_back(shape);
  return all;
}

Standing standing(const BenchRecords& records, const std::vector<Shape>& shapes, const std::string& cache) {
  Standing result;
  double logarithms = 0;
  for (const Shape& shape : shapes) {
    const BenchedCell* cell = records.find(library_kernel, shape, cache);
    if (!cell || !cell->cublas || !(cell->cublas->median > 0)) continue;
    ++result.measured;
    logarithms += std::log(cell->cublas->median);
    result.slower += cell->cublas->verdict == "SLOWER";
    result.undecided += cell->cublas->verdict == "AMBIGUOUS";
    if (!result.worst || cell->cublas->median < result.worst->cublas->median) result.worst = cell;
  }
  if (result.measured > 0) result.mean = std::exp(logarithms / result.measured);
  return result;
}

std::vector<const BenchedCell*> library_cells_with(const std::string& verdict,
                                                   const std::vector<Shape>& shapes,
                                                   const BenchRecords& records) {
  std::vector<const BenchedCell*> cells;
  for (const char* cache : library_caches)
    for (const Shape& shape : shapes) {
      const BenchedCell* cell = records.find(library_kernel, shape, cache);
      if (cell && cell->cublas && cell->cublas->verdict == verdict) cells.push_back(cell);
    }
  std::stable_sort(cells.begin(), cells.end(), [](const BenchedCell* a, const BenchedCell* b) {
    return a->cublas->median < b->cublas->median;
  });
  return cells;
}

const BenchedCell* fastest_before(const std::vector<LadderStep>& steps, std::size_t step, Shape shape,
                                  const BenchRecords& records) {
  const BenchedCell* fastest = nullptr;
  if (step == 0) return fastest;
  for (const std::string& rung : steps[step - 1].rungs) {
    const BenchedCell* cell = records.find(rung, shape, ladder_cache);
    if (cell && cell->microseconds && (!fastest || cell->tflops > fastest->tflops)) fastest = cell;
  }
  return fastest;
}

bool is_slower(const BenchedCell& cell, const BenchedCell* before) {
  return before && cell.tflops < before->tflops * (1 - same_band);
}

}  // namespace tilewright
