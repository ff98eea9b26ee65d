// SPDX-License-Identifier: MIT
#include "emulator/run/thread_scheduler.h"

#include <ucontext.h>

#include <algorithm>
#include <mutex>
#include <numeric>
#include <random>
#include <utility>

namespace tilewright {

thread_local ThreadScheduler* current_scheduler = nullptr;

namespace {

constexpr std::size_t stack_bytes = 128UL << 10;  // address space: a fiber touches a few pages of it
constexpr std::size_t fault_stack_bytes = 64UL << 10;

Extent3 index_in(Extent3 extent, std::uint64_t linear) {
  return {static_cast<unsigned>(linear % extent.x), static_cast<unsigned>(linear / extent.x % extent.y),
          static_cast<unsigned>(linear / extent.x / extent.y)};
}

boost::context::protected_fixedsize_stack& stacks() {
  static boost::context::protected_fixedsize_stack allocator(stack_bytes);
  return allocator;
}

// What fiber does with its stack when it is done with it: nothing, since Fiber owns it.
struct BorrowedStack {
  boost::context::stack_context stack;
  boost::context::stack_context allocate() { return stack; }
  void deallocate(boost::context::stack_context&) {}
};

}  // namespace

void put_in_order(std::vector<std::uint32_t>& items, Order order, std::uint64_t seed, std::uint64_t salt) {
  std::iota(items.begin(), items.end(), 0U);
  if (order == Order::reversed) std::reverse(items.begin(), items.end());
  if (order != Order::shuffled) return;
  std::minstd_rand generator(
      static_cast<std::uint_fast32_t>(seed * 0x9E3779B97F4A7C15ULL + salt * 0xD1B54A32D192ED03ULL));
  // Fisher–Yates by hand: std::shuffle's order differs between standard libraries.
  for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[generator() % i]);
}

ThreadScheduler::Fiber::~Fiber() {
  context = {};  // unwinds the suspended fiber before its stack goes
  if (stack.sp != nullptr) stacks().deallocate(stack);
}

void ThreadScheduler::grow(std::size_t threads) {
  while (fibers_.size() < threads) {
    auto fiber = std::make_unique<Fiber>();
    fiber->stack = stacks().allocate();
    fiber->context = boost::context::fiber(
        std::allocator_arg, boost::context::preallocated(fiber->stack.sp, fiber->stack.size, fiber->stack),
        BorrowedStack{fiber->stack}, [this, self = fiber.get()](boost::context::fiber&& caller) {
          self->caller = std::move(caller);
          live(*self);
          return std::move(self->caller);
        });
    fibers_.push_back(std::move(fiber));
  }
}

// A fiber's whole life: one CUDA thread after another. Ends only by boost's unwinding when the fiber is
// destroyed.
void ThreadScheduler::live(Fiber& self) {
  while (true) {
    if (setjmp(self.way_out) == 0) {
      self.in_kernel = true;
      task_->kernel(task_->arguments);
    }
    self.in_kernel = false;
    self.state = State::finished;
    yield(self);
  }
}

void ThreadScheduler::resume(std::uint32_t thread) {
  Fiber& fiber = *fibers_[thread];
  thread_index_ = index_in(task_->block, thread);
  const auto top = reinterpret_cast<std::uintptr_t>(fiber.stack.sp);
  watcher_->run_thread(thread, {top - fiber.stack.size, fiber.stack.size}, &fiber.way_out);
  running_ = &fiber;
  running_thread_ = thread;
  fiber.context = std::move(fiber.context).resume();
  running_ = nullptr;
}

