// SPDX-License-Identifier: MIT
//
// bench/statistics.h on vectors whose answers are known.
#include <gtest/gtest.h>

#include <numeric>

#include "bench/statistics.h"

namespace tilewright {
namespace {

std::vector<double> count_to(int n) {
  std::vector<double> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

TEST(BenchStatistics, QuantilesLieBetweenNeighbours) {
  const std::vector<double> samples{4, 1, 3, 2};
  EXPECT_EQ(median(samples), 2.5);
  EXPECT_EQ(quantile(samples, 0), 1);
  EXPECT_EQ(quantile(samples, 0.25), 1.75);
  EXPECT_EQ(quantile(samples, 1), 4);
  EXPECT_EQ(median(std::vector<double>{7}), 7);
}

// Ranks from tables of the sign test at 99 %: the binomial's tail up to k - 1 is at most 0.005.
TEST(BenchStatistics, TheIntervalOfTheMedianIsTheSignTests) {
  struct Row {
    int n;
    double low, high, confidence;
  };
  for (const Row& row : {Row{8, 1, 8, 0.9921875}, Row{10, 1, 10, 0.998046875}, Row{11, 1, 11, 0.9990234375},
                         Row{20, 4, 17, 0.9974232}, Row{24, 6, 19, 0.9933892}, Row{50, 16, 35, 0.9933996}}) {
    const Interval interval = median_interval(count_to(row.n));
    EXPECT_EQ(interval.low, row.low) << row.n;
    EXPECT_EQ(interval.high, row.high) << row.n;
    EXPECT_NEAR(interval.confidence, row.confidence, 1e-6) << row.n;
  }
}

TEST(BenchStatistics, TooFewSamplesClaimNoConfidence) {
  EXPECT_EQ(median_interval(std::vector<double>{5}).confidence, 0);
  EXPECT_EQ(median_interval(count_to(2)).confidence, 0.5);
  const Interval seven = median_interval(count_to(7));
  EXPECT_EQ(seven.low, 1);
  EXPECT_EQ(seven.high, 7);
  EXPECT_LT(seven.confidence, confidence_of_intervals);
}

TEST(BenchStatistics, ThousandsOfSamplesDoNotOverflow) {
  const Interval interval = median_interval(count_to(5000));
  EXPECT_GE(interval.confidence, 0.99);
  EXPECT_NEAR(interval.low, 2500 - 91, 3);  // n/2 - 2.576 √n / 2
  EXPECT_NEAR(interval.low + interval.high, 5001, 1e-9);
}

TEST(BenchStatistics, ASummaryKeepsItsOutlier) {
  std::vector<double> samples(20, 100.0);
  samples[3] = 1000;
  const Summary summary = summarise(samples);
  EXPECT_EQ(summary.samples, 20);
  EXPECT_EQ(summary.largest, 1000);
  EXPECT_EQ(summary.median, 100);
  EXPECT_EQ(summary.spread, 0);
  EXPECT_EQ(instability(summary), "");
}

TEST(BenchStatistics, DriftAndSpreadAreNoticed) {
  std::vector<double> drifting(20, 100.0), scattered(20, 100.0);
  for (std::size_t i = 10; i < 20; ++i) drifting[i] = 106;
  for (std::size_t i = 0; i < 20; i += 2) scattered[i] = 120;
  EXPECT_NEAR(summarise(drifting).drift, 0.06, 1e-12);
  EXPECT_EQ(instability(summarise(drifting)), "drift");
  EXPECT_EQ(instability(summarise(scattered)), "spread");
}

TEST(BenchStatistics, AComparisonHasFourVerdicts) {
  const auto verdict = [](double low, double high) {
    std::vector<double> ratios(20, low);
    std::fill(ratios.begin() + 10, ratios.end(), high);
    return compare_paired(ratios).verdict;
  };
  EXPECT_EQ(verdict(1.02, 1.03), "FASTER");
  EXPECT_EQ(verdict(0.97, 0.98), "SLOWER");
  EXPECT_EQ(verdict(0.995, 1.005), "SAME");
  EXPECT_EQ(verdict(1.005, 1.05), "AMBIGUOUS");
  EXPECT_EQ(verdict(0.95, 1.05), "AMBIGUOUS");
  EXPECT_EQ(verdict(1.0, 1.01), "SAME");  // the band's edge belongs to it
}

TEST(BenchStatistics, TooFewPairsDecideNothing) {
  EXPECT_EQ(compare_paired(std::vector<double>(7, 2.0)).verdict, "AMBIGUOUS");
  EXPECT_EQ(compare_paired(std::vector<double>(8, 2.0)).verdict, "FASTER");
}

}  // namespace
}  // namespace tilewright
