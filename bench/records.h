// SPDX-License-Identifier: MIT
//
// The records of a bench, one JSON object a line: a run (where, with which ceilings), a timing a contender with every
// sample, a comparison a pair. Every figure in a timing's summary can be made again from its samples.
#pragma once

#include "bench/measure.h"
#include "bench/run_bench.h"
#include "bench/statistics.h"

namespace tilewright {

// What all records of one cell say of themselves.
struct CellHead {
  std::int64_t cell = 0;
  Shape shape{};
  const TimingPlan* plan = nullptr;
};

Json bench_run_record(const BenchRequest& request, const TimingDevice& device);
// `role`: rung, rival or control. `sets` of operands in turn.
Json timing_record(const CellHead& head, const Timing& timing, const std::string& role, std::int64_t sets,
                   const TimingDevice& device);
// `rival` as compared, such as cublas; `rival_is`, the timing that stood for it.
Json comparison_record(const CellHead& head, const std::string& kernel, const std::string& rival,
                       const std::string& rival_is, const std::vector<double>& ratios,
                       const Comparison& comparison);

// PASS, FAIL(kind), UNSUPPORTED(rule), REJECTED(impossible) or UNSTABLE(spread or drift).
std::string timing_verdict(const Timing& timing, Shape shape, const TimingPlan& plan,
                           const TimingDevice& device);

// Whether a timing with this verdict is a figure: right, if not steady.
inline bool is_figure(const std::string& verdict) {
  return verdict == "PASS" || verdict.rfind("UNSTABLE", 0) == 0;
}

}  // namespace tilewright
