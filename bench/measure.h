// SPDX-License-Identifier: MIT
//
// Times the contenders of one cell (one rung and its rivals at one shape) side by side, and does not believe what it
// has not seen: every batch writes over a pattern and is compared with a product that was judged in float64.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/stand.h"

namespace tilewright {

struct WarmUp {
  std::int64_t rounds = 0;
  double seconds = 0;
  bool settled = false;  // the last batches of every contender took the same time
};

struct Timing {
  std::string contender;
  Json description;
  std::string verdict = "PASS";  // else FAIL(kind) or UNSUPPORTED(rule): then there may be no samples
  std::string error;             // the device's words, in one line
  std::int64_t launches = 0;     // of a batch
  std::vector<double> microseconds,
      wall_microseconds;                    // of a launch and of a whole batch, one for each round
  std::vector<Conditions> conditions;       // beside each batch
  std::vector<std::int64_t> positions;      // in its round
  std::int64_t not_queued_ahead = 0;        // batches
  bool deterministic = true;                // same bits from the same operands, launch after launch
  std::optional<JudgedOutput> first, last;  // the product before the timed batches, and after them
  WarmUp warm_up;

  bool failed() const { return verdict.rfind("FAIL", 0) == 0; }
};

// One timing a contender, in their order; rounds of A B C, C B A, A B C, … so that none is always second. A contender
// that fails stops being launched; the others go on. Only a fault of the device leaves by exception.
std::vector<Timing> measure(Stand& stand, std::span<Contender* const> contenders, const TimingPlan& plan);

// The fastest candidate of a rival that also computes the product, from the best of a few batches of each. What each of
// them took goes into `tried`. None if no candidate is right.
Contender* select_fastest(Stand& stand, const Rival& rival, Json& tried);

// Of rival's time over own time, round by round; empty when either has none.
std::vector<double> paired_ratios(const Timing& own, const Timing& rival);

}  // namespace tilewright
