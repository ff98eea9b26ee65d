// SPDX-License-Identifier: MIT
//
// The cp.async copies of one block's threads (kernels/words/cp_async.h). The hardware may do such a copy at any time
// between its start and the wait for its group. The emulator does it at the latest moment, and from the first on treats its
// place as something that this thread writes and that holds nothing: who reads it too early, or starts a copy to what others
// still read, is found whatever the hardware would have done.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "emulator/watch/watcher.h"

namespace tilewright {

struct AsyncCopy {
  std::uintptr_t to = 0, from = 0;
  unsigned bytes = 0;
  bool inside = false;  // else zeros arrive, and `from` is not read
  std::uintptr_t pc = 0;
};

class AsyncCopies {
 public:
  void begin_block() { threads_.clear(); }
  void start(std::uint32_t thread, const AsyncCopy& copy, Watcher& watcher);
  void commit(std::uint32_t thread);
  // Does the copies of all groups but the `pending` youngest.
  void wait(std::uint32_t thread, unsigned pending, Watcher& watcher);

 private:
  using Group = std::vector<AsyncCopy>;
  struct OfThread {
    Group open;  // not committed yet
    std::deque<Group> groups;
  };
  OfThread& of(std::uint32_t thread) {
    if (thread >= threads_.size()) threads_.resize(thread + 1);
    return threads_[thread];
  }
  std::vector<OfThread> threads_;
};

}  // namespace tilewright
