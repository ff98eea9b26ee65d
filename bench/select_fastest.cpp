// SPDX-License-Identifier: MIT
#include <algorithm>

#include "bench/measure.h"
#include "core/error.h"

namespace tilewright {
namespace {

constexpr int batches_of_a_candidate = 3;
// Long launches differ by less from batch to batch: this much of them is enough.
constexpr double enough_us = 50e3;

// The time of one launch, or the reason why it is no candidate.
struct Trial {
  double microseconds = 0;
  std::string refused;
};

Trial try_candidate(Stand& stand, Contender& candidate) {
  try {
    const Batch first = stand.run(candidate, {.launches = 1});
    if (first.outputs.empty() || first.outputs.front().unwritten > 0 ||
        first.outputs.front().non_finite > 0 || !stand.judge(0, false).judgement.pass)
      return {.refused = "wrong product"};
    const BatchOrder order{.launches = std::clamp<std::int64_t>(
                               static_cast<std::int64_t>(1e3 / std::max(first.microseconds, 1.0)), 1, 32)};
    Trial trial;
    double spent_us = 0;
    for (int i = 0; i < batches_of_a_candidate && spent_us < enough_us; ++i) {
      const double microseconds = stand.run(candidate, order).microseconds;
      spent_us += microseconds * static_cast<double>(order.launches);
      trial.microseconds = i == 0 ? microseconds : std::min(trial.microseconds, microseconds);
    }
    return trial;
  } catch (const Error& error) {
    if (error.code != Code::unsupported) throw;
    return {.refused = error.rule};
  }
}

}  // namespace

Contender* select_fastest(Stand& stand, const Rival& rival, Json& tried) {
  Contender* fastest = nullptr;
  double least = 0;
  for (const auto& candidate : rival.candidates) {
    const Trial trial = try_candidate(stand, *candidate);
    Json entry = candidate->description();
    if (trial.refused.empty())
      entry["microseconds"] = trial.microseconds;
    else
      entry["refused"] = trial.refused;
    tried.push_back(std::move(entry));
    if (!trial.refused.empty() || (fastest && trial.microseconds >= least)) continue;
    fastest = candidate.get();
    least = trial.microseconds;
  }
  return fastest;
}

}  // namespace tilewright
