// SPDX-License-Identifier: MIT
//
// bench/measure.h against contenders that cheat, on a device made of paper: each kind must be caught, and honest ones
// must not be.
#include <gtest/gtest.h>

#include "bench/measure.h"
#include "bench/statistics.h"
#include "tests/unit/bench_fake.h"

namespace tilewright {
namespace {

constexpr TimingPlan plan{.seconds = 0.5, .seed = 3};

Timing measure_beside_honest(FakeStand& stand, Contender& contender, const TimingPlan& how = plan) {
  FakeContender honest("honest", stand, 200);
  Contender* both[] = {&contender, &honest};
  std::vector<Timing> timings = measure(stand, both, how);
  EXPECT_EQ(timings[1].verdict, "PASS") << "the honest one beside it";
  EXPECT_GE(timings[1].microseconds.size(), 8U);
  return timings[0];
}

TEST(BenchMeasure, AnHonestContenderHasEverySample) {
  FakeStand stand;
  FakeContender honest("own", stand, 100);
  const Timing timing = measure_beside_honest(stand, honest);
  EXPECT_EQ(timing.verdict, "PASS");
  EXPECT_EQ(timing.launches, 50);  // 5 ms
  EXPECT_EQ(timing.microseconds.size(), 24U);
  EXPECT_EQ(timing.conditions.size(), 24U);
  EXPECT_EQ(timing.wall_microseconds.size(), 24U);
  for (const double microseconds : timing.microseconds) EXPECT_NEAR(microseconds, 100, 1e-6);
  EXPECT_TRUE(timing.deterministic);
  EXPECT_TRUE(timing.warm_up.settled);
  ASSERT_TRUE(timing.first && timing.last);
}

TEST(BenchMeasure, NobodyIsAlwaysSecond) {
  FakeStand stand;
  FakeContender a("a", stand, 100), b("b", stand, 100);
  Contender* both[] = {&a, &b};
  const std::vector<Timing> timings = measure(stand, both, plan);
  EXPECT_EQ(timings[0].positions, (std::vector<std::int64_t>{0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1,
                                                             0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1}));
  // The last rounds, before the final judgement of each: A B, B A.
  const std::vector<std::string>& order = stand.order();
  const std::vector<std::string> last(order.end() - 6, order.end() - 2);
  EXPECT_EQ(last, (std::vector<std::string>{"a", "b", "b", "a"}));
}

TEST(BenchMeasure, DoingNothingAfterTheFirstCallIsCaught) {
  for (const std::int64_t launches : {1, 2, 30, 200, 800, 1500}) {
    FakeStand stand;
    StopsAfter cheat("cheat", stand, launches);
    const Timing timing = measure_beside_honest(stand, cheat);
    EXPECT_EQ(timing.verdict, "FAIL(unwritten_output)") << launches;
  }
}

TEST(BenchMeasure, AKeptAnswerIsCaughtByOtherValuesInTheSamePlaces) {
  FakeStand stand;
  KeepsAnswers cheat("cheat", stand, 100);
  EXPECT_EQ(measure_beside_honest(stand, cheat).verdict, "FAIL(wrong_value)");
}

TEST(BenchMeasure, OtherOutputsWhileTimedAreCaught) {
  FakeStand stand;
  ChangesAfter cheat("cheat", stand, 800);  // past the warm-up's checks
  EXPECT_EQ(measure_beside_honest(stand, cheat).verdict, "FAIL(timed_output_differs)");
}

TEST(BenchMeasure, WrongAndNonFiniteValuesAreNotTimed) {
  FakeStand stand;
  Writes wrong("wrong", stand, 7.0F), nan("nan", stand, -2.0F);
  const Timing of_wrong = measure_beside_honest(stand, wrong);
  EXPECT_EQ(of_wrong.verdict, "FAIL(wrong_value)");
  EXPECT_TRUE(of_wrong.microseconds.empty());
  EXPECT_EQ(measure_beside_honest(stand, nan).verdict, "FAIL(non_finite)");
}

TEST(BenchMeasure, SumsInNoFixedOrderAreJudgedInsteadOfComparedBitForBit) {
  FakeStand stand;
  FakeContender honest("own", stand, 100);
  honest.in_fixed_order = false;
  const Timing timing = measure_beside_honest(stand, honest);
  EXPECT_EQ(timing.verdict, "PASS");
  EXPECT_FALSE(timing.deterministic);
  ChangesAfter cheat("cheat", stand, 800);
  cheat.in_fixed_order = false;
  const Timing caught = measure_beside_honest(stand, cheat);
  EXPECT_EQ(caught.verdict, "FAIL(wrong_value)");
  EXPECT_FALSE(caught.microseconds.empty()) << "it was right before it was timed";
}

TEST(BenchMeasure, CountersThatAreNotLeftZeroAreAFailure) {
  FakeStand stand;
  FakeContender leaves("leaves", stand, 100);
  leaves.left_behind = "counter_not_zero";
  const Timing timing = measure_beside_honest(stand, leaves);
  EXPECT_EQ(timing.verdict, "FAIL(counter_not_zero)");
  EXPECT_TRUE(timing.microseconds.empty());
}

TEST(BenchMeasure, EverySetOfARotationIsVerified) {
  // Right in set 0 only.
  class FirstSetOnly : public FakeContender {
    using FakeContender::FakeContender;
    std::optional<float> product(std::uint64_t seed, std::int64_t) override { return right_product(seed, 0); }
  };
  FakeStand stand(7);
  FirstSetOnly cheat("cheat", stand, 100);
  TimingPlan rotate = plan;
  rotate.cache = Cache::rotate;
  EXPECT_EQ(measure_beside_honest(stand, cheat, rotate).verdict, "FAIL(wrong_value)");
  FakeContender honest("own", stand, 100);
  EXPECT_EQ(measure_beside_honest(stand, honest, rotate).verdict, "PASS");
}

TEST(BenchMeasure, ARefusalIsItsOwnAndAFaultIsEverybodys) {
  FakeStand stand;
  Refuses refuses("refuses", stand, 100);
  EXPECT_EQ(measure_beside_honest(stand, refuses).verdict, "UNSUPPORTED(asks for too much)");
  Faults faults("faults", stand, 10);
  Contender* one[] = {&faults};
  EXPECT_THROW(measure(stand, one, plan), Error);
}

TEST(BenchMeasure, WhatWouldTakeTooLongIsLeftOut) {
  FakeStand stand;
  FakeContender slow("slow", stand, 1e6);
  EXPECT_EQ(measure_beside_honest(stand, slow).verdict,
            "UNSUPPORTED(8 launches take 8000 ms, more than --seconds allows)");
}

TEST(BenchMeasure, ColdTimesOneLaunchABatch) {
  FakeStand stand;
  FakeContender honest("own", stand, 100);
  TimingPlan cold = plan;
  cold.cache = Cache::cold;
  EXPECT_EQ(measure_beside_honest(stand, honest, cold).launches, 1);
}

TEST(BenchMeasure, AgainstItselfNothingIsFasterOrSlower) {
  for (const double microseconds : {3.0, 40.0, 700.0, 9000.0}) {
    FakeStand stand;
    NoisyContender a("a", stand, microseconds), b("b", stand, microseconds);
    Contender* both[] = {&a, &b};
    const std::vector<Timing> timings = measure(stand, both, plan);
    EXPECT_EQ(compare_paired(paired_ratios(timings[0], timings[1])).verdict, "SAME") << microseconds;
  }
}

TEST(BenchMeasure, TwoPerCentAreSeen) {
  FakeStand stand;
  NoisyContender a("a", stand, 400), b("b", stand, 408);
  Contender* both[] = {&a, &b};
  const std::vector<Timing> timings = measure(stand, both, plan);
  EXPECT_EQ(compare_paired(paired_ratios(timings[0], timings[1])).verdict, "FASTER");
  EXPECT_EQ(compare_paired(paired_ratios(timings[1], timings[0])).verdict, "SLOWER");
}

TEST(BenchMeasure, TheFastestRightCandidateStandsForTheRival) {
  FakeStand stand;
  stand.renew_inputs(3);
  Rival rival{"library", {}, {}};
  rival.candidates.push_back(std::make_unique<FakeContender>("slow", stand, 300));
  rival.candidates.push_back(std::make_unique<Writes>("fast and wrong", stand, 7.0F));
  rival.candidates.push_back(std::make_unique<FakeContender>("right", stand, 200));
  rival.candidates.push_back(std::make_unique<Refuses>("refuses", stand, 1));
  Json tried = Json::array();
  const Contender* fastest = select_fastest(stand, rival, tried);
  ASSERT_NE(fastest, nullptr);
  EXPECT_EQ(fastest->name(), "right");
  ASSERT_EQ(tried.size(), 4U);
  EXPECT_EQ(tried[1]["refused"], "wrong product");
  EXPECT_NEAR(tried[2]["microseconds"].get<double>(), 200, 1e-6);
  EXPECT_EQ(tried[3]["refused"], "asks for too much");
}

// Of launches shorter than the host takes to queue them it is the kernel's time that is compared.
TEST(BenchMeasure, TheHostsPaceDoesNotChooseTheCandidate) {
  FakeStand stand;
  stand.renew_inputs(3);
  stand.host_us = 9;
  Rival rival{"library", {}, {}};
  rival.candidates.push_back(std::make_unique<FakeContender>("six", stand, 6));
  rival.candidates.push_back(std::make_unique<FakeContender>("three", stand, 3));
  Json tried = Json::array();
  EXPECT_EQ(select_fastest(stand, rival, tried)->name(), "three");
  EXPECT_NEAR(tried[0]["microseconds"].get<double>(), 6, 1e-6);
}

// Half as fast for the first three milliseconds of the device.
class RisesWithTheClock : public FakeContender {
 public:
  RisesWithTheClock(std::string name, FakeStand& stand, double microseconds)
      : FakeContender(std::move(name), stand, microseconds), device_(stand) {}

