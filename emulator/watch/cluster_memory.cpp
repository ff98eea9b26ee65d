// SPDX-License-Identifier: MIT
#include "emulator/watch/cluster_memory.h"

#include "emulator/watch/watcher.h"

namespace tilewright {

std::uintptr_t ClusterMemory::in_block(std::size_t rank, std::uintptr_t address, const Watcher& own) const {
  if (rank >= blocks_.size() || !own.holds_shared(address, 1)) return 0;
  return blocks_[rank]->shared().base + (address - own.shared().base);
}

bool ClusterMemory::read(Watcher& reader, std::uintptr_t address, unsigned bytes, std::uintptr_t pc) {
  for (std::size_t rank = 0; rank < blocks_.size(); ++rank) {
    const Watcher& block = *blocks_[rank];
    if (!block.holds_shared(address, bytes)) continue;
    reads_.push_back({.of = rank,
                      .reader = &reader,
                      .actor = reader.actor(pc),
                      .offset = address - block.shared().base,
                      .bytes = bytes});
    return true;
  }
  return false;
}

void ClusterMemory::end_phase(const std::vector<bool>& have_left) {
  for (const Read& read : reads_) {
    const Watcher& block = *blocks_[read.of];
    std::optional<Event> event = block.neighbour_read(read.offset, read.bytes);
    if (!event && have_left[read.of] && !block.block_abandoned())
      event = Event{.kind = FindingKind::shared_memory_gone,
                    .actor = {},
                    .other = {},
                    .shared_of = block.actor(0).block};
    if (!event) continue;
    event->actor = read.actor;
    event->address = read.reader->shared().base + read.offset;
    event->bytes = read.bytes;
    read.reader->report(*event);
  }
  reads_.clear();
  for (Watcher* block : blocks_) block->begin_cluster_phase();
}

std::optional<Event> Watcher::neighbour_read(std::uint64_t offset, unsigned bytes) const {
  Event event{.kind = FindingKind::race, .actor = {}, .other = {}, .shared_of = block_};
  for (std::uint64_t i = offset >> cell_shift_; i <= (offset + bytes - 1) >> cell_shift_; ++i) {
    const Trace write = cells_[i].write;
    if (write.stamp == 0) {
      event.kind = FindingKind::uninitialized_shared_read;
      return event;
    }
    if (write.stamp < cluster_phase_) continue;  // before the cluster's last barrier
    if ((write.stamp & by_copy) != 0) {
      const BulkCopyOrigin& copy = bulk_order_.copy(write.site);
      event.other = Actor{block_, copy.thread, sites_[copy.site].pc};
    } else {
      event.other = Actor{block_, write.stamp & stamp_thread_mask, sites_[write.site].pc};
    }
    return event;
  }
  return {};
}

}  // namespace tilewright
