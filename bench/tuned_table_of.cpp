// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <map>

#include "bench/tune.h"
#include "core/error.h"

namespace tilewright {
namespace {

struct Timed {
  double microseconds;
  std::string rung;
  auto operator<=>(const Timed&) const = default;
};

std::string environment_text(const Trials& trials, const std::string& file, const char* key) {
  const Json environment = trials.head.is_object() ? trials.head["environment"] : Json::object();
  if (!environment.contains(key) || !environment[key].is_string())
    throw bad_input("trials", file, std::string("do not say the ") + key + " of their GPU");
  return environment[key];
}

}  // namespace

TunedTable tuned_table_of(const Trials& trials, const std::string& file) {
  TunedTable table;
  table.gpu = environment_text(trials, file, "gpu");
  const std::string count = environment_text(trials, file, "multiprocessors");
  std::from_chars(count.data(), count.data() + count.size(), table.multiprocessors);
  table.driver = environment_text(trials, file, "driver");
  table.revision = trials.head["revision"];
  table.dirty = trials.head["dirty"];
  std::map<Shape, std::vector<Timed>> timed_at;
  for (const Json& trial : trials.trials)
    if (const auto median = trial_median_us(trial))
      timed_at[trial_shape(trial)].push_back({*median, trial["kernel"]});
  for (auto& [shape, timed] : timed_at) {
    std::sort(timed.begin(), timed.end());
    TunedRow& row = table.rows.emplace_back();
    row.shape = shape;
    row.rung = timed[0].rung;
    row.median_us = timed[0].microseconds;
    if (timed.size() < 2) continue;
    row.runner_up = timed[1].rung;
    row.runner_up_us = timed[1].microseconds;
  }
  return table;
}

}  // namespace tilewright
