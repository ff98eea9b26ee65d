// SPDX-License-Identifier: MIT
#include "emulator/watch/watcher.h"

#include <algorithm>
#include <cstring>

namespace tilewright {

thread_local Watcher* current_watcher = nullptr;

Watcher::Watcher(GlobalMemory& global, CounterClocks& counters, AddressRange code,
                 std::vector<AddressRange> data, AddressRange shared, Limits limits)
    : global_(global),
      counters_(counters),
      code_(code),
      shared_(shared),
      global_range_{global.base(), global.bytes()},
      data_(std::move(data)),
      limits_(std::move(limits)),
      see_warps_(limits_.line_of != nullptr),
      cells_((shared.bytes + 3) / 4),
      site_of_(code.bytes + 1),
      sites_(1),
      warps_(global, limits_.line_of),
      log_(limits_.events_per_site) {}

void Watcher::begin_block(std::uint64_t block, std::uint64_t rank) {
  block_ = block;
  rank_ = rank;
  epoch_ = cluster_phase_ = 0;
  warp_order_.begin_block();
  bulk_order_.begin_block();
  known_blocks_.begin_block(block);
  has_waited_ = {};
  abandoned_ = false;
  budget_ = limits_.accesses_per_block;
  atomic_cells_.clear();
  plain_bytes_ = cell_shift_ == 0 ? 0 : 4;
  std::fill(cells_.begin(), cells_.end(), Cell{});
  // A block starts with whatever is in shared memory; NaN makes a kernel that relies on it wrong, not lucky.
  std::memset(reinterpret_cast<void*>(shared_.base), nan_byte, shared_.bytes);
}

void Watcher::advance() {
  constexpr std::uint32_t last_epoch = (1U << Writer::epoch_bits) - 1;
  if (++epoch_ > last_epoch)
    budget_ = 0;  // a stamp cannot hold it: the next step stops the kernel as run away
  epoch_ = std::min(epoch_, last_epoch);
}

void Watcher::begin_epoch() {
  advance();
  barrier_epoch_ = epoch_;
  barrier_ = epoch_ << stamp_epoch_shift;
  known_blocks_.meet(epoch_);
  if (see_warps_) warps_.begin_interval();
}

void Watcher::abandon() {
  abandoned_ = any_abandoned_ = true;
  std::longjmp(*way_out_, 1);
}

std::uint32_t Watcher::find_or_add_site(std::uintptr_t pc, unsigned bytes, bool write) {
  // One program counter has one size, but for a memcpy, which is watched in pieces of either size.
  const auto same = [&](const Site& site) {
    return site.pc == pc && site.bytes == bytes && site.write == write;
  };
  const auto found = std::find_if(sites_.begin(), sites_.end(), same);
  const auto site = static_cast<std::uint32_t>(found - sites_.begin());
  if (found == sites_.end()) {
    sites_.push_back({.pc = pc, .bytes = bytes, .write = write});
    if (see_warps_) warps_.add_site(site, pc, write);
  }
  site_of_[pc - code_.base] = site;
  return site;
}

void Watcher::access_range(std::uintptr_t address, std::uint64_t bytes, bool write, std::uintptr_t pc) {
  const unsigned piece = (address % 4 == 0 && bytes % 4 == 0) ? 4 : 1;
  for (std::uint64_t done = 0; done < bytes; done += piece) {
    const std::uintptr_t at = address + done;
    if (piece == 4)
      write ? access<4, true>(at, pc) : access<4, false>(at, pc);
    else
      write ? access<1, true>(at, pc) : access<1, false>(at, pc);
  }
}

void Watcher::begin_async_write(std::uintptr_t address, unsigned bytes, std::uintptr_t pc) {
  const std::uint64_t offset = address - shared_.base;
  if (offset >= shared_.bytes || offset + bytes > shared_.bytes) return;  // the copy itself will be a finding
  if ((address & (bytes - 1)) != 0) return;
  const std::uint32_t site = find_or_add_site(pc, bytes, true);
  shared_access<true>(offset, bytes, site);
  for (std::uint64_t i = offset >> cell_shift_; i < (offset + bytes) >> cell_shift_; ++i)
    cells_[i].write = {};
  std::memset(reinterpret_cast<void*>(address), nan_byte, bytes);
}

void Watcher::report_shared(FindingKind kind, std::uint32_t site, std::uintptr_t address, unsigned bytes,
                            bool write, Trace other) {
  Event event{.kind = kind,
              .actor = actor(sites_[site].pc),
              .other = {},
              .address = address,
              .bytes = bytes,
              .write = write};
  if ((other.stamp & by_copy) != 0) {
    const BulkCopyOrigin& copy = bulk_order_.copy(other.site);
    event.other = Actor{block_, copy.thread, sites_[copy.site].pc};
    event.bulk = BulkTrouble::copy_not_waited_for;
  } else if (other.stamp != 0) {
    event.other = Actor{block_, other.stamp & stamp_thread_mask, sites_[other.site].pc};
  }
  report(event);
}

bool Watcher::without_race(const Cell& readers, std::uint32_t site, std::uintptr_t address, unsigned bytes,
                           bool write) {
  const bool last = unordered(readers.read);
  if (!last && !unordered(readers.read_before)) return true;
  report_shared(FindingKind::race, site, address, bytes, write, last ? readers.read : readers.read_before);
  return false;
}

// The running thread becomes the last reader; which of the two before it stays the second one? Not one that is
// ordered before it: who is a stranger to that reader is one to the running thread as well. Of two, the one
// whose thread differs in the higher bit.
void Watcher::choose_second_reader(Cell& cell) const {
  const auto differs = [&](Trace reader) { return (reader.stamp ^ now_) & stamp_thread_mask; };
  if (!unordered(cell.read_before)) cell.read_before = {};
  if (!unordered(cell.read)) return;
  if (cell.read_before.stamp == 0 || differs(cell.read) >= differs(cell.read_before))
    cell.read_before = cell.read;
}

bool Watcher::reads_what_is_written(const Cell& cell, std::uint32_t site, std::uintptr_t address,
                                    unsigned bytes) {
  const bool never = cell.write.stamp == 0;
  if (!never && !unordered(cell.write)) return true;
  report_shared(never ? FindingKind::uninitialized_shared_read : FindingKind::race, site, address, bytes,
                false, cell.write);
  return false;
}

void Watcher::watch_shared_bytes(unsigned bytes) {
  if (bytes >= (1U << cell_shift_)) return;
  std::vector<Cell> finer(shared_.bytes);
  for (std::size_t i = 0; i < finer.size(); ++i) finer[i] = cells_[i / 4];
  cells_ = std::move(finer);
  if (!atomic_cells_.empty()) {
    std::vector<Cell> atomics(shared_.bytes);
    for (std::size_t i = 0; i < atomics.size(); ++i) atomics[i] = atomic_cells_[i / 4];
    atomic_cells_ = std::move(atomics);
  }
  cell_shift_ = 0;
  if (atomic_cells_.empty()) plain_bytes_ = 0;
}

void Watcher::global_access(std::uintptr_t address, unsigned bytes, bool write, std::uintptr_t pc) {
  expect_waited(address, bytes, write, pc);
  const GlobalBuffer& buffer = global_.nearest(address);
  const bool inside = buffer.holds(address, bytes);
  if (inside && buffer.role == Role::input && !write) return;

  Event event{.kind = FindingKind::out_of_bounds,
              .actor = actor(pc),
              .other = {},
              .address = address,
              .bytes = bytes,
              .write = write};
  if (!inside) return report(event);
  if (buffer.role == Role::input) {
    event.kind = FindingKind::input_modified;
    return report(event);
  }
  const std::uint64_t first = (address - buffer.base) / GlobalMemory::element_bytes;
  const std::uint64_t last = (address - buffer.base + bytes - 1) / GlobalMemory::element_bytes;
  for (std::uint64_t element = first; element <= last; ++element)
    buffer.role == Role::scratch ? scratch_access(buffer, element, write, event)
                                 : output_access(buffer, element, write, event);
}

void Watcher::output_access(const GlobalBuffer& buffer, std::uint64_t element, bool write,
                            const Event& access) {
  Event event = access;
  event.address = buffer.base + element * GlobalMemory::element_bytes;
  std::atomic<std::uint64_t>& slot = buffer.writers[element];
  const Writer before(write ? slot.exchange(Writer(block_, thread_, epoch_).bits(), std::memory_order_relaxed)
                            : slot.load(std::memory_order_relaxed));
  if (before.nobody()) {
    if (write || element < buffer.zeroed) return;
    event.kind = FindingKind::uninitialized_output_read;
    return report(event);
  }
  if (before.is_of_earlier_kernel()) {
    event.kind =
        FindingKind::double_write;  // what the kernel before left there is no longer told from what it should
    if (write) report(event);
    return;
  }
  const bool same_block = before.block() == block_;
  if (same_block && before.thread() == thread_) return;
  event.other = Actor{before.block(), before.thread(), 0};
  if (write)
    event.kind = FindingKind::double_write;
  else if (same_block && ordered_before(before))
    return;  // a barrier of the block or a warp word stands between
  else
    event.kind = FindingKind::race;
  report(event);
}

void Watcher::elsewhere(std::uintptr_t address, unsigned bytes, bool write, std::uintptr_t pc) {
  for (const AddressRange& range : data_)
    if (range.holds(address)) return;
  if (cluster_ != nullptr && !write && cluster_->read(*this, address, bytes, pc)) {
    ++sites_[site_at(pc, bytes, write)].shared_accesses;
    return;
  }
  report({.kind = FindingKind::out_of_bounds,
          .actor = actor(pc),
          .other = {},
          .address = address,
          .bytes = bytes,
          .write = write});
  abandon();  // the access would touch memory that is not the kernel's
}

void Watcher::misaligned(std::uintptr_t address, unsigned bytes, bool write, std::uintptr_t pc) {
  if (stack_.holds(address)) return;
  report({.kind = FindingKind::misaligned_access,
          .actor = actor(pc),
          .other = {},
          .address = address,
          .bytes = bytes,
          .write = write});
}

void Watcher::out_of_budget(std::uintptr_t pc) {
  ran_away_ = true;
  report({.kind = FindingKind::access_limit, .actor = actor(pc), .other = {}});
  abandon();
}

}  // namespace tilewright