 protected:
  double microseconds() override { return device_.now() < 3e-3 ? 2 * microseconds_ : microseconds_; }

 private:
  FakeStand& device_;
};

TEST(BenchMeasure, TheFirstCandidateIsNotJudgedByALowClock) {
  FakeStand stand;
  stand.renew_inputs(3);
  Rival rival{"library", {}, {}};
  rival.candidates.push_back(std::make_unique<RisesWithTheClock>("first and faster", stand, 200));
  rival.candidates.push_back(std::make_unique<RisesWithTheClock>("second", stand, 210));
  Json tried = Json::array();
  EXPECT_EQ(select_fastest(stand, rival, tried)->name(), "first and faster");
}

// One launch to verify and three batches; of long launches, no more than it takes.
TEST(BenchMeasure, LongCandidatesAreTriedLessOften) {
  const auto runs = [](double microseconds) {
    FakeStand stand;
    stand.renew_inputs(3);
    Rival rival{"library", {}, {}};
    rival.candidates.push_back(std::make_unique<FakeContender>("it", stand, microseconds));
    Json tried = Json::array();
    select_fastest(stand, rival, tried);
    EXPECT_NEAR(tried[0]["microseconds"].get<double>(), microseconds, 1e-6 * microseconds);
    return stand.order().size();
  };
  EXPECT_EQ(runs(10), 4U);
  EXPECT_EQ(runs(20e3), 4U);
  EXPECT_EQ(runs(30e3), 3U);
  EXPECT_EQ(runs(100e3), 2U);
}

}  // namespace
}  // namespace tilewright
