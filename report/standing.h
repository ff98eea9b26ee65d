// SPDX-License-Identifier: MIT
//
// What the newest measurements say together: how the library's kernel stands beside cuBLAS over many shapes, and whether
// a rung is faster than the one before it.
#pragma once

#include "bench/shape_sets.h"
#include "gemm/auto.h"
#include "report/bench_records.h"
#include "report/ladder_step.h"

namespace tilewright {

// The kernel that chooses a rung for the shape.
inline const char* const library_kernel = auto_kernel().name;
// The states of the caches that the library is judged in.
inline constexpr const char* library_caches[] = {"warm", "rotate"};
inline constexpr const char* ladder_cache = "warm";

// Each shape once.
std::vector<Shape> all_shapes(const std::vector<DeclaredSet>& sets);

struct Standing {
  int measured = 0, slower = 0, undecided = 0;  // shapes with a ratio to cuBLAS; of them SLOWER; AMBIGUOUS
  double mean = 0;                              // geometric, of cuBLAS's time over own
  const BenchedCell* worst = nullptr;           // null where nothing was measured
};
Standing standing(const BenchRecords& records, const std::vector<Shape>& shapes, const std::string& cache);

// The library's cells with this verdict beside cuBLAS, in every state of the caches, worst first.
std::vector<const BenchedCell*> library_cells_with(const std::string& verdict,
                                                   const std::vector<Shape>& shapes,
                                                   const BenchRecords& records);

// The fastest rung of the step before; null at the first step and where it has no figure.
const BenchedCell* fastest_before(const std::vector<LadderStep>& steps, std::size_t step, Shape shape,
                                  const BenchRecords& records);
// By more than what two runs of one kernel differ.
bool is_slower(const BenchedCell& cell, const BenchedCell* before);

}  // namespace tilewright
