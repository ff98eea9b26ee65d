// SPDX-License-Identifier: MIT
//
// The watcher sees every memory access of the block that one worker is running, before it happens. It counts
// it per program counter and checks it: bounds, alignment, writers of C, and races and uninitialised reads of
// shared memory and of scratch.
//
// Shared memory has one cell per 4-byte word that remembers the last write and the last reads as (time,
// thread) stamps. Two threads that touch one word with no barrier between them, one of them writing, race, in
// whatever order they happened to run, unless a warp word orders them (warp_order.h). A block that touches shared memory in smaller
// pieces than a word gets one cell per byte from then on, so that neighbouring half-words are not taken for
// one word.
//
// Where a bulk copy writes, a cell's stamp says so, and bulk_order.h who has waited for it.
//
// access() is the hottest code of the emulator. It does not know fibers; it leaves a kernel only by longjmp.
#pragma once

#include <array>
#include <csetjmp>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "emulator/watch/bulk_order.h"
#include "emulator/watch/cluster_memory.h"
#include "emulator/watch/counter_clocks.h"
#include "emulator/watch/event_log.h"
#include "emulator/watch/global_memory.h"
#include "emulator/watch/warp_order.h"
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
  bool write = false, atomic = false;
  std::int64_t shared_accesses = 0;
  std::int64_t global_accesses = 0;
};

// A copy to one place, of pieces that lie apart. Where there is no piece, zeros arrive.
struct BulkTransfer {
  struct Piece {
    std::uintptr_t from = 0;
    unsigned offset = 0, bytes = 0;  // within the place
  };
  std::uintptr_t to = 0;
  unsigned bytes = 0;
  std::uintptr_t pc = 0;
  std::vector<Piece> pieces{};
};

class Watcher {
 public:
  struct Limits {
    std::int64_t accesses_per_block;
    std::size_t events_per_site;
    WarpView::LineOf line_of;  // with it, the lanes' accesses are grouped into requests, which costs time
    bool overlaps;             // the launch before may still run until a thread has waited for it
  };

  // `code` is the kernel's program text, `data` its constants and static variables, `shared` this worker's
  // copy of its shared memory; `counters` are those of the launch.
  Watcher(GlobalMemory& global, CounterClocks& counters, AddressRange code, std::vector<AddressRange> data,
          AddressRange shared, Limits limits);

  // `rank`: the block's place in the order of the launch.
  void begin_block(std::uint64_t block, std::uint64_t rank);
  // All threads of the block have met: what follows is ordered after what came before.
  void begin_epoch();
  // The kernel has warp words: more has to be remembered of who read what.
  void expect_warp_words() { warp_words_ = true; }
  // Warps were released from warp words: time goes on, and begin_epoch() has not been called.
  void begin_warp_epoch() {
    end_epoch();  // a warp's requests before the word and after it are not the same ones
    advance();
  }
  // These lanes of the warp whose first thread is `first` met, when the warp epoch began.
  void warp_met(std::uint32_t first, std::uint32_t mask) {
    warp_order_.meet(first, mask, epoch_);
    bulk_order_.meet(first, mask);
  }
  // Every thread of the block has come to a barrier or left.
  void end_epoch() {
    if (see_warps_) warps_.end_epoch();
  }
  // The thread that runs from now on, its stack, and where to go when it must not go on.
  void run_thread(std::uint32_t thread, AddressRange stack, std::jmp_buf* way_out) {
    thread_ = thread;
    now_ = (epoch_ << stamp_epoch_shift) | thread;
    stack_ = stack;
    way_out_ = way_out;
    if (see_warps_) warps_.begin_thread(thread);
  }

