// SPDX-License-Identifier: MIT
//
// One kernel at one shape under the emulator, judged: what `tilewright trace` and the Python module's trace() run.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

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

}  // namespace tilewright
