// SPDX-License-Identifier: MIT
//
// What a launch looks like under Nsight Compute, quantity by quantity in sections: launch, occupancy, throughput,
// instructions, memory, shared memory, stalls. Each has its unit, the metrics that it is measured by, and beside it what
// was predicted of it, where anything was. Nothing is compared here: exact counts are profile_agreement.h.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/profile_csv.h"

namespace tilewright {

struct Predicted {
  double value = 0;
  std::string by;  // "rung": it declares it; "model": follows by a formula; "emulator": counted there
};
using Predictions = std::map<std::string, Predicted>;  // by quantity

struct Reading {
  std::string section, quantity, unit;
  std::vector<std::string> metrics;  // that it was measured by, or would have been
  std::optional<double> measured;
  std::optional<Predicted> predicted;
};

// Every metric to ask ncu for. All are the hardware's own counters: none makes ncu change the kernel, which would cost
// a slow kernel minutes.
std::vector<std::string> reading_metrics();

// All quantities in the order of their sections, without a value where ncu had none; stalls largest first.
std::vector<Reading> readings_of(const std::vector<Metric>& metrics, const Predictions& predictions);

// What was measured of it, or none.
std::optional<double> measured_of(const std::vector<Reading>& readings, std::string_view quantity);

}  // namespace tilewright
