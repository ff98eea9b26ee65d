// SPDX-License-Identifier: MIT
//
// Bulk copies as the watcher sees them. From its start to its end a copy's place belongs to nobody: each of its cells says
// that a copy is on its way, and whoever touches it races. After the end the cells say which copy wrote them. A copy is
// counted when it starts, 16 bytes an access and what is left of a piece 4, and it is no request of a warp: the copy engine,
// not the load and store units, moves it.
#include <cstring>

#include "emulator/watch/watcher.h"

namespace tilewright {

void Watcher::watch_bulk_source(const BulkTransfer& copy) {
  for (const BulkTransfer::Piece& piece : copy.pieces) {
    const unsigned rest = piece.bytes % bulk_bytes, whole = piece.bytes - rest;
    watch_bulk_piece({piece.from, piece.offset, whole}, bulk_bytes, copy.pc);
    watch_bulk_piece({piece.from + whole, piece.offset + whole, rest}, element_bytes, copy.pc);
  }
}

void Watcher::watch_bulk_piece(const BulkTransfer::Piece& piece, unsigned unit, std::uintptr_t pc) {
  if (piece.bytes == 0) return;
  const std::uint32_t site = find_or_add_site(pc, unit, false);
  for (unsigned done = 0; done < piece.bytes; done += unit) {
    if (--budget_ < 0) out_of_budget(pc);
    const std::uintptr_t address = piece.from + done;
    if (!global_range_.holds(address)) elsewhere(address, unit, false, pc);
    ++sites_[site].global_accesses;
    global_access(address, unit, false, pc);
  }
}

// One event a copy.
void Watcher::watch_bulk_destination(const BulkTransfer& copy, std::uint32_t site) {
  const std::uint64_t offset = copy.to - shared_.base;
  for (std::uint64_t i = offset >> cell_shift_; i < (offset + copy.bytes) >> cell_shift_; ++i) {
    const Trace before = cells_[i].write;
    const std::uint32_t writer = before.stamp & stamp_thread_mask, time = before.stamp >> stamp_epoch_shift;
    if (before.stamp == 0 || (writer & by_copy) != 0 || unordered(before)) continue;
    if (bulk_order_.fenced(writer, time, thread_)) continue;
    report({.kind = FindingKind::race,
            .actor = actor(copy.pc),
            .other = Actor{block_, writer, sites_[before.site].pc},
            .address = shared_.base + (i << cell_shift_),
            .bytes = bulk_bytes,
            .write = true,
            .bulk = BulkTrouble::store_without_proxy_fence});
    break;
  }
  sites_[site].shared_accesses += copy.bytes / bulk_bytes;
  shared_access<true>(offset, copy.bytes, site);
}

std::uint32_t Watcher::begin_bulk_copy(const BulkTransfer& copy, std::uint32_t barrier, std::uint32_t phase) {
  watch_bulk_source(copy);
  const std::uint32_t site = find_or_add_site(copy.pc, bulk_bytes, true);
  watch_bulk_destination(copy, site);
  const std::uint32_t number =
      bulk_order_.add({.barrier = barrier, .phase = phase, .thread = thread_, .site = site});
  mark_bulk(copy, {.stamp = stamp_on_its_way, .site = number});
  std::memset(reinterpret_cast<void*>(copy.to), nan_byte, copy.bytes);
  return number;
}

void Watcher::end_bulk_copy(const BulkTransfer& copy, std::uint32_t number) {
  const std::uint32_t thread = bulk_order_.copy(number).thread;
  mark_bulk(copy, {.stamp = (epoch_ << stamp_epoch_shift) | by_copy | thread, .site = number});
  std::memset(reinterpret_cast<void*>(copy.to), 0, copy.bytes);
  for (const BulkTransfer::Piece& piece : copy.pieces)
    std::memcpy(reinterpret_cast<void*>(copy.to + piece.offset), reinterpret_cast<const void*>(piece.from),
                piece.bytes);
}

void Watcher::mark_bulk(const BulkTransfer& copy, Trace write) {
  const std::uint64_t offset = copy.to - shared_.base;
  for (std::uint64_t i = offset >> cell_shift_; i < (offset + copy.bytes) >> cell_shift_; ++i)
    cells_[i].write = write;
}

}  // namespace tilewright
