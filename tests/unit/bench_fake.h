// SPDX-License-Identifier: MIT
//
// A device made of paper for the rules of measuring: a clock that only moves when something is launched, a product that
// is one number a set, and contenders that cheat in every way that is known.
#pragma once

#include <map>

#include "bench/stand.h"
#include "core/error.h"
#include "tests/unit/plan_rungs.h"

namespace tilewright {

inline constexpr float unwritten_value = -1.0F;

// The right product of a set whose operands came from this seed.
inline float right_product(std::uint64_t seed, std::int64_t set) {
  return static_cast<float>(seed * 1000 + static_cast<std::uint64_t>(set));
}

class FakeStand;

class FakeContender : public Contender {
 public:
  FakeContender(std::string name, FakeStand& stand, double microseconds)
      : Contender(std::move(name)), microseconds_(microseconds), stand_(stand) {}
  void launch(const Buffers& buffers) override;
  bool deterministic() const override { return in_fixed_order; }
  std::string leftover() override { return left_behind; }

  bool in_fixed_order = true;
  std::string left_behind;

 protected:
  // What is written into C, or nothing.
  virtual std::optional<float> product(std::uint64_t seed, std::int64_t set) {
    return right_product(seed, set);
  }
  virtual double microseconds() { return microseconds_; }
  std::int64_t launches_ = 0;
  double microseconds_;

 private:
  FakeStand& stand_;
};

class FakeStand : public Stand {
 public:
  explicit FakeStand(std::int64_t sets = 1) : products_(static_cast<std::size_t>(sets), unwritten_value) {}

  std::int64_t sets() const override { return static_cast<std::int64_t>(products_.size()); }
  void renew_inputs(std::uint64_t seed) override { seed_ = seed; }
  Batch run(Contender& contender, const BatchOrder& order) override {
    order_.push_back(contender.name());
    for (std::int64_t i = 0; i < std::min(order.launches, sets()); ++i)
      products_[static_cast<std::size_t>((order.first_set + i) % sets())] = unwritten_value;
    const double start = now_us_;
    for (std::int64_t i = 0; i < order.launches; ++i)
      contender.launch(buffers((order.first_set + i) % sets()));
    Batch batch;
    batch.microseconds = (now_us_ - start) / static_cast<double>(order.launches);
    if (!order.queue_ahead) batch.microseconds = std::max(batch.microseconds, host_us);
    batch.wall_microseconds = now_us_ - start;
    for (std::int64_t i = 0; i < std::min(order.launches, sets()); ++i) {
      const float value = products_[static_cast<std::size_t>((order.first_set + i) % sets())];
      batch.outputs.push_back(
          {static_cast<std::uint64_t>(value + 10), value == unwritten_value ? 1 : 0, value == -2.0F ? 1 : 0});
    }
    batch.conditions.clock_mhz = 1980;
    return batch;
  }
  JudgedOutput judge(std::int64_t set, bool) override {
    JudgedOutput output;
    output.elements = 1;
    output.method = "every element";
    output.judgement.pass = products_[static_cast<std::size_t>(set)] == right_product(seed_, set);
    return output;
  }
  double now() override { return now_us_ * 1e-6; }
  void pause(double seconds) override { now_us_ += seconds * 1e6; }

  std::unique_ptr<Contender> contender(const Rung& rung) override {
    if (make) return make(rung.name, *this);
    return std::make_unique<FakeContender>(rung.name, *this, 100);
  }
  std::vector<Rival> rivals() override { return rivals_of ? rivals_of(*this) : std::vector<Rival>{}; }

  std::function<std::unique_ptr<Contender>(const std::string&, FakeStand&)> make;
  std::function<std::vector<Rival>(FakeStand&)> rivals_of;
  double host_us = 0;  // what the host takes to queue a launch
  const std::vector<std::string>& order() const { return order_; }

 private:
  friend class FakeContender;
  // A's address is the set, in place of the operands.
  Buffers buffers(std::int64_t set) { return {nullptr, nullptr, &products_[static_cast<std::size_t>(set)]}; }
  std::int64_t set_of(const Buffers& buffers) const { return buffers.C - products_.data(); }