  template <unsigned Bytes, bool Write>
  void access(std::uintptr_t address, std::uintptr_t pc);
  // An atomic read-modify-write, before it happens. On scratch it must happen while the lock is held.
  [[nodiscard]] std::unique_lock<std::mutex> atomic_access(std::uintptr_t address, unsigned bytes,
                                                           std::uintptr_t pc);
  // __threadfence of the running thread.
  void fence() { known_blocks_.fence(thread_, epoch_); }
  // The running thread has waited for the launch before.
  void launch_before_has_ended() { has_waited_[thread_] = true; }
  // The running thread asks for global memory.
  void expect_waited(std::uintptr_t address, unsigned bytes, bool write, std::uintptr_t pc) {
    if (limits_.overlaps && !has_waited_[thread_]) [[unlikely]]
      report({.kind = FindingKind::launch_not_waited_for,
              .actor = actor(pc),
              .other = {},
              .address = address,
              .bytes = bytes,
              .write = write});
  }
  // A copy to shared memory that may be done from now on and is not yet: a write as far as others go, which has brought
  // nothing. Not counted; the copy itself is.
  void begin_async_write(std::uintptr_t address, unsigned bytes, std::uintptr_t pc);
  // A bulk copy by the running thread, to shared memory and in multiples of 16 bytes: from its start on its place holds
  // nothing, and at its end, whoever runs then, what it has copied. The start gives the number that the end needs.
  std::uint32_t begin_bulk_copy(const BulkTransfer& copy, std::uint32_t barrier, std::uint32_t phase);
  void end_bulk_copy(const BulkTransfer& copy, std::uint32_t number);
  BulkOrder& bulk_order() { return bulk_order_; }
  void proxy_fence() { bulk_order_.fence(thread_, epoch_); }
  bool holds_shared(std::uintptr_t address, std::uint64_t bytes) const {
    return address - shared_.base < shared_.bytes && bytes <= shared_.bytes - (address - shared_.base);
  }
  // Whether what this thread did at this time is ordered before what the running one does.
  bool is_past(std::uint32_t thread, std::uint32_t time) const {
    return thread == thread_ || time < barrier_epoch_ || warp_order_.ordered(thread, time, thread_);
  }
  std::uint32_t time() const { return epoch_; }
  AddressRange shared() const { return shared_; }
  // What this watcher's blocks read of their neighbours is noted there.
  void join_cluster(ClusterMemory& memory, std::size_t rank) {
    cluster_ = &memory;
    memory.join(rank, *this);
  }
  // What is done from now on is ordered by the cluster's barrier after what came before.
  void begin_cluster_phase() { cluster_phase_ = (epoch_ + 1) << stamp_epoch_shift; }
  // What is wrong, if anything, when a neighbour reads this of the running block's shared memory in this phase of the cluster.
  std::optional<Event> neighbour_read(std::uint64_t offset, unsigned bytes) const;
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
  // The block cannot go on; no thread runs.
  void give_up() { abandoned_ = any_abandoned_ = true; }
  bool block_abandoned() const { return abandoned_; }
  bool any_block_abandoned() const { return any_abandoned_; }
  bool ran_away() const { return ran_away_; }

  const EventLog& log() const { return log_; }
  const std::vector<Site>& sites() const { return sites_; }
  const WarpView& warps() const { return warps_; }

 private:
  // Last write and reads of a word, as stamps: time, whether by a bulk copy, thread. Zero: never. For a write by a bulk copy
  // `site` is the copy's number. Of the readers since the barrier that
  // no warp word orders before the last one, a second is known: of two, the one whose thread number differs
  // from the last one's in a higher bit. So the two are of different warps, or of different tiles of a warp,
  // wherever any two readers were, and one of them is a stranger to every writer that is one to any reader.
  struct Trace {
    std::uint32_t stamp = 0, site = 0;
  };
  struct Cell {
    Trace write, read, read_before;
  };
  static constexpr unsigned stamp_epoch_shift = Writer::thread_bits + 1;
  static constexpr std::uint32_t by_copy = 1U << Writer::thread_bits;
  static constexpr std::uint32_t stamp_thread_mask = (1U << stamp_epoch_shift) - 1;
  static constexpr std::uint32_t stamp_on_its_way = ~0U;  // by a copy, and later than every barrier
  static constexpr unsigned bulk_bytes = 16;
  static constexpr unsigned element_bytes = GlobalMemory::element_bytes;
  static constexpr int nan_byte = 0xFF;

  std::uint32_t site_at(std::uintptr_t pc, unsigned bytes, bool write);
  std::uint32_t find_or_add_site(std::uintptr_t pc, unsigned bytes, bool write);
  template <bool Write>
  void shared_access(std::uint64_t offset, unsigned bytes, std::uint32_t site);
  // Whether this access of another thread since the barrier is unordered with what the running thread does now.
  bool unordered(Trace before) const {
    return before.stamp >= barrier_ && ((before.stamp ^ now_) & stamp_thread_mask) != 0 &&
           !ordered_without_barrier(before);
  }
  bool ordered_without_barrier(Trace before) const {
    if ((before.stamp & by_copy) != 0) return bulk_order_.seen(before.site, thread_);
    return warp_order_.ordered(before.stamp & stamp_thread_mask, before.stamp >> stamp_epoch_shift, thread_);
  }
  bool ordered_before(const Writer& before) const {  // of this block, and another thread
    return before.epoch() < barrier_epoch_ || warp_order_.ordered(before.thread(), before.epoch(), thread_);
  }
  void watch_bulk_source(const BulkTransfer& copy);
  void watch_bulk_piece(const BulkTransfer::Piece& piece, unsigned unit, std::uintptr_t pc);
  void watch_bulk_destination(const BulkTransfer& copy, std::uint32_t site);
  void mark_bulk(const BulkTransfer& copy, Trace write);
  void note_reader(Cell& cell, std::uint32_t site);
  void choose_second_reader(Cell& cell) const;
  bool read_cell(Cell& cell, std::uint32_t site, std::uintptr_t address, unsigned bytes);
  bool write_cell(Cell& cell, std::uint32_t site, std::uintptr_t address, unsigned bytes);
  void report_shared(FindingKind kind, std::uint32_t site, std::uintptr_t address, unsigned bytes, bool write,
                     Trace other);
  bool atomic_is_clean(const Cell& plain, std::uint32_t site, std::uintptr_t address, unsigned bytes);
  void shared_atomic(std::uint64_t offset, unsigned bytes, std::uint32_t site);
  std::unique_lock<std::mutex> global_atomic(std::uintptr_t address, unsigned bytes, std::uintptr_t pc);
  bool output_atomic(const GlobalBuffer& buffer, std::uint64_t element, Event event);
  void scratch_access(const GlobalBuffer& buffer, std::uint64_t element, bool write, Event event);
  bool scratch_atomic(const GlobalBuffer& buffer, std::uint64_t element, Event event);
  bool ordered_in_scratch(const Writer& before) const;
  bool without_race(const Cell& readers, std::uint32_t site, std::uintptr_t address, unsigned bytes,
                    bool write);
  bool without_race_with_atomics(std::uint64_t offset, unsigned bytes, std::uint32_t site, bool write);
  bool reads_what_is_written(const Cell& cell, std::uint32_t site, std::uintptr_t address, unsigned bytes);
  void global_access(std::uintptr_t address, unsigned bytes, bool write, std::uintptr_t pc);
  void output_access(const GlobalBuffer& buffer, std::uint64_t element, bool write, const Event& event);
  void elsewhere(std::uintptr_t address, unsigned bytes, bool write, std::uintptr_t pc);
  void misaligned(std::uintptr_t address, unsigned bytes, bool write, std::uintptr_t pc);
  [[noreturn]] void out_of_budget(std::uintptr_t pc);
  void watch_shared_bytes(unsigned bytes);
  void advance();

