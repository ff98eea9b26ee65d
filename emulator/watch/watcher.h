// SPDX-License-Identifier: MIT
//
// The watcher sees every memory access of the block that one worker is running, before it happens. It counts
// it per program counter and checks it: bounds, alignment, writers of C, and races and uninitialised reads of
// shared memory.
//
// Shared memory has one cell per 4-byte word that remembers the last write and the last reads as (barrier
// epoch, thread) stamps. Two threads that touch one word in one epoch, one of them writing, race, in whatever
// order they happened to run: no barrier stood between them. A block that touches shared memory in smaller
// pieces than a word gets one cell per byte from then on, so that neighbouring half-words are not taken for
// one word.
//
// access() is the hottest code of the emulator. It does not know fibers; it leaves a kernel only by longjmp.
#pragma once

#include <csetjmp>
#include <cstdint>
#include <vector>

#include "emulator/watch/event_log.h"
#include "emulator/watch/global_memory.h"
#include "emulator/watch/warp_view.h"

namespace tilewright {

struct AddressRange {
  std::uintptr_t base = 0;
  std::uint64_t bytes = 0;
  bool holds(std::uintptr_t address) const { return address - base < bytes; }
};

// One memory instruction of the kernel.
struct Site {
  std::uintptr_t pc = 0;
  unsigned bytes = 0;
  bool write = false;
  std::int64_t shared_accesses = 0;
  std::int64_t global_accesses = 0;
};

class Watcher {
 public:
  struct Limits {
    std::int64_t accesses_per_block;
    std::size_t events_per_site;
    bool see_warps;  // group the lanes' accesses into requests; costs time
  };

  // `code` is the kernel's program text, `data` its constants and static variables, `shared` this worker's
  // copy of its shared memory.
  Watcher(GlobalMemory& global, AddressRange code, std::vector<AddressRange> data, AddressRange shared,
          Limits limits);

  // `rank`: the block's place in the order of the launch.
  void begin_block(std::uint64_t block, std::uint64_t rank);
  // All threads of the block have met: what follows is ordered after what came before.
  void begin_epoch();
  // Every thread of the block has come to a barrier or left.
  void end_epoch() {
    if (limits_.see_warps) warps_.end_epoch();
  }
  // The thread that runs from now on, its stack, and where to go when it must not go on.
  void run_thread(std::uint32_t thread, AddressRange stack, std::jmp_buf* way_out) {
    thread_ = thread;
    now_ = (epoch_ << stamp_epoch_shift) | thread;
    stack_ = stack;
    way_out_ = way_out;
    if (limits_.see_warps) warps_.begin_thread(thread);
  }

  template <unsigned Bytes, bool Write>
  void access(std::uintptr_t address, std::uintptr_t pc);
  // Memory moved by memcpy and the like: watched in words where it is aligned, else in bytes.
  void access_range(std::uintptr_t address, std::uint64_t bytes, bool write, std::uintptr_t pc);
  // One basic block was entered: a loop without accesses runs out of budget too.
  void step(std::uintptr_t pc) {
    if (--budget_ < 0) [[unlikely]]
      out_of_budget(pc);
  }

  void report(const Event& event) { log_.add(event); }
  Actor actor(std::uintptr_t pc) const { return {block_, thread_, pc, rank_}; }
  // Ends the running thread, and with it the block. Never returns.
  [[noreturn]] void abandon();
  bool block_abandoned() const { return abandoned_; }
  bool any_block_abandoned() const { return any_abandoned_; }
  bool ran_away() const { return ran_away_; }

  const EventLog& log() const { return log_; }
  const std::vector<Site>& sites() const { return sites_; }
  const WarpView& warps() const { return warps_; }

 private:
  // Last write and last reads of a word, as stamps: epoch, "several threads", thread. Zero: never. Of several
  // readers in one epoch the last two are known, so that a thread which writes what it has read itself can
  // name another.
  struct Cell {
    std::uint32_t write = 0, read = 0, read_before = 0;
    std::uint32_t write_site = 0, read_site = 0, read_before_site = 0;
  };
  static constexpr unsigned stamp_epoch_shift = Writer::thread_bits + 1;
  static constexpr std::uint32_t stamp_thread_mask = (1U << Writer::thread_bits) - 1;
  static constexpr std::uint32_t stamp_several = 1U << Writer::thread_bits;
  static constexpr std::uint32_t stamp_epoch_unit = 1U << stamp_epoch_shift;

  std::uint32_t site_at(std::uintptr_t pc, unsigned bytes, bool write);
  std::uint32_t find_or_add_site(std::uintptr_t pc, unsigned bytes, bool write);
  template <bool Write>
  void shared_access(std::uint64_t offset, unsigned bytes, std::uint32_t site);
  bool read_cell(Cell& cell, std::uint32_t site, std::uintptr_t address, unsigned bytes);
  bool write_cell(Cell& cell, std::uint32_t site, std::uintptr_t address, unsigned bytes);
  void report_shared(FindingKind kind, std::uint32_t site, std::uintptr_t address, unsigned bytes, bool write,
                     std::uint32_t other_stamp, std::uint32_t other_site);
  void global_access(std::uintptr_t address, unsigned bytes, bool write, std::uintptr_t pc);
  void output_access(const GlobalBuffer& buffer, std::uint64_t element, bool write, const Event& event);
  void elsewhere(std::uintptr_t address, unsigned bytes, bool write, std::uintptr_t pc);
  void misaligned(std::uintptr_t address, unsigned bytes, bool write, std::uintptr_t pc);
  [[noreturn]] void out_of_budget(std::uintptr_t pc);
  void watch_shared_bytes();

