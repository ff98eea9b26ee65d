// SPDX-License-Identifier: MIT
//
// The shared memory of the blocks of one cluster, as they read it of each other.
//
// What a block reads of another's is noted, and looked at when all of them have come to the next barrier of the cluster or have
// left: it was written before the last barrier, nobody has written it since, and its block did not leave. One block of a
// cluster runs at a time (run/block_cluster.h), so nothing here is locked.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/watch/event_log.h"

namespace tilewright {

class Watcher;

class ClusterMemory {
 public:
  explicit ClusterMemory(std::size_t blocks) : blocks_(blocks) {}

  void join(std::size_t rank, Watcher& watcher) { blocks_[rank] = &watcher; }
  // What lies in that block where `address` lies in the shared memory of `own`; zero if it lies elsewhere or there is no such block.
  std::uintptr_t in_block(std::size_t rank, std::uintptr_t address, const Watcher& own) const;
  // Whether a block of the cluster has shared memory there; then the read is noted.
  bool read(Watcher& reader, std::uintptr_t address, unsigned bytes, std::uintptr_t pc);
  // All have come to a barrier, but for those that have left. Begins the next phase.
  void end_phase(const std::vector<bool>& have_left);

 private:
  struct Read {
    std::size_t of;  // a block's rank
    Watcher* reader;
    Actor actor;
    std::uint64_t offset;
    unsigned bytes;
  };

  std::vector<Watcher*> blocks_;
  std::vector<Read> reads_;  // since the last barrier
};

}  // namespace tilewright