  std::vector<float> products_;
  std::vector<std::string> order_;
  std::uint64_t seed_ = 0;
  double now_us_ = 0;
};

inline void FakeContender::launch(const Buffers& buffers) {
  ++launches_;
  if (const auto value = product(stand_.seed_, stand_.set_of(buffers))) *buffers.C = *value;
  stand_.now_us_ += microseconds();
}

// Times that scatter by a few per mille, the same at every run.
class NoisyContender : public FakeContender {
 public:
  using FakeContender::FakeContender;

 protected:
  double microseconds() override {
    return microseconds_ * (1 + 0.004 * (static_cast<double>(launches_ * 7919 % 101) / 50 - 1));
  }
};

// Works while it is watched, then does nothing.
class StopsAfter : public FakeContender {
 public:
  StopsAfter(std::string name, FakeStand& stand, std::int64_t launches)
      : FakeContender(std::move(name), stand, 100), honest_(launches) {}

 protected:
  std::optional<float> product(std::uint64_t seed, std::int64_t set) override {
    return launches_ <= honest_ ? FakeContender::product(seed, set) : std::nullopt;
  }

 private:
  std::int64_t honest_;
};

// Keeps the first answer it gave for each place, whatever lies there now.
class KeepsAnswers : public FakeContender {
 public:
  using FakeContender::FakeContender;

 protected:
  std::optional<float> product(std::uint64_t seed, std::int64_t set) override {
    return answers_.try_emplace(set, right_product(seed, set)).first->second;
  }

 private:
  std::map<std::int64_t, float> answers_;
};

// Right at first, another value once the clock counts.
class ChangesAfter : public StopsAfter {
 public:
  using StopsAfter::StopsAfter;

 protected:
  std::optional<float> product(std::uint64_t seed, std::int64_t set) override {
    return StopsAfter::product(seed, set) ? right_product(seed, set) : right_product(seed, set) + 1;
  }
};

// Writes one value always, or the fake's non-finite one.
class Writes : public FakeContender {
 public:
  Writes(std::string name, FakeStand& stand, float value)
      : FakeContender(std::move(name), stand, 100), value_(value) {}

 protected:
  std::optional<float> product(std::uint64_t, std::int64_t) override { return value_; }

 private:
  float value_;
};

class Refuses : public FakeContender {
 public:
  using FakeContender::FakeContender;
  void launch(const Buffers&) override { throw Error(Code::unsupported, "it", "", "asks for too much"); }
};

class Faults : public StopsAfter {
 public:
  using StopsAfter::StopsAfter;
  void launch(const Buffers& buffers) override {
    StopsAfter::launch(buffers);
    if (!StopsAfter::product(0, 0)) throw Error(Code::fault, "CUDA", "illegal address", "running it");
  }
};

class FakeDevice : public TimingDevice {
 public:
  FakeDevice() {
    ceilings_ = {.fma_tflops = 60, .copy_gbps = 4000, .read_gbps = 4200, .clock_mhz = 1980};
    calibration_ = {.event_pair_us = 1, .empty_launch_us = 1.5, .single_launch_us = 2, .flush_ratio = 2.5};
  }
  Environment environment() const override { return {{"device", "fake"}, {"gpu", "paper"}}; }
  const Ceilings& ceilings() const override { return ceilings_; }
  const Calibration& calibration() const override { return calibration_; }
  std::unique_ptr<Stand> set_up(Shape shape, const TimingPlan&) override {
    if (shape.M > 100000) throw Error(Code::unsupported, "A", "", "the GPU has too little free memory");
    auto stand = std::make_unique<FakeStand>();
    stand->make = make;
    stand->rivals_of = rivals_of;
    return stand;
  }

  std::function<std::unique_ptr<Contender>(const std::string&, FakeStand&)> make;
  std::function<std::vector<Rival>(FakeStand&)> rivals_of;
  Ceilings ceilings_;
  Calibration calibration_;
};

}  // namespace tilewright