void ThreadScheduler::run_block(const BlockTask& task, std::uint64_t block, std::uint64_t rank,
                                Watcher& watcher, const ClusterSeat& seat) {
  task_ = &task;
  seat_ = seat;
  watcher_ = &watcher;
  leaving_ = waits_for_cluster_ = false;
  at_warp_words_ = at_bulk_barriers_ = 0;
  async_copies_.begin_block();
  bulk_barriers_.begin_block(watcher);
  block_index_ = index_in(task.grid, block);
  const std::size_t threads = task.block.count();
  grow(threads);
  order_.resize(threads);
  for (std::size_t i = 0; i < threads; ++i) fibers_[i]->state = State::ready;

  current_scheduler = this;
  current_watcher = &watcher;
  watcher.begin_block(block, rank);
  std::uint64_t epoch = 0;
  do {
    watcher.begin_epoch();
    put_in_order(order_, task.thread_order, task.seed, block * 1000003 + epoch++);
    run_until_barrier();
    watcher.end_epoch();
    if (watcher.block_abandoned()) release_waiting();
    check_barrier();
    if (std::exchange(waits_for_cluster_, false) && seat_.cluster != nullptr && anyone_waits())
      seat_.cluster->wait_for_all(seat_.rank);
  } while (anyone_waits());
  if (!watcher.block_abandoned()) bulk_barriers_.report_in_flight();
  current_watcher = nullptr;
  current_scheduler = nullptr;
}

void ThreadScheduler::run_until_barrier() {
  for (std::size_t i = 0; i < order_.size(); ++i)
    if (fibers_[i]->state == State::at_barrier) fibers_[i]->state = State::ready;
  do {
    for (const std::uint32_t thread : order_) {
      if (fibers_[thread]->state != State::ready) continue;
      resume(thread);
      if (watcher_->block_abandoned()) return;
    }
  } while (release_bulk_waits() || release_warps());
  check_bulk_waits();
}

void ThreadScheduler::release_waiting() {
  leaving_ = true;
  for (std::uint32_t thread = 0; thread < order_.size(); ++thread)
    if (fibers_[thread]->in_kernel) resume(thread);
  for (std::size_t thread = 0; thread < order_.size(); ++thread) fibers_[thread]->state = State::finished;
}

bool ThreadScheduler::anyone_waits() {
  return std::any_of(order_.begin(), order_.end(),
                     [&](std::uint32_t thread) { return fibers_[thread]->state == State::at_barrier; });
}

// Every thread has run as far as it can. Hardware lets a block go on when its remaining threads wait at any
// barrier, so the emulator does too, after saying so: some have left the kernel, or wait elsewhere.
void ThreadScheduler::check_barrier() {
  constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::size_t waiting = none;
  for (std::size_t i = 0; i < order_.size() && waiting == none; ++i)
    if (fibers_[i]->state == State::at_barrier) waiting = i;
  if (waiting == none) return;
  const Fiber& first = *fibers_[waiting];
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const Fiber& fiber = *fibers_[i];
    const bool elsewhere = fiber.state == State::at_barrier && fiber.barrier_pc != first.barrier_pc;
    if (fiber.state != State::finished && !elsewhere) continue;
    Event event{
        .kind = FindingKind::barrier_divergence, .actor = watcher_->actor(first.barrier_pc), .other = {}};
    event.actor.thread = static_cast<std::uint32_t>(waiting);
    event.other = Actor{event.actor.block, static_cast<std::uint32_t>(i), elsewhere ? fiber.barrier_pc : 0};
    watcher_->report(event);
    return;
  }
}

void ThreadScheduler::wait_at_barrier(std::uintptr_t pc) {
  Fiber& self = *running_;
  self.state = State::at_barrier;
  self.barrier_pc = pc;
  yield(self);
  if (leaving_) std::longjmp(self.way_out, 1);
}

std::uintptr_t ThreadScheduler::shared_of_neighbour(std::uintptr_t address, std::size_t rank) const {
  if (seat_.cluster != nullptr) return seat_.cluster->memory().in_block(rank, address, *watcher_);
  return rank == 0 ? address : 0;
}

// Also when the phase could end at once: so the copies are as late as they may be, and the lanes of a warp go on together.
void ThreadScheduler::wait_for_bulk_phase(std::uintptr_t barrier, unsigned parity, std::uintptr_t pc) {
  Fiber& self = *running_;
  self.bulk_wait = bulk_barriers_.wait_for(barrier, parity, pc);
  if (bulk_barriers_.has_ended(self.bulk_wait, running_thread_)) return;
  self.state = State::at_bulk_barrier;
  self.barrier_pc = pc;
  ++at_bulk_barriers_;
  yield(self);
  if (leaving_) std::longjmp(self.way_out, 1);
}

