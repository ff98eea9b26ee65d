// SPDX-License-Identifier: MIT
//
// Which resource a launch was limited by, with the numbers that say so: a unit near its peak, the issue slots, or none
// of them, when the warps wait for one another's latencies. A pure function of what was measured.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/profile_readings.h"

namespace tilewright {

// From here on a unit is said to limit the launch; below, nothing was busy enough to.
inline constexpr double busy_percent = 60;

struct Limit {
  std::string kind;               // "resource", "issue", "latency", "unknown"
  std::string resource;           // the busiest: "FMA pipe"; empty when unknown
  std::optional<double> percent;  // of its peak
  std::string sentence;
};

Limit limiting_resource(const std::vector<Reading>& readings);

}  // namespace tilewright
