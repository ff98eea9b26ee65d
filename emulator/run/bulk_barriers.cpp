// SPDX-License-Identifier: MIT
#include "emulator/run/bulk_barriers.h"

#include <utility>

#include "emulator/run/thread_scheduler.h"

namespace tilewright {
namespace {

constexpr unsigned barrier_bytes = 8, copy_unit = 16, box_unit = 128;

}  // namespace

void BulkBarriers::begin_block(Watcher& watcher) {
  watcher_ = &watcher;
  barriers_.clear();
}

std::uint32_t BulkBarriers::number_at(std::uintptr_t address) const {
  for (std::uint32_t i = 0; i < barriers_.size(); ++i)
    if (barriers_[i].address == address) return i;
  return none;
}

Event BulkBarriers::event_at(const Barrier& barrier, FindingKind kind, BulkTrouble trouble,
                             std::uintptr_t pc) const {
  return {.kind = kind,
          .actor = watcher_->actor(pc),
          .other = barrier.last,
          .address = barrier.address,
          .bytes = barrier_bytes,
          .bulk = trouble,
          .missing_arrivals = barrier.missing,
          .expected_bytes = barrier.expected,
          .copied_bytes = barrier.copied};
}

void BulkBarriers::stop(const Event& event) const {
  watcher_->report(event);
  watcher_->abandon();
}

void BulkBarriers::initialize(std::uintptr_t address, unsigned arrivals, std::uintptr_t pc) {
  const Actor self = watcher_->actor(pc);
  Event event{.kind = FindingKind::out_of_bounds,
              .actor = self,
              .other = {},
              .address = address,
              .bytes = barrier_bytes,
              .write = true};
  if (!watcher_->holds_shared(address, barrier_bytes)) stop(event);
  event.kind = FindingKind::misaligned_access;
  if (address % barrier_bytes != 0) stop(event);
  if (const std::uint32_t known = number_at(address); known != none)
    stop(event_at(barriers_[known], FindingKind::race, BulkTrouble::initialized_again, pc));
  barriers_.push_back({.address = address,
                       .arrivals = arrivals,
                       .initializer = self,
                       .initialized = watcher_->time(),
                       .missing = arrivals,
                       .last = self});
}

void BulkBarriers::fence() {
  for (Barrier& barrier : barriers_)
    if (barrier.initializer.thread == watcher_->actor(0).thread) barrier.fenced = true;
}

// The number of a barrier that the running thread, or a copy that it starts, may use.
std::uint32_t BulkBarriers::use(std::uintptr_t address, std::uintptr_t pc, bool by_copy) {
  constexpr FindingKind kind = FindingKind::uninitialized_shared_read;
  constexpr BulkTrouble trouble = BulkTrouble::not_initialized;
  const std::uint32_t number = number_at(address);
  if (number == none) {
    Event event = event_at({.address = address}, kind, trouble, pc);
    event.other.reset();
    stop(event);
  }
  const Barrier& barrier = barriers_[number];
  const bool own = barrier.initializer.thread == watcher_->actor(pc).thread;
  const bool visible = barrier.fenced || (own && !by_copy);
  if (visible && watcher_->is_past(barrier.initializer.thread, barrier.initialized)) return number;
  Event event = event_at(barrier, kind, trouble, pc);
  event.other = barrier.initializer;
  stop(event);
}

void BulkBarriers::expect(std::uintptr_t address, unsigned bytes, std::uintptr_t pc) {
  Barrier& barrier = barriers_[use(address, pc, false)];
  if (barrier.missing == 0)
    stop(event_at(barrier, FindingKind::barrier_divergence, BulkTrouble::one_arrival_too_many, pc));
  barrier.last = watcher_->actor(pc);
  barrier.expected += bytes;
  --barrier.missing;
  // Without copies nothing is late.
  if (barrier.missing == 0 && barrier.expected == 0 && barrier.copied == 0) end_phase(barrier);
}

void BulkBarriers::check(const BulkTransfer& copy) const {
  const std::uintptr_t source = copy.pieces.front().from;
  const bool to = copy.to % copy_unit != 0, from = source % copy_unit != 0;
  Event event{.kind = FindingKind::misaligned_access,
              .actor = watcher_->actor(copy.pc),
              .other = {},
              .address = from && !to ? source : copy.to,
              .bytes = copy.bytes,
              .write = to || !from,
              .bulk = BulkTrouble::misaligned};
  if (to || from || copy.bytes % copy_unit != 0) stop(event);
  event.kind = FindingKind::out_of_bounds;
  event.bulk = BulkTrouble::none;
  if (!watcher_->holds_shared(copy.to, copy.bytes)) stop(event);
}

void BulkBarriers::copy(const BulkTransfer& copy, std::uintptr_t address) {
  const std::uint32_t number = use(address, copy.pc, true);
  check(copy);
  start(copy, number);
}

void BulkBarriers::check(const TensorBox& box) const {
  Event event{.kind = FindingKind::misaligned_access,
              .actor = watcher_->actor(box.pc),
              .other = {},
              .address = box.to,
              .bytes = box.row_bytes(),
              .write = true,
              .bulk = BulkTrouble::box_rows_in_pieces};
  if (box.row_bytes() % copy_unit != 0) stop(event);
  event.detail = box.x;
  event.bulk = BulkTrouble::box_between_units;
  if (box.x % static_cast<int>(copy_unit / sizeof(float)) != 0) stop(event);
  event.bytes = box.bytes();
  event.bulk = BulkTrouble::misaligned_box;
  if (box.to % box_unit != 0) stop(event);
  event.kind = FindingKind::out_of_bounds;
  event.bulk = BulkTrouble::none;
  if (!watcher_->holds_shared(box.to, box.bytes())) stop(event);
}

void BulkBarriers::copy_box(const TensorBox& box, std::uintptr_t address) {
  const std::uint32_t number = use(address, box.pc, true);
  check(box);
  start(box.transfer(), number);
}

void BulkBarriers::start(const BulkTransfer& copy, std::uint32_t number) {
  Barrier& barrier = barriers_[number];
  const std::uint32_t copied = watcher_->begin_bulk_copy(copy, number, barrier.phases);
  barrier.copied += copy.bytes;
  barrier.copies.push_back({copy, copied, watcher_->actor(copy.pc)});
}

BulkBarriers::Wait BulkBarriers::wait_for(std::uintptr_t address, unsigned parity, std::uintptr_t pc) {
  return {use(address, pc, false), parity & 1};
}

bool BulkBarriers::has_ended(Wait wait, std::uint32_t thread) {
  const Barrier& barrier = barriers_[wait.barrier];
  if ((barrier.phases & 1) == wait.parity) return false;
  watcher_->bulk_order().see(wait.barrier, barrier.phases, thread);
  return true;
}

bool BulkBarriers::end(Wait wait) {
  Barrier& barrier = barriers_[wait.barrier];
  if ((barrier.phases & 1) != wait.parity) return true;
  if (barrier.missing != 0 || barrier.expected != barrier.copied) return false;
  end_phase(barrier);
  return true;
}

void BulkBarriers::end_phase(Barrier& barrier) {
  for (const Copy& copy : barrier.copies) watcher_->end_bulk_copy(copy.transfer, copy.number);
  barrier.copies.clear();
  barrier.expected = barrier.copied = 0;
  barrier.missing = barrier.arrivals;
  ++barrier.phases;
}

void BulkBarriers::report_no_end(Wait wait, std::uint32_t thread, std::uintptr_t pc) {
  Event event =
      event_at(barriers_[wait.barrier], FindingKind::barrier_divergence, BulkTrouble::phase_without_end, pc);
  event.actor.thread = thread;
  watcher_->report(event);
}

void BulkBarriers::report_in_flight() {
  for (const Barrier& barrier : barriers_) {
    if (barrier.copies.empty()) continue;
    const Copy& copy = barrier.copies.front();
    Event event = event_at(barrier, FindingKind::barrier_divergence, BulkTrouble::in_flight_at_end, 0);
    event.actor.pc = copy.issuer.pc;
    event.actor.thread = copy.issuer.thread;
    watcher_->report(event);
  }
}

}  // namespace tilewright

