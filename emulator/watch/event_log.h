// SPDX-License-Identifier: MIT
//
// What the watchers noticed, as raw events: program counters and thread numbers, not yet lines and names. At
// most `cap` events are kept per kind and program counter, the rest are counted, so that a kernel which races
// everywhere costs no memory.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/finding.h"

namespace tilewright {

struct Actor {
  std::uint64_t block = 0;
  std::uint32_t thread = 0;  // linear within the block
  std::uintptr_t pc = 0;     // return address of the access; zero when not known
  std::uint64_t rank = 0;    // of the block in the order of the launch
};

// What is wrong with bulk copies or their barriers, where the kind of finding alone does not say it.
enum class BulkTrouble {
  none,
  copy_not_waited_for,        // a race with a copy
  store_without_proxy_fence,  // a race of a copy with a store
  misaligned,
  misaligned_box,      // of a tensor
  box_rows_in_pieces,  // its rows are no whole units of 16 bytes
  box_between_units,   // it does not begin at one of its row
  not_initialized,     // the rest is about a barrier, not about what is copied
  initialized_again,
  one_arrival_too_many,
  phase_without_end,
  in_flight_at_end,
};

struct Event {
  FindingKind kind = FindingKind::fault;
  Actor actor;
  std::optional<Actor> other;
  std::uintptr_t address = 0;
  unsigned bytes = 0;
  bool write = false;
  // The signal of a fault; of a barrier divergence, 1: a value was taken, not waited for; a box's column.
  int detail = 0;
  BulkTrouble bulk = BulkTrouble::none;
  // What was read is that block's, another one of the cluster.
  std::optional<std::uint64_t> shared_of{};
  std::int64_t missing_arrivals = 0, expected_bytes = 0, copied_bytes = 0;  // of a bulk barrier's phase
};

class EventLog {
 public:
  struct Bucket {
    std::vector<Event> events;
    std::int64_t total = 0;
  };
  using Key = std::pair<FindingKind, std::uintptr_t>;  // kind, program counter

  explicit EventLog(std::size_t cap) : cap_(cap) {}

  void add(const Event& event) {
    Bucket& bucket = buckets_[{event.kind, event.actor.pc}];
    ++bucket.total;
    if (bucket.events.size() < cap_) bucket.events.push_back(event);
  }

  const std::map<Key, Bucket>& buckets() const { return buckets_; }

 private:
  std::size_t cap_;
  std::map<Key, Bucket> buckets_;
};

}  // namespace tilewright
