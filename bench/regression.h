// SPDX-License-Identifier: MIT
//
// Holds the records of a bench against those of an earlier one. A rung is compared by its ratio to cuBLAS where both runs
// have it, because that ratio keeps still when the clock does not; else by its time.
#pragma once

#include <string>
#include <vector>

#include "judge/record.h"

namespace tilewright {

inline constexpr double tolerated_slowdown = 0.03;

struct Regression {
  std::string what;    // "direct at 64x64x64, warm, boost, device"
  std::string reason;  // "1.21 times as long, against cublas"
};

struct GateResult {
  std::size_t compared = 0;
  std::vector<Regression> regressions;
};

// Throws bad_input on a file that is none of ours.
std::vector<Json> read_bench_records(const std::string& path);

// A rung is slower when its median is worse by more than tolerated_slowdown and the two intervals of the median lie
// apart; also when it was right before and is not any more. What only one of the runs has is not compared. Throws
// bad_input when the runs are of different GPUs or have nothing in common.
GateResult find_regressions(const std::vector<Json>& before, const std::vector<Json>& now);

}  // namespace tilewright
