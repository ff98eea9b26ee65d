// SPDX-License-Identifier: MIT
//
// core/parallel.h: every index is done exactly once, whatever the number of workers, and an exception reaches
// the caller after all workers have ended.
#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <string>

#include "core/parallel.h"

namespace tilewright {
namespace {

TEST(CoreParallel, EveryIndexOnce) {
  for (const std::int64_t count : {0, 1, 2, 7, 1000})
    for (const int workers : {-1, 0, 1, 2, 3, 16, 5000}) {
      std::vector<std::atomic<int>> done(static_cast<std::size_t>(count) + 1);
      parallel_for(count, workers, [&](int, std::int64_t i) { ++done.at(static_cast<std::size_t>(i)); });
      for (std::int64_t i = 0; i <= count; ++i)
        ASSERT_EQ(done[static_cast<std::size_t>(i)], i < count ? 1 : 0)
            << count << " by " << workers << ": " << i;
    }
}

TEST(CoreParallel, NoMoreWorkersThanWork) {
  std::atomic<int> most{0};
  parallel_for(3, 16, [&](int worker, std::int64_t) {
    for (int seen = most; worker > seen && !most.compare_exchange_weak(seen, worker);) continue;
  });
  EXPECT_LT(most, 3);
}

TEST(CoreParallel, EachWorkerIsAThreadOfItsOwnAndZeroIsTheCaller) {
  std::vector<std::thread::id> threads(4);
  on_each_worker(4,
                 [&](int worker) { threads[static_cast<std::size_t>(worker)] = std::this_thread::get_id(); });
  EXPECT_EQ(std::set<std::thread::id>(threads.begin(), threads.end()).size(), 4U);
  EXPECT_EQ(threads[0], std::this_thread::get_id());
}

TEST(CoreParallel, RethrowsToTheCallerFromAnyWorker) {
  for (const int thrower : {0, 1, 3}) {
    std::atomic<int> finished{0};
    try {
      on_each_worker(4, [&](int worker) {
        if (worker == thrower) throw std::runtime_error("worker " + std::to_string(worker));
        ++finished;
      });
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(std::string(error.what()), "worker " + std::to_string(thrower));
    }
    EXPECT_EQ(finished, 3);
  }
}

TEST(CoreParallel, OneOfSeveralExceptionsIsRethrown) {
  EXPECT_THROW(parallel_for(100, 4, [](int, std::int64_t) { throw std::out_of_range("each"); }),
               std::out_of_range);
}

TEST(CoreParallel, ThereIsAtLeastOneCore) { EXPECT_GE(core_count(), 1); }

}  // namespace
}  // namespace tilewright