  GlobalMemory& global_;
  AddressRange code_, shared_, stack_;
  AddressRange global_range_;
  std::vector<AddressRange> data_;
  Limits limits_;
  std::int64_t budget_ = 0;

  std::uint64_t block_ = 0, rank_ = 0;
  std::uint32_t thread_ = 0, epoch_ = 0, now_ = 0;
  bool abandoned_ = false, any_abandoned_ = false, ran_away_ = false;
  std::jmp_buf* way_out_ = nullptr;

  unsigned cell_shift_ = 2;  // 2: a cell per word; 0: a cell per byte
  std::vector<Cell> cells_;
  std::vector<std::uint32_t> site_of_;  // by program counter, relative to code_; zero: not seen yet
  std::vector<Site> sites_;             // the first stands for "not seen yet"
  WarpView warps_;
  EventLog log_;
};

inline std::uint32_t Watcher::site_at(std::uintptr_t pc, unsigned bytes, bool write) {
  const std::uint32_t site = site_of_[pc - code_.base];
  // A memcpy reads and writes at one program counter.
  const bool same = sites_[site].bytes == bytes && sites_[site].write == write;
  return same ? site : find_or_add_site(pc, bytes, write);
}

inline bool Watcher::read_cell(Cell& cell, std::uint32_t site, std::uintptr_t address, unsigned bytes) {
  bool clean = true;
  if (cell.write == 0) [[unlikely]] {
    report_shared(FindingKind::uninitialized_shared_read, site, address, bytes, false, 0, 0);
    clean = false;
  } else if ((cell.write ^ now_) - 1 < stamp_thread_mask) [[unlikely]] {  // this epoch, another thread
    report_shared(FindingKind::race, site, address, bytes, false, cell.write, cell.write_site);
    clean = false;
  }
  const std::uint32_t difference = cell.read ^ now_;
  if (difference >= stamp_epoch_unit) {
    cell.read = now_;
    cell.read_site = site;
  } else if ((difference & stamp_thread_mask) != 0) {
    cell.read_before = cell.read;
    cell.read_before_site = cell.read_site;
    cell.read = now_ | stamp_several;
    cell.read_site = site;
  }
  return clean;
}

inline bool Watcher::write_cell(Cell& cell, std::uint32_t site, std::uintptr_t address, unsigned bytes) {
  bool clean = true;
  if ((cell.write ^ now_) - 1 < stamp_thread_mask) [[unlikely]] {
    report_shared(FindingKind::race, site, address, bytes, true, cell.write, cell.write_site);
    clean = false;
  } else if ((cell.read ^ now_) - 1 < stamp_epoch_unit - 1) [[unlikely]] {  // another reader, or several
    const bool own = (cell.read & stamp_thread_mask) == thread_;
    report_shared(FindingKind::race, site, address, bytes, true, own ? cell.read_before : cell.read,
                  own ? cell.read_before_site : cell.read_site);
    clean = false;
  }
  cell.write = now_;
  cell.write_site = site;
  return clean;
}

template <bool Write>
inline void Watcher::shared_access(std::uint64_t offset, unsigned bytes, std::uint32_t site) {
  if (bytes < (1U << cell_shift_)) [[unlikely]]
    watch_shared_bytes();
  const std::uint64_t first = offset >> cell_shift_;
  const std::uint64_t count = bytes >> cell_shift_;
  bool clean = true;  // one event an access, however many of its words are bad
  for (std::uint64_t i = first; i < first + count && clean; ++i)
    clean = Write ? write_cell(cells_[i], site, shared_.base + offset, bytes)
                  : read_cell(cells_[i], site, shared_.base + offset, bytes);
}

template <unsigned Bytes, bool Write>
inline void Watcher::access(std::uintptr_t address, std::uintptr_t pc) {
  if (--budget_ < 0) [[unlikely]]
    out_of_budget(pc);
  if ((address & (Bytes - 1)) != 0) [[unlikely]]
    misaligned(address, Bytes, Write, pc);
  const std::uint64_t offset = address - shared_.base;
  if (offset < shared_.bytes && offset + Bytes <= shared_.bytes) {
    const std::uint32_t site = site_at(pc, Bytes, Write);
    ++sites_[site].shared_accesses;
    if (limits_.see_warps) warps_.record(site, Space::shared, offset, Bytes);
    shared_access<Write>(offset, Bytes, site);
  } else if (global_range_.holds(address)) {
    const std::uint32_t site = site_at(pc, Bytes, Write);
    ++sites_[site].global_accesses;
    if (limits_.see_warps) warps_.record(site, Space::global, address, Bytes);
    global_access(address, Bytes, Write, pc);
  } else if (!stack_.holds(address)) {
    elsewhere(address, Bytes, Write, pc);
  }
}

// The watcher of the block this OS thread is running, or null: then nobody is watched.
extern thread_local Watcher* current_watcher;

}  // namespace tilewright
