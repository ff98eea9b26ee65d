// SPDX-License-Identifier: MIT
//
// Runs one block of CUDA threads on one OS thread: a fiber each, in the order that was asked for, from
// barrier to barrier. It notices when threads of a block do not all come to the same barrier. The fibers are
// kept from block to block; a thread that must not go on leaves its kernel by longjmp and its fiber is used
// again.
#pragma once

#include <boost/context/fiber.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>
#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <memory>
#include <vector>

#include "emulator/run/async_copies.h"
#include "emulator/run/block_cluster.h"
#include "emulator/run/bulk_barriers.h"
#include "emulator/watch/watcher.h"
#include "kernels/rung.h"
#include "kernels/tensor_map.h"

namespace tilewright {

enum class Order { forward, reversed, shuffled };

// 0 … count−1 in the order asked for; `salt` makes each shuffle of one seed another one.
void put_in_order(std::vector<std::uint32_t>& items, Order order, std::uint64_t seed, std::uint64_t salt);

struct Extent3 {
  unsigned x = 1, y = 1, z = 1;
  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};

struct KernelArguments {
  const float* A;
  const float* B;
  float* C;
  int M, N, K;
  float* scratch = nullptr;
  TensorMap of_a{}, of_b{};
};

// What is launched: of one of the signatures.
struct KernelEntry {
  KernelF32* plain = nullptr;
  KernelF32Scratch* with_scratch = nullptr;
  KernelF32Tensors* with_tensors = nullptr;

  void operator()(const KernelArguments& a) const {
    if (with_tensors != nullptr)
      with_tensors(a.of_a, a.of_b, a.C, a.M, a.N, a.K, a.scratch);
    else if (with_scratch != nullptr)
      with_scratch(a.A, a.B, a.C, a.M, a.N, a.K, a.scratch);
    else
      plain(a.A, a.B, a.C, a.M, a.N, a.K);
  }
  std::uintptr_t address() const {
    if (with_tensors != nullptr) return reinterpret_cast<std::uintptr_t>(with_tensors);
    return with_scratch != nullptr ? reinterpret_cast<std::uintptr_t>(with_scratch)
                                   : reinterpret_cast<std::uintptr_t>(plain);
  }
};

struct BlockTask {
  KernelEntry kernel;
  KernelArguments arguments;
  Extent3 grid, block;
  Order thread_order;
  std::uint64_t seed;
};

// What a thread brings to a warp word.
enum class WarpWord { sync, shuffle, vote };
struct WarpMeeting {
  WarpWord word;
  std::uint32_t mask;
  std::uint64_t value;   // for the others
  std::uint32_t source;  // the lane whose value a shuffle takes away
};

class ThreadScheduler {
 public:
  ThreadScheduler() = default;
  ~ThreadScheduler() = default;
  ThreadScheduler(const ThreadScheduler&) = delete;
  ThreadScheduler& operator=(const ThreadScheduler&) = delete;

  // Runs block number `block` (linear, x fastest) of the grid to its end; it is the rank-th of the launch. Where it has
  // neighbours, it is its turn, and it says itself when it waits for them.
  void run_block(const BlockTask& task, std::uint64_t block, std::uint64_t rank, Watcher& watcher,
                 const ClusterSeat& seat = {});

  // What the running kernel sees.
  Extent3 thread_index() const { return thread_index_; }
  Extent3 block_index() const { return block_index_; }
  const BlockTask& task() const { return *task_; }
  std::uint32_t running_thread() const { return running_thread_; }
  void wait_at_barrier(std::uintptr_t pc);
  // The cluster's barrier is one of the block, too, at which the block then waits for the others.
  void wait_for_cluster(std::uintptr_t pc) {
    waits_for_cluster_ = true;
    wait_at_barrier(pc);
  }
  std::uintptr_t shared_of_neighbour(std::uintptr_t address, std::size_t rank) const;
  // Waits for the lanes of the mask; returns the value of the source lane or, of a vote, the lanes that
  // brought one that is not zero.
  std::uint64_t meet_at_warp_word(const WarpMeeting& meeting, std::uintptr_t pc);
  // The running thread's cp.async copies.
  void start_async_copy(const AsyncCopy& copy) { async_copies_.start(running_thread_, copy, *watcher_); }
  void commit_async_copies() { async_copies_.commit(running_thread_); }
  void wait_for_async_copies(unsigned pending) { async_copies_.wait(running_thread_, pending, *watcher_); }
  BulkBarriers& bulk_barriers() { return bulk_barriers_; }
  void wait_for_bulk_phase(std::uintptr_t barrier, unsigned parity, std::uintptr_t pc);
  [[noreturn]] void fault(int signal, std::uintptr_t pc);
  bool running() const { return running_ != nullptr; }

 private:
  enum class State { ready, at_barrier, at_warp_word, at_bulk_barrier, finished };
  struct Fiber {
    boost::context::stack_context stack{};
    boost::context::fiber context, caller;
    std::jmp_buf way_out{};
    State state = State::finished;
    bool in_kernel = false;         // also while another fiber runs
    std::uintptr_t barrier_pc = 0;  // of a warp word and of a bulk barrier too
    WarpMeeting meeting{};
    BulkBarriers::Wait bulk_wait{};
    std::uint64_t received = 0;
    ~Fiber();
  };

  void grow(std::size_t threads);
  void resume(std::uint32_t thread);
  void run_until_barrier();
  void release_waiting();
  bool anyone_waits();
  void check_barrier();
  template <class Test>
  std::uint32_t lanes_of(std::uint32_t first, Test test) const;
  std::uint32_t lanes_at(std::uint32_t first, const Fiber& fiber) const;
  bool release_warps();
  bool release_warp(std::uint32_t first, bool forced);
  void release_lanes(std::uint32_t first, std::uint32_t met);
  void report_warp_divergence(std::uint32_t first, std::uint32_t lane, std::uint32_t named,
                              std::uint32_t met);
  void report_value_of_nobody(std::uint32_t thread, std::uint32_t left);
  bool release_bulk_waits();
  void check_bulk_waits();
  void live(Fiber& self);
  void yield(Fiber& self) { self.caller = std::move(self.caller).resume(); }

  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::vector<std::uint32_t> order_;
  const BlockTask* task_ = nullptr;
  Watcher* watcher_ = nullptr;
  Fiber* running_ = nullptr;
  std::uint32_t running_thread_ = 0;
  AsyncCopies async_copies_;
  BulkBarriers bulk_barriers_;
  std::size_t at_warp_words_ = 0;     // threads that wait there
  std::size_t at_bulk_barriers_ = 0;  // threads that wait there
  Extent3 thread_index_, block_index_;
  bool leaving_ = false;  // the block is abandoned: who wakes up leaves
  ClusterSeat seat_;
  bool waits_for_cluster_ = false;
};

// The scheduler of the block this OS thread is running, or null.
extern thread_local ThreadScheduler* current_scheduler;

// Ends the running CUDA thread as faulted, with the signal that says how.
[[noreturn]] void fault_running_thread(int signal, std::uintptr_t pc);

// While it lives, a trap in a kernel (a null pointer, a division by zero, a stack overflow) on this OS thread
// ends the CUDA thread that did it, as a finding, instead of the process.
class FaultGuard {
 public:
  FaultGuard();
  ~FaultGuard();
  FaultGuard(const FaultGuard&) = delete;
  FaultGuard& operator=(const FaultGuard&) = delete;

 private:
  std::unique_ptr<std::byte[]> stack_;
  stack_t previous_{};
};

}  // namespace tilewright