  GlobalMemory& global_;
  CounterClocks& counters_;
  KnownBlocks known_blocks_;
  AddressRange code_, shared_, stack_;
  AddressRange global_range_;
  std::vector<AddressRange> data_;
  Limits limits_;
  bool see_warps_;
  std::int64_t budget_ = 0;

  std::uint64_t block_ = 0, rank_ = 0;
  std::uint32_t thread_ = 0, epoch_ = 0, now_ = 0;
  std::uint32_t barrier_ = 0, barrier_epoch_ = 0;  // the first stamp, and the time, since the last barrier
  std::uint32_t cluster_phase_ = 0;                // the first stamp since the cluster's last barrier
  ClusterMemory* cluster_ = nullptr;               // of a block that has neighbours
  std::array<bool, 1U << Writer::thread_bits> has_waited_{};  // for the launch before: each thread
  bool warp_words_ = false;
  WarpOrder warp_order_;
  BulkOrder bulk_order_;
  bool abandoned_ = false, any_abandoned_ = false, ran_away_ = false;
  std::jmp_buf* way_out_ = nullptr;

  unsigned cell_shift_ = 2;   // 2: a cell per word; 0: a cell per byte
  unsigned plain_bytes_ = 4;  // accesses of fewer bytes than this are looked at more closely
  std::vector<Cell> cells_;
  std::vector<Cell> atomic_cells_;      // as cells_, for atomics as "readers"; empty until a block uses one
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
  if (cell.write.stamp - 1 >= barrier_ - 1) [[unlikely]]  // never, or since the barrier
    clean = reads_what_is_written(cell, site, address, bytes);
  note_reader(cell, site);
  return clean;
}

inline void Watcher::note_reader(Cell& cell, std::uint32_t site) {
  if (cell.read.stamp >= barrier_) {
    if (warp_words_) [[unlikely]]
      choose_second_reader(cell);
    else if (((cell.read.stamp ^ now_) & stamp_thread_mask) != 0)
      cell.read_before = cell.read;
  }
  cell.read = {now_, site};
}

inline bool Watcher::write_cell(Cell& cell, std::uint32_t site, std::uintptr_t address, unsigned bytes) {
  bool clean = true;
  if (unordered(cell.write)) [[unlikely]] {
    report_shared(FindingKind::race, site, address, bytes, true, cell.write);
    clean = false;
  } else if (cell.read.stamp >= barrier_) [[unlikely]] {  // read since the barrier, perhaps by another thread
    clean = without_race(cell, site, address, bytes, true);
  }
  cell.write = {now_, site};
  return clean;
}

template <bool Write>
inline void Watcher::shared_access(std::uint64_t offset, unsigned bytes, std::uint32_t site) {
  if (bytes < plain_bytes_) [[unlikely]] {
    watch_shared_bytes(bytes);
    if (!without_race_with_atomics(offset, bytes, site, Write)) return;
  }
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
    if (see_warps_) warps_.record(site, Space::shared, offset, Bytes);
    shared_access<Write>(offset, Bytes, site);
  } else if (global_range_.holds(address)) {
    const std::uint32_t site = site_at(pc, Bytes, Write);
    ++sites_[site].global_accesses;
    if (see_warps_) warps_.record(site, Space::global, address, Bytes);
    global_access(address, Bytes, Write, pc);
  } else if (!stack_.holds(address)) {
    elsewhere(address, Bytes, Write, pc);
  }
}

// The watcher of the block this OS thread is running, or null: then nobody is watched.
extern thread_local Watcher* current_watcher;

}  // namespace tilewright
