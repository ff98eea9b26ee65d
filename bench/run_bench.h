// SPDX-License-Identifier: MIT
//
// A whole run of the bench: every rung at every shape beside its rivals, as records. It knows no device but the one it
// is given. Records are handed over as they come; a contender that never returns is given up from another thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/measure.h"
#include "bench/statistics.h"
#include "gemm/auto.h"

namespace tilewright {

// What stands for `auto` at a shape; the refusal says what the stand cannot launch.
using ChooseRung = std::function<Chosen(Shape shape, const Refusal& refusal)>;

struct BenchRequest {
  std::vector<Rung> kernels;
  std::vector<Shape> shapes;
  TimingPlan plan;
  bool cublas = true;    // time the rivals
  bool control = false;  // time each rung against itself
  RunOrigin origin;
  ChooseRung choose;                // needed where `auto` is one of the kernels
  double hang_limit_seconds = 120;  // of one batch
};

// What one cell came to, for a table.
struct BenchRow {
  std::string kernel;
  Shape shape;
  std::string verdict;  // of the timing
  std::optional<double> microseconds, tflops, fraction_of_fma_ceiling;
  std::optional<double> against_cublas, against_itself;  // rival's time over own time
  std::string cublas, control;  // verdicts of the comparisons; the reason where there is none
};

struct BenchResult {
  std::vector<Json> records;  // a run, then timings and comparisons
  std::vector<BenchRow> rows;
  std::vector<std::string> notes;  // what was not measured, and why
  bool failed = false;             // a kernel was wrong or its time impossible, or a control did not say SAME
  bool lost = false;               // the device faulted: what would have come after is missing
  std::size_t measured = 0;
};

struct BenchListener {
  std::function<void(const std::string& what)> say = {};  // what is going on, a line at a time
  std::function<void(const Json& record)> keep = {};      // each record as soon as it is known
  // A batch takes longer than the request's limit: the thread that measures waits for a device that does not answer and
  // cannot be told. Called on another thread after the contender's record FAIL(hang); it must end the process.
  std::function<void(const std::string& message)> abandon = {};
};

BenchResult run_bench(TimingDevice& device, const BenchRequest& request, const BenchListener& listener);

}  // namespace tilewright
