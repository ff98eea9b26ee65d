// SPDX-License-Identifier: MIT
//
// What a vector of samples says, with no assumption about how they are distributed, and what paired samples of two
// rivals say about which is faster. Every number comes from one vector; nothing is left out as an outlier.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tilewright {

inline constexpr double confidence_of_intervals = 0.99;
// Two rivals within one per cent of each other are the same: neighbouring runs of one kernel differ by that much.
inline constexpr double same_band = 0.01;

struct Interval {
  double low = 0, high = 0;
  double confidence = 0;  // that it holds the median of what the samples are drawn from
};

// Of a non-empty vector; `fraction` in [0, 1], linear between neighbours.
double quantile(std::span<const double> samples, double fraction);
double median(std::span<const double> samples);

// The sign test's: the narrowest pair of order statistics, equally far from both ends, whose confidence is at least
// that of confidence_of_intervals; with too few samples all of them, and the confidence that they have.
Interval median_interval(std::span<const double> samples);

struct Summary {
  std::int64_t samples = 0;
  double smallest = 0, quarter = 0, median = 0, three_quarters = 0, largest = 0;
  Interval interval;
  double spread = 0;  // (three_quarters - quarter) / median
  double drift = 0;   // median of the second half over that of the first, less 1
};
Summary summarise(std::span<const double> samples);

// Beyond these a figure is not one: the machine was doing something else too.
inline constexpr double largest_spread = 0.10, largest_drift = 0.05;
// "", "spread" or "drift".
std::string instability(const Summary& summary);

// Of the interval of a ratio, rival's time over own: FASTER or SLOWER where all of it is beyond the band, SAME where all is
// within, else AMBIGUOUS.
std::string verdict_of_ratio(double low, double high);

struct Comparison {
  double median = 0;  // of rival's time / own time: above 1 where the rung is faster
  Interval interval;
  std::string verdict;  // FASTER, SLOWER, SAME or AMBIGUOUS
};
Comparison compare_paired(std::span<const double> rival_over_own);

}  // namespace tilewright
