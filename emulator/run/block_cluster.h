// SPDX-License-Identifier: MIT
//
// The blocks of one cluster, each on an OS thread of its own, since each has its own shared memory there; but one at a time: a
// block runs until all of its threads wait for the cluster or have left, then the next one does. So a run is the same each
// time, and what one block reads of another's memory lies still.
#pragma once

#include <condition_variable>
#include <mutex>
#include <vector>

#include "emulator/watch/cluster_memory.h"

namespace tilewright {

class BlockCluster {
 public:
  explicit BlockCluster(std::size_t blocks);
  ClusterMemory& memory() { return memory_; }

  // Each by its block's OS thread: once, and then for one cluster of the grid after another. No block begins before all have joined.
  void join(std::size_t rank, Watcher& watcher);
  // Returns when it is this block's turn to begin; false: no further cluster is to be run.
  bool begin(std::size_t rank);
  // All threads of the block wait for the cluster. Returns when they may go on and it is this block's turn.
  void wait_for_all(std::size_t rank);
  // All threads of the block have left. stop: this cluster shall be the last.
  void end(std::size_t rank, bool stop);

 private:
  enum class State { to_run, waits, has_left };  // in this phase
  void pass_on();
  void begin_phase();

  ClusterMemory memory_;
  std::mutex lock_;
  std::condition_variable turn_changes_;
  std::vector<State> states_;  // by rank
  std::size_t turn_ = 0, joined_ = 0;
  bool stops_ = false, stopped_ = false;
};

// Where a block sits in its cluster; none where it is alone.
struct ClusterSeat {
  BlockCluster* cluster = nullptr;
  std::size_t rank = 0;
};

}  // namespace tilewright
