// SPDX-License-Identifier: MIT
//
// A stand whose every batch must come to an end within a watchdog's limit; otherwise the stand it holds.
#pragma once

#include "bench/stand.h"
#include "bench/watchdog.h"

namespace tilewright {

class WatchedStand : public Stand {
 public:
  WatchedStand(std::unique_ptr<Stand> stand, Watchdog& watchdog)
      : stand_(std::move(stand)), watchdog_(watchdog) {}

  std::int64_t sets() const override { return stand_->sets(); }
  void renew_inputs(std::uint64_t seed) override { stand_->renew_inputs(seed); }
  Batch run(Contender& contender, const BatchOrder& order) override {
    const WatchedStep step(watchdog_, contender.name());
    return stand_->run(contender, order);
  }
  JudgedOutput judge(std::int64_t set, bool thorough) override { return stand_->judge(set, thorough); }
  double now() override { return stand_->now(); }
  void pause(double seconds) override { stand_->pause(seconds); }
  std::unique_ptr<Contender> contender(const Rung& rung) override { return stand_->contender(rung); }
  std::vector<Rival> rivals() override { return stand_->rivals(); }

 private:
  std::unique_ptr<Stand> stand_;
  Watchdog& watchdog_;
};

}  // namespace tilewright
