// SPDX-License-Identifier: MIT
//
// docs/ladder.md, as a pure function of records and of what the rungs' pages say: what each rung was to do, what it did,
// what was decided; the library's kernel beside cuBLAS over the declared shapes; which shapes it loses. Every number on the
// page is in a record or follows from one.
#pragma once

#include "bench/shape_sets.h"
#include "report/bench_records.h"
#include "report/ladder_step.h"

namespace tilewright {

struct LadderSources {
  std::vector<LadderStep> steps;  // in the order of the ladder, candidates among them
  std::vector<BenchFile> bench;
  BenchFile profiles;  // of `tilewright profile`; may be empty
  std::vector<DeclaredSet> sets;
};

// Throws bad_input naming file and line on a record that is none of this schema.
std::string ladder_page(const LadderSources& sources);

}  // namespace tilewright
