// SPDX-License-Identifier: MIT
//
// Work on all cores. Plain threads, so that the self-contained GPU bundle needs no OpenMP runtime beside it.
// What is computed must not depend on which worker does which part. The first exception is rethrown to the
// caller.
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

// Calls body(worker) for worker = 0 … workers−1, each on an OS thread of its own (0 on the caller's).
template <class Body>
void on_each_worker(int workers, Body body) {
  std::exception_ptr failure;
  std::mutex failure_lock;
  const auto work = [&](int worker) {
    try {
      body(worker);
    } catch (...) {
      const std::lock_guard hold(failure_lock);
      if (!failure) failure = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  for (int worker = 1; worker < workers; ++worker) threads.emplace_back(work, worker);
  work(0);
  for (std::thread& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
}

// Calls body(worker, index) once for each index in 0 … count−1.
template <class Body>
void parallel_for(std::int64_t count, int workers, Body body) {
  std::atomic<std::int64_t> next{0};
  on_each_worker(static_cast<int>(std::clamp<std::int64_t>(workers, 1, std::max<std::int64_t>(1, count))),
                 [&](int worker) {
                   for (std::int64_t i = next++; i < count; i = next++) body(worker, i);
                 });
}

}  // namespace tilewright
