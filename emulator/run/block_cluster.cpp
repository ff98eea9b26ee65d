// SPDX-License-Identifier: MIT
#include "emulator/run/block_cluster.h"

#include <algorithm>

#include "emulator/run/thread_scheduler.h"

namespace tilewright {

BlockCluster::BlockCluster(std::size_t blocks) : memory_(blocks), states_(blocks, State::to_run) {}

void BlockCluster::join(std::size_t rank, Watcher& watcher) {
  const std::lock_guard hold(lock_);
  watcher.join_cluster(memory_, rank);
  ++joined_;
  turn_changes_.notify_all();
}

bool BlockCluster::begin(std::size_t rank) {
  std::unique_lock hold(lock_);
  turn_changes_.wait(hold, [&] { return stopped_ || (turn_ == rank && joined_ == states_.size()); });
  return !stopped_;
}

void BlockCluster::wait_for_all(std::size_t rank) {
  std::unique_lock hold(lock_);
  states_[rank] = State::waits;
  pass_on();
  turn_changes_.wait(hold, [&] { return turn_ == rank && states_[rank] == State::to_run; });
}

void BlockCluster::end(std::size_t rank, bool stop) {
  const std::lock_guard hold(lock_);
  states_[rank] = State::has_left;
  stops_ |= stop;
  pass_on();
}

// To the next block that has not come to this phase's end; else the phase ends.
void BlockCluster::pass_on() {
  do ++turn_;
  while (turn_ < states_.size() && states_[turn_] != State::to_run);
  if (turn_ == states_.size()) begin_phase();
  turn_changes_.notify_all();
}

void BlockCluster::begin_phase() {
  std::vector<bool> have_left;
  for (const State state : states_) have_left.push_back(state == State::has_left);
  memory_.end_phase(have_left);
  const bool all_left = std::find(have_left.begin(), have_left.end(), false) == have_left.end();
  if (all_left) stopped_ = stops_;
  for (State& state : states_)
    if (all_left || state == State::waits) state = State::to_run;  // the next cluster's, or this one's
  turn_ =
      static_cast<std::size_t>(std::find(states_.begin(), states_.end(), State::to_run) - states_.begin());
}

}  // namespace tilewright

// What kernels/words/cluster.h declares.
extern "C" {
void tilewright_wait_for_cluster() {
  tilewright::current_scheduler->wait_for_cluster(
      reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
}
const void* tilewright_shared_of_neighbour(const void* shared, unsigned rank) {
  return reinterpret_cast<const void*>(
      tilewright::current_scheduler->shared_of_neighbour(reinterpret_cast<std::uintptr_t>(shared), rank));
}
}
