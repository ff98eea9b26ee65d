// SPDX-License-Identifier: MIT
#include "bench/statistics.h"

#include <algorithm>
#include <cmath>

namespace tilewright {
namespace {

std::vector<double> sorted(std::span<const double> samples) {
  std::vector<double> values(samples.begin(), samples.end());
  std::sort(values.begin(), values.end());
  return values;
}

double quantile_of_sorted(const std::vector<double>& values, double fraction) {
  const double at = fraction * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (at - static_cast<double>(below)) * (values[above] - values[below]);
}

}  // namespace

double quantile(std::span<const double> samples, double fraction) {
  return quantile_of_sorted(sorted(samples), fraction);
}

double median(std::span<const double> samples) { return quantile(samples, 0.5); }

// The median lies outside [x_(k), x_(n+1-k)] when fewer than k of n samples fall on one side of it, and how many do is
// binomial with p = 1/2. Logarithms, because 2^-n leaves the range of a double.
Interval median_interval(std::span<const double> samples) {
  const std::vector<double> values = sorted(samples);
  const auto n = static_cast<double>(values.size());
  double tail = 0, outside = 0;  // P(at most `rank` on one side)
  std::size_t left_out = 0;
  for (std::size_t rank = 0; 2 * rank + 1 < values.size(); ++rank) {
    const auto r = static_cast<double>(rank);
    tail += std::exp(std::lgamma(n + 1) - std::lgamma(r + 1) - std::lgamma(n - r + 1) - n * std::log(2.0));
    if (rank > 0 && 2 * tail > 1 - confidence_of_intervals) break;
    left_out = rank;
    outside = 2 * tail;
  }
  const double confidence = values.size() < 2 ? 0 : std::max(0.0, 1 - outside);
  return {values[left_out], values[values.size() - 1 - left_out], confidence};
}

Summary summarise(std::span<const double> samples) {
  const std::vector<double> values = sorted(samples);
  Summary summary;
  summary.samples = static_cast<std::int64_t>(values.size());
  summary.smallest = values.front();
  summary.quarter = quantile_of_sorted(values, 0.25);
  summary.median = quantile_of_sorted(values, 0.5);
  summary.three_quarters = quantile_of_sorted(values, 0.75);
  summary.largest = values.back();
  summary.interval = median_interval(samples);
  if (summary.median > 0) summary.spread = (summary.three_quarters - summary.quarter) / summary.median;
  const std::size_t half = samples.size() / 2;
  if (half > 0 && median(samples.first(half)) > 0)
    summary.drift = median(samples.last(half)) / median(samples.first(half)) - 1;
  return summary;
}

std::string instability(const Summary& summary) {
  if (!(summary.spread <= largest_spread)) return "spread";
  if (!(std::abs(summary.drift) <= largest_drift)) return "drift";
  return {};
}

std::string verdict_of_ratio(double low, double high) {
  if (low > 1 + same_band) return "FASTER";
  if (high < 1 - same_band) return "SLOWER";
  return low >= 1 - same_band && high <= 1 + same_band ? "SAME" : "AMBIGUOUS";
}

Comparison compare_paired(std::span<const double> rival_over_own) {
  Comparison comparison{median(rival_over_own), median_interval(rival_over_own), "AMBIGUOUS"};
  const Interval& interval = comparison.interval;
  if (interval.confidence >= confidence_of_intervals)
    comparison.verdict = verdict_of_ratio(interval.low, interval.high);
  return comparison;
}

}  // namespace tilewright