// Everyone has run as far as they can. Ends the phases that can end and lets go on who waits for them.
bool ThreadScheduler::release_bulk_waits() {
  if (at_bulk_barriers_ == 0) return false;
  watcher_->begin_warp_epoch();
  bool released = false;
  for (std::uint32_t thread = 0; thread < order_.size(); ++thread) {
    Fiber& fiber = *fibers_[thread];
    if (fiber.state != State::at_bulk_barrier || !bulk_barriers_.end(fiber.bulk_wait)) continue;
    bulk_barriers_.has_ended(fiber.bulk_wait, thread);
    fiber.state = State::ready;
    --at_bulk_barriers_;
    released = true;
  }
  return released;
}

// Who still waits for a phase, when nobody else can go on, waits for ever.
void ThreadScheduler::check_bulk_waits() {
  for (std::uint32_t thread = 0; thread < order_.size() && at_bulk_barriers_ != 0; ++thread) {
    const Fiber& fiber = *fibers_[thread];
    if (fiber.state != State::at_bulk_barrier) continue;
    bulk_barriers_.report_no_end(fiber.bulk_wait, thread, fiber.barrier_pc);
    return watcher_->give_up();
  }
}

void ThreadScheduler::fault(int signal, std::uintptr_t pc) {
  watcher_->report({.kind = FindingKind::fault, .actor = watcher_->actor(pc), .other = {}, .detail = signal});
  watcher_->abandon();
}

void fault_running_thread(int signal, std::uintptr_t pc) { current_scheduler->fault(signal, pc); }

namespace {

constexpr int trapped_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
struct sigaction previous_actions[std::size(trapped_signals)];
std::mutex guard_lock;
int guards = 0;

void on_trap(int signal, siginfo_t*, void* context) {
  if (current_scheduler != nullptr && current_scheduler->running()) {
    const auto pc =
        static_cast<std::uintptr_t>(static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
    current_scheduler->fault(signal, pc + 1);  // as if it were a return address
  }
  std::signal(signal, SIG_DFL);  // not a kernel's trap: let it happen again and end the process
}

}  // namespace

FaultGuard::FaultGuard() : stack_(std::make_unique<std::byte[]>(fault_stack_bytes)) {
  // The trap may be an overflow of the fiber's stack, so the handler needs one of its own.
  const stack_t own{.ss_sp = stack_.get(), .ss_flags = 0, .ss_size = fault_stack_bytes};
  sigaltstack(&own, &previous_);
  const std::lock_guard hold(guard_lock);
  if (guards++ > 0) return;
  struct sigaction action {};
  action.sa_sigaction = on_trap;
  action.sa_flags =
      SA_SIGINFO | SA_ONSTACK | SA_NODEFER;  // left by longjmp, so the signal must stay deliverable
  for (std::size_t i = 0; i < std::size(trapped_signals); ++i)
    sigaction(trapped_signals[i], &action, &previous_actions[i]);
}

FaultGuard::~FaultGuard() {
  sigaltstack(&previous_, nullptr);
  const std::lock_guard hold(guard_lock);
  if (--guards > 0) return;
  for (std::size_t i = 0; i < std::size(trapped_signals); ++i)
    sigaction(trapped_signals[i], &previous_actions[i], nullptr);
}

}  // namespace tilewright

// What the prelude declares.
struct uint3 {
  unsigned x, y, z;
};

namespace {
uint3 as_uint3(tilewright::Extent3 extent) { return {extent.x, extent.y, extent.z}; }
}  // namespace

extern "C" {
uint3 tilewright_thread_index() { return as_uint3(tilewright::current_scheduler->thread_index()); }
uint3 tilewright_block_index() { return as_uint3(tilewright::current_scheduler->block_index()); }
uint3 tilewright_block_extent() { return as_uint3(tilewright::current_scheduler->task().block); }
uint3 tilewright_grid_extent() { return as_uint3(tilewright::current_scheduler->task().grid); }
void __syncthreads() {
  tilewright::current_scheduler->wait_at_barrier(
      reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
}
}
