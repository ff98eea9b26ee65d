// SPDX-License-Identifier: MIT
//
// Scratch as the watcher sees it: memory that all blocks of a launch share. Its first words, the counters, are zero before
// anyone has written them; of the others nothing is known. An access races with the last write of another thread unless
// barrier, warp word or, between blocks, fence, atomic and fence order it. Of readers nothing is remembered: a write after a
// read that nothing orders is not seen.
#include "emulator/watch/watcher.h"

namespace tilewright {

bool Watcher::ordered_in_scratch(const Writer& before) const {
  if (before.is_of_earlier_kernel()) return true;
  if (before.block() != block_) return known_blocks_.ordered(before, thread_);
  return before.thread() == thread_ || ordered_before(before);
}

void Watcher::scratch_access(const GlobalBuffer& buffer, std::uint64_t element, bool write, Event event) {
  event.address = buffer.base + element * GlobalMemory::element_bytes;
  std::atomic<std::uint64_t>& slot = buffer.writers[element];
  const Writer before(write ? slot.exchange(Writer(block_, thread_, epoch_).bits(), std::memory_order_relaxed)
                            : slot.load(std::memory_order_relaxed));
  if (before.nobody()) {
    event.kind = FindingKind::uninitialized_scratch_read;
    if (!write && element >= buffer.zeroed) report(event);
    return;
  }
  if (ordered_in_scratch(before)) return;
  event.kind = FindingKind::race;
  event.other = Actor{before.block(), before.thread(), 0};
  report(event);
}

bool Watcher::scratch_atomic(const GlobalBuffer& buffer, std::uint64_t element, Event event) {
  event.address = buffer.base + element * GlobalMemory::element_bytes;
  const Writer before(buffer.writers[element].exchange(Writer(block_, thread_, epoch_, true).bits(),
                                                       std::memory_order_relaxed));
  if (before.nobody()) {
    event.kind = FindingKind::uninitialized_scratch_read;
    event.write = false;
    if (element < buffer.zeroed) return true;
    report(event);
    return false;
  }
  if (before.atomic() || ordered_in_scratch(before)) return true;
  event.kind = FindingKind::race;
  event.other = Actor{before.block(), before.thread(), 0};
  report(event);
  return false;
}

}  // namespace tilewright
