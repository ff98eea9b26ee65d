// SPDX-License-Identifier: MIT
//
// The sentence that names what a launch was limited by, case by case.
#include "cli/profile_limit.h"

#include <gtest/gtest.h>

#include <map>

namespace tilewright {
namespace {

using Values = std::map<std::string, double>;

// As they are read: all but the stalls in any order, stalls largest first.
std::vector<Reading> readings(const Values& values,
                              const std::vector<std::pair<const char*, double>>& stalls = {}) {
  std::vector<Reading> all;
  for (const auto& [quantity, value] : values) all.push_back({"", quantity, "%", {}, value, {}});
  for (const auto& [reason, warps] : stalls) all.push_back({"stalls", reason, "warp/issue", {}, warps, {}});
  return all;
}

const Values kIdle{{"fma_pipe", 20}, {"issue_slots", 30}, {"data_pipe", 41}, {"load_store_queue", 25},
                   {"l1", 44},       {"l2", 12},          {"dram", 3}};

Values with(Values changes) {
  changes.insert(kIdle.begin(), kIdle.end());
  return changes;
}

TEST(ProfileLimit, AUnitNearItsPeak) {
  const Limit fma = limiting_resource(readings(with({{"fma_pipe", 76.2}, {"issue_slots", 90}})));
  EXPECT_EQ(fma.kind, "resource");
  EXPECT_EQ(fma.resource, "FMA pipe");
  EXPECT_EQ(fma.percent, 76.2);
  EXPECT_EQ(fma.sentence, "FMA pipe: 76 % of its peak; next L1/shared data pipe 41 %");
  EXPECT_EQ(limiting_resource(readings(with({{"dram", 91}}))).sentence,
            "DRAM bandwidth: 91 % of its peak; next L1/shared data pipe 41 %");
  EXPECT_EQ(limiting_resource(readings(with({{"l2", 60}}))).resource, "L2");
}

TEST(ProfileLimit, APartOfL1ByItsNameWhereItIsTheBusyOne) {
  EXPECT_EQ(limiting_resource(readings(with({{"data_pipe", 93}, {"l1", 95}}))).resource,
            "L1/shared data pipe");
  EXPECT_EQ(limiting_resource(readings(with({{"load_store_queue", 88}, {"l1", 88}}))).resource,
            "load/store queue");
  EXPECT_EQ(limiting_resource(readings(with({{"data_pipe", 50}, {"l1", 95}}))).resource, "L1");
}

TEST(ProfileLimit, IssueSlotsOnlyWhereTheFmaPipeDoesNotFillThem) {
  const Limit issue = limiting_resource(readings(with({{"fma_pipe", 50}, {"issue_slots", 85}})));
  EXPECT_EQ(issue.kind, "issue");
  EXPECT_EQ(issue.sentence, "issue slots: 85 % of their peak; next FMA pipe 50 %");
  EXPECT_EQ(limiting_resource(readings(with({{"fma_pipe", 69}, {"issue_slots", 85}}))).kind, "resource");
  EXPECT_EQ(limiting_resource(readings(with({{"data_pipe", 90}, {"l1", 90}, {"issue_slots", 85}}))).kind,
            "resource");
}

TEST(ProfileLimit, LatencyWhereNothingIsBusy) {
  const Limit limit =
      limiting_resource(readings(with({{"occupancy_achieved", 12.3},
                                       {"occupancy_possible", 25},
                                       {"blocks_by_registers", 1},
                                       {"blocks_by_shared", 4},
                                       {"blocks_by_warps", 8},
                                       {"waves", 4}}),
                                 {{"not_selected", 9}, {"long_scoreboard", 4.2}, {"wait", 1.9}}));
  EXPECT_EQ(limit.kind, "latency");
  EXPECT_EQ(limit.percent, 41);
  EXPECT_EQ(
      limit.sentence,
      "latency: nothing above 60 %, most L1/shared data pipe 41 %; top stall long_scoreboard, 4.2 of the 6.1 "
      "warps that wait at each issue; occupancy 12 % of 25 % possible by registers");
}

TEST(ProfileLimit, ASmallGridIsSaidToBeOne) {
  const Limit limit = limiting_resource(readings(with({{"waves", 0.02}})));
  EXPECT_EQ(limit.sentence,
            "latency: nothing above 60 %, most L1/shared data pipe 41 %; the grid fills 0.02 of a wave");
}

TEST(ProfileLimit, NamesWhatWasNotMeasured) {
  EXPECT_EQ(limiting_resource(readings({{"fma_pipe", 76}, {"dram", 10}})).sentence,
            "FMA pipe: 76 % of its peak; next DRAM bandwidth 10 %; not measured: L1/shared data pipe, L2");
  EXPECT_EQ(limiting_resource(readings({{"dram", 91}})).sentence,
            "DRAM bandwidth: 91 % of its peak; not measured: FMA pipe, L1/shared data pipe, L2");
  const Limit none = limiting_resource({});
  EXPECT_EQ(none.kind, "unknown");
  EXPECT_EQ(none.percent, std::nullopt);
  EXPECT_EQ(none.sentence, "unknown: no unit was measured");
}

}  // namespace
}  // namespace tilewright
