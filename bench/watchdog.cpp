// SPDX-License-Identifier: MIT
#include "bench/watchdog.h"

#include <utility>

namespace tilewright {

Watchdog::Watchdog(double limit_seconds, std::function<void(const std::string&)> too_long)
    : limit_(limit_seconds), too_long_(std::move(too_long)), thread_([this] { watch(); }) {}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    leave_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

// No notice to the thread: it looks at the deadline when an earlier one has passed, which is soon enough.
void Watchdog::begin(const std::string& step) {
  const std::lock_guard lock(mutex_);
  step_ = step;
  deadline_ = std::chrono::steady_clock::now() +
              std::chrono::duration_cast<std::chrono::steady_clock::duration>(limit_);
}

void Watchdog::end() {
  const std::lock_guard lock(mutex_);
  step_.reset();
}

void Watchdog::watch() {
  const auto nap = std::chrono::duration_cast<std::chrono::steady_clock::duration>(limit_);
  std::unique_lock lock(mutex_);
  while (!leave_) {
    if (step_ && std::chrono::steady_clock::now() >= deadline_) {
      const std::string step = *std::exchange(step_, std::nullopt);
      too_long_(step);  // with the lock held, so that the step cannot end meanwhile
      continue;
    }
    changed_.wait_until(lock, step_ ? deadline_ : std::chrono::steady_clock::now() + nap);
  }
}

}  // namespace tilewright
