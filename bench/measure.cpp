// SPDX-License-Identifier: MIT
//
// In this order, all of it fixed before the first timed batch:
//   admit     every set's product twice, judged in float64: is it right, is it the same each time?
//   estimate  how long one launch takes, from that how many make a batch and how many rounds there are
//   warm up   rounds as they will be timed, until they all take the same time
//   admit     again, with other values in the same places: an answer that was kept is now a wrong one
//   rounds    each batch's outputs must be the bits that were judged
//   judge     once more what the last batch left
#include "bench/measure.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace tilewright {
namespace {

constexpr double settled_within = 0.01;
constexpr std::size_t settled_rounds = 3;
constexpr std::int64_t most_sets_judged = 32;

struct Arm {
  Contender* contender;
  Timing timing;
  double estimate_us = 0;
  std::vector<Fingerprint> expected;      // of each set
  std::vector<double> warm_microseconds;  // of the warm-up's rounds
  bool timed = true;
};

void fail(Arm& arm, const std::string& kind) {
  arm.timed = false;
  if (!arm.timing.failed()) arm.timing.verdict = Verdict{Verdict::Kind::fail, kind}.text();
}

class Measurement {
 public:
  Measurement(Stand& stand, std::span<Contender* const> contenders, const TimingPlan& plan)
      : stand_(stand), plan_(plan) {
    for (Contender* contender : contenders) {
      Arm& arm = arms_.emplace_back();
      arm.contender = contender;
      arm.timing.contender = contender->name();
      arm.timing.description = contender->description();
      arm.timing.deterministic = contender->deterministic();
    }
  }

  std::vector<Timing> run() {
    stand_.renew_inputs(plan_.seed);
    for_timed([&](Arm& arm) { admit(arm); });
    for_timed([&](Arm& arm) { estimate(arm); });
    plan_rounds();
    warm_up();
    stand_.renew_inputs(plan_.seed + 1);
    for_timed([&](Arm& arm) { admit(arm); });
    for (std::int64_t round = 0; round < rounds_; ++round) timed_round(round);
    for_timed([&](Arm& arm) { judge_last(arm); });
    std::vector<Timing> timings;
    for (Arm& arm : arms_) timings.push_back(std::move(arm.timing));
    return timings;
  }

 private:
  template <class Step>
  void for_timed(Step step) {
    for (Arm& arm : arms_)
      if (arm.timed) step(arm);
  }

  // A limit that forbids a launch is this contender's own affair; a fault leaves nothing to measure with.
  std::optional<Batch> run_batch(Arm& arm, const BatchOrder& order) {
    try {
      return stand_.run(*arm.contender, order);
    } catch (const Error& error) {
      if (error.code != Code::unsupported) throw;
      arm.timed = false;
      arm.timing.verdict = Verdict{Verdict::Kind::unsupported, error.rule}.text();
      return std::nullopt;
    }
  }

  void admit(Arm& arm) {
    const BatchOrder order{.launches = stand_.sets()};
    const std::optional<Batch> batch = run_batch(arm, order);
    if (!batch) return;
    arm.expected = batch->outputs;
    if (!require_whole(arm, *batch)) return;
    arm.timing.first = stand_.judge(0, true);
    bool right = arm.timing.first->judgement.pass;
    // Of thousands of sets some, spread over all; the fingerprints are of every one.
    const std::int64_t step = std::max<std::int64_t>(1, stand_.sets() / most_sets_judged);
    for (std::int64_t set = step; set < stand_.sets() && right; set += step)
      right = stand_.judge(set, false).judgement.pass;
    if (!right) return fail(arm, "wrong_value");
    const std::optional<Batch> again = run_batch(arm, order);
    if (!again || !require_whole(arm, *again)) return;
    if (const std::string kind = arm.contender->leftover(); !kind.empty()) return fail(arm, kind);
    if (again->outputs != arm.expected) arm.timing.deterministic = false;
  }

  static bool require_whole(Arm& arm, const Batch& batch) {
    for (const Fingerprint& output : batch.outputs) {
      if (output.unwritten > 0) fail(arm, "unwritten_output");
      if (output.non_finite > 0) fail(arm, "non_finite");
    }
    return arm.timed;
  }

  // A kernel whose sums come in no fixed order has no one right pattern of bits: a few elements are judged instead.
  void require_expected(Arm& arm, const Batch& batch, std::int64_t first_set) {
    if (!require_whole(arm, batch)) return;
    if (!arm.timing.deterministic) {
      if (!stand_.judge(first_set, false).judgement.pass) fail(arm, "wrong_value");
      return;
    }
    for (std::size_t i = 0; i < batch.outputs.size(); ++i)
      if (batch.outputs[i] != arm.expected[(static_cast<std::size_t>(first_set) + i) % arm.expected.size()])
        return fail(arm, "timed_output_differs");
  }

  BatchOrder order_of(const Arm& arm, std::int64_t launches) const {
    return {.launches = launches,
            .first_set = next_set_,
            .queue_ahead = arm.estimate_us < host_launch_us && launches <= most_launches,
            .lead_in = plan_.cache == Cache::warm && arm.estimate_us < plan_.batch_microseconds()};
  }

  bool one_launch_a_batch() const {
    return plan_.cache == Cache::cold || plan_.boundary == Boundary::end_to_end;
  }

