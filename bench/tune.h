// SPDX-License-Identifier: MIT
//
// Trials of every rung at every shape, for `auto` to choose by: each product is judged before its rung is timed, rungs
// far slower than the best are given up after a few launches, the others are timed in turn, in short batches. The times
// rank rungs; what is published is measured by run_bench.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/stand.h"
#include "bench/trial_file.h"
#include "gemm/tuned_table.h"

namespace tilewright {

// A rung that takes this many times as long as the best so far is hopeless.
inline constexpr double hopeless_ratio = 2.5;

struct TuneRequest {
  std::vector<Rung> kernels;
  std::vector<Shape> shapes;
  TimingPlan plan{.mode = Mode::quick, .seconds = 0.04};
  RunOrigin origin;
};

struct TuneResult {
  std::size_t skipped = 0;  // trials that the file had already
  std::size_t timed = 0, hopeless = 0, unsupported = 0, failed = 0;
  std::vector<std::string> notes;  // of what failed or cannot be launched
  bool lost = false;               // the device faulted: what would have come after is missing
};

// The first line of the file.
Json tune_head(const TuneRequest& request, const TimingDevice& device);

// `say` hears what is going on, a line at a time.
TuneResult tune(TimingDevice& device, const TuneRequest& request, TrialFile& file,
                const std::function<void(const std::string&)>& say);

// The fastest rung of each shape and the one after it; a shape without a timed trial has no row. Throws bad_input on
// trials that say nothing of the GPU.
TunedTable tuned_table_of(const Trials& trials, const std::string& file);

}  // namespace tilewright
