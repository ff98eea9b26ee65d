// SPDX-License-Identifier: MIT
//
// One launch of a rung under Nsight Compute: a child of this program launches it once and judges it, ncu reads the
// counters, running the kernel again for those that do not fit into one pass.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/profile_csv.h"
#include "judge/record.h"

namespace tilewright {

struct CounterRequest {
  std::string ncu;  // its path
  std::vector<std::string>
      kernels;  // the mangled names, each launched once; others of the command are not profiled
  std::vector<std::string> command;  // launches it, and prints a cell's record as a line
  std::vector<std::string> metrics;
};

// How ncu is told to measure, as option and value, the option without its dashes: part of every record, since the
// counters of caches and the times depend on it.
const std::vector<std::pair<std::string, std::string>>& collection_settings();

struct MeasuredCounters {
  std::vector<Metric>
      metrics;  // those asked for, in that order and in base units; no value where ncu has none
  std::vector<std::string> unknown;  // those of them that this ncu, or this GPU, does not have
  std::optional<int> passes;
  Json launch;  // the child's record of the launch that was measured

  std::vector<std::string> missing() const;  // the names without a value
};

// Of several kernels the sums, which mean something of counts only. Throws Error(unavailable) with the reason: not permitted, no such kernel, or whatever else ncu says.
MeasuredCounters read_counters(const CounterRequest& request);

// "2025.3.1.0", or empty when it does not say.
std::string ncu_version(const std::string& ncu);

// A program of the CUDA toolkit: in PATH, or where the toolkit is installed. Empty without it.
std::string find_cuda_program(const std::string& name);

}  // namespace tilewright
