// SPDX-License-Identifier: MIT
//
// Atomic read-modify-writes as the watcher sees them: one read and one write; no race with another atomic on
// the same word, but one with every plain access that nothing orders. Shared memory remembers them as it does
// readers, in cells of their own that exist once a block has used an atomic; an element of C or of scratch remembers that its
// last writer was one.
#include "emulator/watch/watcher.h"

namespace tilewright {

std::unique_lock<std::mutex> Watcher::atomic_access(std::uintptr_t address, unsigned bytes,
                                                    std::uintptr_t pc) {
  if (--budget_ < 0) out_of_budget(pc);
  if ((address & (bytes - 1)) != 0) misaligned(address, bytes, true, pc);
  const std::uint64_t offset = address - shared_.base;
  const bool shared = offset < shared_.bytes && offset + bytes <= shared_.bytes;
  if (!shared && !global_range_.holds(address)) {
    if (!stack_.holds(address)) elsewhere(address, bytes, true, pc);
    return {};
  }
  const std::uint32_t read = find_or_add_site(pc, bytes, false);
  const std::uint32_t write = find_or_add_site(pc, bytes, true);
  for (const std::uint32_t site : {read, write}) {
    sites_[site].atomic = true;
    ++(shared ? sites_[site].shared_accesses : sites_[site].global_accesses);
    if (see_warps_)
      warps_.record(site, shared ? Space::shared : Space::global, shared ? offset : address, bytes);
  }
  if (!shared) return global_atomic(address, bytes, pc);
  shared_atomic(offset, bytes, write);
  return {};
}

bool Watcher::atomic_is_clean(const Cell& plain, std::uint32_t site, std::uintptr_t address, unsigned bytes) {
  if (plain.write.stamp == 0)
    report_shared(FindingKind::uninitialized_shared_read, site, address, bytes, false, {});
  else if (unordered(plain.write))
    report_shared(FindingKind::race, site, address, bytes, true, plain.write);
  else
    return without_race(plain, site, address, bytes, true);
  return false;
}

void Watcher::shared_atomic(std::uint64_t offset, unsigned bytes, std::uint32_t site) {
  atomic_cells_.resize(cells_.size());  // those it has stay as they are
  plain_bytes_ = ~0U;                   // every plain access is compared with the atomics from now on
  const std::uint64_t first = offset >> cell_shift_, count = bytes >> cell_shift_;
  const std::uintptr_t address = shared_.base + offset;
  bool clean = true;
  for (std::uint64_t i = first; i < first + count; ++i) {
    const Cell& plain = cells_[i];
    if (clean) clean = atomic_is_clean(plain, site, address, bytes);
    note_reader(atomic_cells_[i], site);
  }
}

bool Watcher::without_race_with_atomics(std::uint64_t offset, unsigned bytes, std::uint32_t site,
                                        bool write) {
  if (atomic_cells_.empty()) return true;
  const std::uint64_t first = offset >> cell_shift_, count = bytes >> cell_shift_;
  for (std::uint64_t i = first; i < first + count; ++i)
    if (!without_race(atomic_cells_[i], site, shared_.base + offset, bytes, write)) return false;
  return true;
}

// One event an access, however many of its elements are bad: false after the first.
bool Watcher::output_atomic(const GlobalBuffer& buffer, std::uint64_t element, Event event) {
  event.address = buffer.base + element * GlobalMemory::element_bytes;
  const Writer before(buffer.writers[element].exchange(Writer(block_, thread_, epoch_, true).bits(),
                                                       std::memory_order_relaxed));
  if (before.nobody()) {
    if (element < buffer.zeroed) return true;
    event.kind = FindingKind::uninitialized_output_read;
    event.write = false;
    report(event);
    return false;
  }
  if (before.is_of_earlier_kernel()) return true;
  const bool same_block = before.block() == block_;
  if (before.atomic() || (same_block && (before.thread() == thread_ || ordered_before(before)))) return true;
  event.other = Actor{before.block(), before.thread(), 0};
  report(event);
  return false;
}

std::unique_lock<std::mutex> Watcher::global_atomic(std::uintptr_t address, unsigned bytes,
                                                    std::uintptr_t pc) {
  const GlobalBuffer& buffer = global_.nearest(address);
  if (!buffer.holds(address, bytes) || buffer.role == Role::input) {
    global_access(address, bytes, true, pc);  // out of bounds, or an input: as a plain write
    return {};
  }
  expect_waited(address, bytes, true, pc);
  const Event event{.kind = FindingKind::race,
                    .actor = actor(pc),
                    .other = {},
                    .address = address,
                    .bytes = bytes,
                    .write = true};
  const std::uint64_t first = (address - buffer.base) / GlobalMemory::element_bytes;
  std::unique_lock<std::mutex> hold;
  if (buffer.role == Role::scratch) {
    hold = counters_.hold();
    known_blocks_.exchange(counters_.at(first), thread_);
  }
  bool clean = true;
  for (std::uint64_t i = 0; i < bytes / GlobalMemory::element_bytes && clean; ++i)
    clean = buffer.role == Role::scratch ? scratch_atomic(buffer, first + i, event)
                                         : output_atomic(buffer, first + i, event);
  return hold;
}

}  // namespace tilewright
