// SPDX-License-Identifier: MIT
//
// What orders the bulk copies of one block (kernels/words/bulk_copy.h) with the accesses of its threads. A copy belongs to a
// phase of a barrier. What it brings is there for a thread that has waited for the phase, for the lanes that such a thread
// then meets at a warp word and, after a barrier of the block, for everyone. And a copy may follow a thread's own stores to
// its place only when a proxy fence stands between.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "emulator/watch/warp_order.h"

namespace tilewright {

struct BulkCopyOrigin {
  std::uint32_t barrier = 0, phase = 0;  // numbers of a barrier, and of one of its phases
  std::uint32_t thread = 0, site = 0;    // that started the copy
  bool operator==(const BulkCopyOrigin&) const = default;
};

class BulkOrder {
 public:
  void begin_block() {
    copies_.clear();
    seen_.clear();
    fences_.clear();
  }

  // The copy's number. Copies of one origin share it: nothing here tells them apart.
  std::uint32_t add(const BulkCopyOrigin& origin) {
    if (copies_.empty() || !(copies_.back() == origin)) copies_.push_back(origin);
    return static_cast<std::uint32_t>(copies_.size() - 1);
  }
  const BulkCopyOrigin& copy(std::uint32_t number) const { return copies_[number]; }

  // The thread knows that so many phases of the barrier have ended.
  void see(std::uint32_t barrier, std::uint32_t phases, std::uint32_t thread) {
    if (barrier >= seen_.size()) seen_.resize(barrier + 1);
    at(seen_[barrier], thread) = phases;
  }
  // These lanes of the warp whose first thread is `first` know from now on what one of them knew.
  void meet(std::uint32_t first, std::uint32_t mask) {
    for (Times& seen : seen_) {
      std::uint32_t most = 0;
      for (std::uint32_t lanes = mask; lanes != 0; lanes &= lanes - 1)
        most = std::max(most, at(seen, first + lowest(lanes)));
      for (std::uint32_t lanes = mask; lanes != 0; lanes &= lanes - 1) at(seen, first + lowest(lanes)) = most;
    }
  }
  // Whether the thread has waited for what the copy brings.
  bool seen(std::uint32_t number, std::uint32_t thread) const {
    const BulkCopyOrigin& copy = copies_[number];
    return copy.barrier < seen_.size() && of(seen_[copy.barrier], thread) > copy.phase;
  }

  // A proxy fence of this thread.
  void fence(std::uint32_t thread, std::uint32_t time) { at(fences_, thread) = time; }
  // Whether one stands between what `writer` stored at `time` and a copy that `issuer` starts now, which something else
  // orders after it. Of a fence and a store of one thread at one time it is not known which came first: then it does.
  bool fenced(std::uint32_t writer, std::uint32_t time, std::uint32_t issuer) const {
    return of(fences_, writer) >= time || of(fences_, issuer) > time;
  }

 private:
  using Times = std::vector<std::uint32_t>;  // by thread; what is not there is 0
  static std::uint32_t lowest(std::uint32_t lanes) {
    return static_cast<std::uint32_t>(__builtin_ctz(lanes));
  }
  static std::uint32_t& at(Times& times, std::uint32_t thread) {
    if (thread >= times.size()) times.resize(thread + 1);
    return times[thread];
  }
  static std::uint32_t of(const Times& times, std::uint32_t thread) {
    return thread < times.size() ? times[thread] : 0;
  }

  std::vector<BulkCopyOrigin> copies_;
  std::vector<Times> seen_;  // by barrier
  Times fences_;             // the last one's time; the block's time begins with 1
};

}  // namespace tilewright