  void estimate(Arm& arm) {
    double best = 0;
    for (int i = 0; i < 3; ++i) {
      const std::optional<Batch> batch = run_batch(arm, {.launches = 1});
      if (!batch) return;
      best = i == 0 ? batch->microseconds : std::min(best, batch->microseconds);
      if (best > plan_.batch_microseconds()) break;
    }
    if (!one_launch_a_batch() && best < plan_.batch_microseconds()) {
      const auto launches =
          std::clamp<std::int64_t>(static_cast<std::int64_t>(1e3 / std::max(best, 1.0)), 1, 64);
      if (const auto batch = run_batch(arm, {.launches = launches}))
        best = std::min(best, batch->microseconds);
    }
    arm.estimate_us = best;
    const double least_seconds = static_cast<double>(plan_.fewest_rounds()) * best * 1e-6;
    if (least_seconds <= plan_.longest_seconds()) return;
    arm.timed = false;
    arm.timing.verdict =
        Verdict{Verdict::Kind::unsupported, std::to_string(plan_.fewest_rounds()) + " launches take " +
                                                std::to_string(std::lround(least_seconds * 1e3)) +
                                                " ms, more than --seconds allows"}
            .text();
  }

  void plan_rounds() {
    double slowest_us = 1;
    for_timed([&](Arm& arm) {
      const double wanted = plan_.batch_microseconds() / std::max(arm.estimate_us, 0.01);
      arm.timing.launches =
          one_launch_a_batch()
              ? 1
              : std::clamp<std::int64_t>(static_cast<std::int64_t>(std::ceil(wanted)), 1, most_launches);
      slowest_us = std::max(slowest_us, static_cast<double>(arm.timing.launches) * arm.estimate_us);
    });
    rounds_ = std::clamp(static_cast<std::int64_t>(plan_.seconds * 1e6 / slowest_us), plan_.fewest_rounds(),
                         plan_.most_rounds());
  }

  std::optional<Batch> timed_batch(Arm& arm) {
    if (plan_.pause_seconds() > 0) stand_.pause(plan_.pause_seconds());
    const BatchOrder order = order_of(arm, arm.timing.launches);
    std::optional<Batch> batch = run_batch(arm, order);
    if (!batch) return batch;
    // The next batch goes on where this one ended, so that rotating sets are as old as they can be.
    next_set_ = (next_set_ + order.launches) % stand_.sets();
    require_expected(arm, *batch, order.first_set);
    return batch;
  }

  void warm_up() {
    WarmUp warm;
    const double start = stand_.now();
    while (!warm.settled || warm.seconds < plan_.shortest_warm_up()) {
      bool any = false;
      for_timed([&](Arm& arm) {
        any = true;
        if (const auto batch = timed_batch(arm)) arm.warm_microseconds.push_back(batch->microseconds);
      });
      ++warm.rounds;
      warm.seconds = stand_.now() - start;
      warm.settled = settled();
      if (!any || warm.seconds >= plan_.longest_warm_up()) break;
    }
    for (Arm& arm : arms_) arm.timing.warm_up = warm;
  }

  bool settled() {
    bool all = true;
    for_timed([&](Arm& arm) {
      const std::vector<double>& seen = arm.warm_microseconds;
      if (seen.size() < settled_rounds) return void(all = false);
      const auto [low, high] = std::minmax_element(seen.end() - settled_rounds, seen.end());
      all = all && *high <= *low * (1 + settled_within);
    });
    return all;
  }

  void timed_round(std::int64_t round) {
    const std::size_t count = arms_.size();
    for (std::size_t i = 0; i < count; ++i) {
      Arm& arm = arms_[round % 2 == 0 ? i : count - 1 - i];
      if (!arm.timed) continue;
      const std::optional<Batch> batch = timed_batch(arm);
      if (!batch) continue;
      Timing& timing = arm.timing;
      timing.microseconds.push_back(batch->microseconds);
      timing.wall_microseconds.push_back(batch->wall_microseconds);
      timing.conditions.push_back(batch->conditions);
      timing.positions.push_back(static_cast<std::int64_t>(i));
      if (!batch->queued_ahead) ++timing.not_queued_ahead;
    }
  }

  void judge_last(Arm& arm) {
    const std::optional<Batch> batch = run_batch(arm, {.launches = 1});
    if (!batch) return;
    require_expected(arm, *batch, 0);
    arm.timing.last = stand_.judge(0, true);
    if (!arm.timing.last->judgement.pass) return fail(arm, "wrong_value");
    if (const std::string kind = arm.contender->leftover(); !kind.empty()) fail(arm, kind);
  }

  Stand& stand_;
  const TimingPlan& plan_;
  std::vector<Arm> arms_;
  std::int64_t rounds_ = 0, next_set_ = 0;
};

}  // namespace

std::vector<Timing> measure(Stand& stand, std::span<Contender* const> contenders, const TimingPlan& plan) {
  return Measurement(stand, contenders, plan).run();
}

std::vector<double> paired_ratios(const Timing& own, const Timing& rival) {
  std::vector<double> ratios;
  if (own.microseconds.size() != rival.microseconds.size()) return ratios;
  for (std::size_t i = 0; i < own.microseconds.size(); ++i)
    if (own.microseconds[i] > 0) ratios.push_back(rival.microseconds[i] / own.microseconds[i]);
  if (ratios.size() != own.microseconds.size()) ratios.clear();
  return ratios;
}

}  // namespace tilewright
