// SPDX-License-Identifier: MIT
//
// Counts records again: what in them does not follow from their own samples or numbers, is above what the run's ceilings
// allow, is no word of the schema, or is missing from what the run planned.
#pragma once

#include <string>
#include <vector>

#include "report/bench_records.h"

namespace tilewright {

// Of one run with its records, each problem with its file and line; none when all is well.
std::vector<std::string> bench_contradictions(const BenchFile& run);
std::vector<std::string> check_contradictions(const BenchFile& run);

}  // namespace tilewright
