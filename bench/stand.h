// SPDX-License-Identifier: MIT
//
// What measuring needs of a device, and no more: so that the rules of measuring run against a device made of paper,
// with contenders that cheat, on any machine.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/plan.h"
#include "device/device.h"
#include "judge/record.h"
#include "judge/verdict.h"
#include "kernels/rung.h"

namespace tilewright {

// One set of operands on the device; C has a pattern where nothing has been written.
struct Buffers {
  const float* A = nullptr;
  const float* B = nullptr;
  float* C = nullptr;
};

// Who is timed: a rung, or a way to call a library.
class Contender {
 public:
  explicit Contender(std::string name) : name_(std::move(name)) {}
  virtual ~Contender() = default;
  Contender(const Contender&) = delete;
  Contender& operator=(const Contender&) = delete;

  const std::string& name() const { return name_; }
  // Everything needed to call it again: algorithm, math mode, …
  virtual Json description() const { return Json::object(); }
  // Whether it says that it gives the same bits from the same operands.
  virtual bool deterministic() const { return true; }
  // What it found wrong with its own memory, after launches that have ended; the kind of a failure, or empty.
  virtual std::string leftover() { return {}; }
  // One product, on the stand's stream. Throws Error.
  virtual void launch(const Buffers& buffers) = 0;

 private:
  std::string name_;
};

// What a C holds, without fetching it.
struct Fingerprint {
  std::uint64_t hash = 0;  // of every element's place and bits
  std::int64_t unwritten = 0, non_finite = 0;
  auto operator<=>(const Fingerprint&) const = default;
};

// The chip beside a batch; none where it does not say.
struct Conditions {
  std::optional<double> clock_mhz, power_w, temperature_c;
  std::optional<std::uint64_t> throttle;  // the driver's bits of reasons why the clock is not higher
};

// Below this a launch may be over before the host has queued the next: the host's pace is then not the kernel's.
inline constexpr double host_launch_us = 25;

struct BatchOrder {
  std::int64_t launches = 1, first_set = 0;
  bool queue_ahead = false;  // hold the device until every launch is queued
  bool lead_in = false;      // one launch more before the interval, which is not timed
};

// To know about how long a launch takes, whose first one took so long: a millisecond of them, at most 32.
inline BatchOrder order_of_an_estimate(double first_us) {
  const auto in_a_millisecond = static_cast<std::int64_t>(1e3 / std::max(first_us, 1.0));
  return {.launches = std::clamp<std::int64_t>(in_a_millisecond, 1, 32),
          .queue_ahead = first_us < host_launch_us};
}

struct Batch {
  double microseconds = 0;           // of one launch: the interval over the launches
  double wall_microseconds = 0;      // by the host, of all of it
  bool queued_ahead = true;          // false when the device gave up waiting for the host
  std::vector<Fingerprint> outputs;  // of each set that was used, from the first
  Conditions conditions;
};

// Of the C that is on the device now, against float64.
struct JudgedOutput {
  Judgement judgement;
  std::int64_t elements = 0;
  std::string method;  // "every element" or "sampled rows x columns"
};

// One of several ways to do the same, of which the fastest stands for all; or the reason why there is none.
struct Rival {
  std::string name;
  std::vector<std::unique_ptr<Contender>> candidates;
  std::string unavailable;
};

// A device with the operands of one shape.
class Stand {
 public:
  Stand() = default;
  virtual ~Stand() = default;
  Stand(const Stand&) = delete;
  Stand& operator=(const Stand&) = delete;

  virtual std::int64_t sets() const = 0;
  // Other values in the same places.
  virtual void renew_inputs(std::uint64_t seed) = 0;
  // Puts the pattern into the C of the sets it uses, runs the batch, and looks at what was written.
  virtual Batch run(Contender& contender, const BatchOrder& order) = 0;
  // Of the set's last product: a large sample, or a few elements.
  virtual JudgedOutput judge(std::int64_t set, bool thorough) = 0;

  virtual double now() = 0;  // seconds
  virtual void pause(double seconds) = 0;

  // Throws Error(unsupported) when the device cannot launch it.
  virtual std::unique_ptr<Contender> contender(const Rung& rung) = 0;
  virtual std::vector<Rival> rivals() = 0;
};

// What the device cannot be faster than, measured by the program itself.
struct Ceilings {
  double fma_tflops = 0, copy_gbps = 0, read_gbps = 0;
  std::optional<double> clock_mhz;  // while the multiply-adds ran
};
struct Calibration {
  double event_pair_us = 0;    // two events with nothing between them
  double empty_launch_us = 0;  // an empty kernel that overlaps as rungs may, of a batch that was queued ahead
  double single_launch_us = 0;  // an empty kernel between two events
  double flush_ratio = 0;       // of a dependent load's time after a flush of the L2 and before it
};

class TimingDevice {
 public:
  TimingDevice() = default;
  virtual ~TimingDevice() = default;
  TimingDevice(const TimingDevice&) = delete;
  TimingDevice& operator=(const TimingDevice&) = delete;

  virtual Environment environment() const = 0;
  virtual const Ceilings& ceilings() const = 0;
  virtual const Calibration& calibration() const = 0;
  // Throws Error(unsupported) when the operands do not fit.
  virtual std::unique_ptr<Stand> set_up(Shape shape, const TimingPlan& plan) = 0;
};

// Throws Error(unavailable) with the reason where there is no GPU, or this build has no code for one.
std::unique_ptr<TimingDevice> make_gpu_timing_device();

}  // namespace tilewright
