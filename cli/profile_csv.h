// SPDX-License-Identifier: MIT
//
// What Nsight Compute prints with `--csv --page raw`: a header of metric names, a row of units, and a row for each
// launch. Metrics are read by name, never by position: which columns there are depends on the version and on the
// GPU. Text only; running ncu is profile_counters.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

struct Metric {
  std::string name, unit;
  std::optional<double> value;  // none where ncu printed no number ("n/a")
};

// Its value, or none where it is not there or ncu had no number for it.
std::optional<double> value_of(const std::vector<Metric>& metrics, std::string_view name);

// The same in bytes and nanoseconds, whichever multiple ncu chose to print ("Mbyte", "usecond"); every other unit is
// left as it is.
Metric in_base_units(Metric metric);

// The metrics of the launches in this text, of several their sums; what ncu says between the rows (==PROF== …) is skipped.
// Throws Error(unavailable) with the reason when there are not as many launches, or a row is cut off.
std::vector<Metric> parse_ncu_csv(const std::string& text, std::size_t launches = 1);

// Why ncu has no counters to show, in one line: not permitted, no such kernel, or its first ==ERROR== line. Empty
// when it says nothing of the kind.
std::string ncu_failure(const std::string& text);

// How many times ncu ran the kernel to collect what was asked; none when it does not say.
std::optional<int> passes_of(const std::string& text);

// Those of the metrics that ncu says it does not know. It then collects nothing, so the caller asks again without
// them.
std::vector<std::string> metrics_unknown_to_ncu(const std::string& text,
                                                const std::vector<std::string>& asked);

}  // namespace tilewright
