// SPDX-License-Identifier: MIT
//
// What was predicted beside what was measured, quantity by quantity, with a word for each: equal; merged, where the
// compiler made wider accesses of several of the source's and the counts follow from the widths; arbitrated, where a counter
// holds what the hardware repeated for reasons of its own as well, and another one says how often; different, where
// nothing explains the number; masked, where cp.async outside of a matrix is a request that reads nothing; unavailable.
#pragma once

#include <string>
#include <vector>

#include "cli/profile_counters.h"
#include "cli/profile_sass.h"
#include "device/device.h"
#include "model/exact.h"

namespace tilewright {

// The multiply-adds one launch executes. A rung with tiles in shared memory fills them with zeros and computes them
// whole; without, a thread without an element of C computes nothing. Where a rung does otherwise, it says so itself.
std::int64_t executed_multiply_adds(const Rung& rung, Shape shape);

// What the source asks for, from the emulator's trace and the model.
struct Prediction {
  WarpCounts global_reads, global_writes, shared_reads, shared_writes;
  std::int64_t multiply_adds = 0;
};
Prediction predict_counters(const Rung& rung, Shape shape, const std::vector<LineCount>& lines);

// The metrics of the comparison, to ask ncu for. Some of them make it count by instrumenting the kernel.
std::vector<std::string> agreement_metrics();

struct Agreement {
  std::string quantity;  // "global_load_requests"
  std::string metric;    // the one of its alternatives that was there
  std::int64_t predicted = 0;
  std::optional<double> measured;
  std::string status;  // equal, merged, arbitrated, masked, different, unavailable(…)
  std::string
      note;  // of merged: which instructions, and what they make of the prediction; of arbitrated: how often
};

// `sass` is null where the machine code could not be read; then nothing can be shown to be merged. Of a rung with a first
// kernel, all numbers are of both kernels, and `first` is that one's machine code.
std::vector<Agreement> compare(const Prediction& prediction, const std::vector<Metric>& measured,
                               const SassCounts* sass, const SassCounts* first = nullptr);

}  // namespace tilewright
