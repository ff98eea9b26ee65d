// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "bench/measure.h"
#include "core/error.h"

namespace tilewright {
namespace {

constexpr int batches_of_a_candidate = 3;
// Long launches differ by less from batch to batch: this much of them is enough.
constexpr double enough_us = 50e3;

// A candidate that computes the product, and the best time of one launch so far; or the reason why it is none.
struct Trial {
  Contender& candidate;
  std::string refused = {};
  BatchOrder order = {};
  double microseconds = 0, spent_us = 0;
};

// What the library does not do for this shape is the candidate's refusal.
template <class Step>
void unless_refused(Trial& trial, const Step& step) {
  try {
    step();
  } catch (const Error& error) {
    if (error.code != Code::unsupported) throw;
    trial.refused = error.rule;
  }
}

void verify(Stand& stand, Trial& trial) {
  const Batch first = stand.run(trial.candidate, {.launches = 1});
  if (first.outputs.empty() || first.outputs.front().unwritten > 0 || first.outputs.front().non_finite > 0 ||
      !stand.judge(0, false).judgement.pass)
    trial.refused = "wrong product";
  trial.order = order_of_an_estimate(first.microseconds);
}

// Goes on with the operand sets where the batch before ended, as the timed batches do.
void time_once(Stand& stand, Trial& trial, std::int64_t& next_set) {
  trial.order.first_set = next_set;
  next_set = (next_set + trial.order.launches) % stand.sets();
  const double microseconds = stand.run(trial.candidate, trial.order).microseconds;
  trial.microseconds = trial.spent_us == 0 ? microseconds : std::min(trial.microseconds, microseconds);
  trial.spent_us += microseconds * static_cast<double>(trial.order.launches);
}

}  // namespace

Contender* select_fastest(Stand& stand, const Rival& rival, Json& tried) {
  std::vector<Trial> trials;
  for (const auto& candidate : rival.candidates) {
    Trial& trial = trials.emplace_back(Trial{.candidate = *candidate});
    unless_refused(trial, [&] { verify(stand, trial); });
  }
  // In turn, so that none has all its batches while the clock still rises.
  std::int64_t next_set = 0;
  for (int round = 0; round < batches_of_a_candidate; ++round)
    for (Trial& trial : trials)
      if (trial.refused.empty() && trial.spent_us < enough_us)
        unless_refused(trial, [&] { time_once(stand, trial, next_set); });

  const Trial* fastest = nullptr;
  for (const Trial& trial : trials) {
    Json entry = trial.candidate.description();
    if (trial.refused.empty())
      entry["microseconds"] = trial.microseconds;
    else
      entry["refused"] = trial.refused;
    tried.push_back(std::move(entry));
    if (trial.refused.empty() && (!fastest || trial.microseconds < fastest->microseconds)) fastest = &trial;
  }
  return fastest ? &fastest->candidate : nullptr;
}

}  // namespace tilewright
