// SPDX-License-Identifier: MIT
//
// One kernel at one shape under the emulator, judged: what `tilewright trace` and the Python module's trace() run.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/kernel_choice.h"
#include "device/catalog.h"
#include "judge/outcome.h"
#include "judge/record.h"

namespace tilewright {

struct TraceRequest {
  KernelChoice kernel;  // one name
  EmulatorChoice emulator;
  std::string shape, inputs = "uniform";
  std::uint64_t seed = 1;
  bool sample_blocks = false;
  int multiprocessors = nominal_multiprocessors;
};

struct Trace {
  TraceRequest request;
  std::unique_ptr<Catalog> catalog;  // holds the module that `rung` points into
  Rung rung;
  Shape shape;
  Outcome outcome;
};

// Throws Error for whatever is wrong with the request.
Trace run_trace(const Installation& installation, const TraceRequest& request);

Json to_json(const Trace& trace);

// The kernel's own source with what each line accesses in its margin, and findings under their line. `resources` holds
// the sources of the rungs; of a file that cannot be read, the lines are listed without their text.
std::string annotated_source(const Trace& trace, const std::string& resources);

// What all lines of one space and operation come to.
struct LineTotals {
  std::string_view space, op;
  Count count;
  WarpCounts warps;
};
std::vector<LineTotals> totals_of(const std::vector<LineCount>& lines);  // global read, … shared write

// Two traces, number beside number.
std::string side_by_side(const Trace& first, const Trace& second);

}  // namespace tilewright
