// SPDX-License-Identifier: MIT
//
// A loop over 0 … count−1 on all cores, in whatever order; the body must not depend on it. The first exception is
// rethrown. Plain threads, so that the self-contained GPU bundle needs no OpenMP runtime beside it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace tilewright {

inline int core_count() { return static_cast<int>(std::max(1U, std::thread::hardware_concurrency())); }

// body(worker, index): `worker` is 0 … workers−1, one thread each, for per-worker state.
template <class Body>
void parallel_for(std::int64_t count, int workers, Body body) {
  workers = static_cast<int>(std::clamp<std::int64_t>(workers, 1, std::max<std::int64_t>(1, count)));
  std::atomic<std::int64_t> next{0};
  std::exception_ptr failure;
  std::mutex failure_lock;
  const auto work = [&](int worker) {
    try {
      for (std::int64_t i = next++; i < count; i = next++) body(worker, i);
    } catch (...) {
      const std::lock_guard hold(failure_lock);
      if (!failure) failure = std::current_exception();
      next = count;
    }
  };
  std::vector<std::thread> threads;
  for (int worker = 1; worker < workers; ++worker) threads.emplace_back(work, worker);
  work(0);
  for (std::thread& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace tilewright