#define RETURN_ADDRESS reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

namespace {
std::uintptr_t address_of(const void* place) { return reinterpret_cast<std::uintptr_t>(place); }
}  // namespace

// What kernels/words/bulk_copy.h and tensor_copy.h declare.
extern "C" {
void tilewright_bulk_barrier_init(void* barrier, unsigned arrivals) {
  tilewright::current_scheduler->bulk_barriers().initialize(address_of(barrier), arrivals, RETURN_ADDRESS);
}
void tilewright_bulk_barrier_fence() { tilewright::current_scheduler->bulk_barriers().fence(); }
void tilewright_bulk_barrier_expect(void* barrier, unsigned bytes) {
  tilewright::current_scheduler->bulk_barriers().expect(address_of(barrier), bytes, RETURN_ADDRESS);
}
void tilewright_bulk_barrier_wait(void* barrier, unsigned parity) {
  tilewright::current_scheduler->wait_for_bulk_phase(address_of(barrier), parity, RETURN_ADDRESS);
}
void tilewright_bulk_copy(void* shared, const void* global, unsigned bytes, void* barrier) {
  tilewright::current_scheduler->bulk_barriers().copy({.to = address_of(shared),
                                                       .bytes = bytes,
                                                       .pc = RETURN_ADDRESS,
                                                       .pieces = {{address_of(global), 0, bytes}}},
                                                      address_of(barrier));
}
void tilewright_tensor_copy(void* shared, const void* map, int x, int y, void* barrier) {
  tilewright::current_scheduler->bulk_barriers().copy_box(
      {tilewright::emulated_tensor(map), x, y, address_of(shared), RETURN_ADDRESS}, address_of(barrier));
}
void tilewright_bulk_proxy_fence() {
  if (tilewright::Watcher* watcher = tilewright::current_watcher) watcher->proxy_fence();
}
}
