// SPDX-License-Identifier: MIT
//
// Says so when a step takes longer than it may. It cannot stop the step: a thread that waits for a GPU cannot be told to
// go on, so whoever hears of it has to end the process.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace tilewright {

class Watchdog {
 public:
  // `too_long` is called on the watchdog's own thread, once for a step; the step's end waits until it returns.
  Watchdog(double limit_seconds, std::function<void(const std::string& step)> too_long);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  void begin(const std::string& step);
  void end();

 private:
  void watch();

  std::chrono::duration<double> limit_;
  std::function<void(const std::string&)> too_long_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<std::string> step_;  // that is going on
  std::chrono::steady_clock::time_point deadline_;
  bool leave_ = false;
  std::thread thread_;  // the last member: it looks at the others
};

// A step that lasts as long as this does.
class WatchedStep {
 public:
  WatchedStep(Watchdog& watchdog, const std::string& step) : watchdog_(watchdog) { watchdog_.begin(step); }
  ~WatchedStep() { watchdog_.end(); }
  WatchedStep(const WatchedStep&) = delete;
  WatchedStep& operator=(const WatchedStep&) = delete;

 private:
  Watchdog& watchdog_;
};

}  // namespace tilewright
