// SPDX-License-Identifier: MIT
//
// CUDA's words that a single thread says: the atomics, the fence and the clocks. Atomic among the blocks that run beside each
// other, too.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <ctime>
#include <mutex>

#include "emulator/watch/watcher.h"

#define RETURN_ADDRESS reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

namespace {

// Puts change(old) in the place of old, and gives old back.
template <class T, class Change>
T update(T* address, std::uintptr_t pc, Change change) {
  std::unique_lock<std::mutex> hold;
  if (tilewright::Watcher* watcher = tilewright::current_watcher)
    hold = watcher->atomic_access(reinterpret_cast<std::uintptr_t>(address), sizeof(T), pc);
  const std::atomic_ref<T> place(*address);
  T old = place.load(std::memory_order_relaxed);
  while (!place.compare_exchange_weak(old, change(old), std::memory_order_relaxed)) {
  }
  return old;
}

}  // namespace

#define TILEWRIGHT_ATOMIC(name, T, changed)                                                      \
  T name(T* address, T value) {                                                                  \
    return update(address, RETURN_ADDRESS, [value]([[maybe_unused]] T old) { return changed; }); \
  }

TILEWRIGHT_ATOMIC(atomicAdd, int, static_cast<int>(static_cast<unsigned>(old) + static_cast<unsigned>(value)))
TILEWRIGHT_ATOMIC(atomicAdd, unsigned, old + value)
TILEWRIGHT_ATOMIC(atomicAdd, unsigned long long, old + value)
TILEWRIGHT_ATOMIC(atomicAdd, float, old + value)
TILEWRIGHT_ATOMIC(atomicAdd, double, old + value)
TILEWRIGHT_ATOMIC(atomicSub, int, static_cast<int>(static_cast<unsigned>(old) - static_cast<unsigned>(value)))
TILEWRIGHT_ATOMIC(atomicSub, unsigned, old - value)
TILEWRIGHT_ATOMIC(atomicExch, float, value)
TILEWRIGHT_ATOMIC(atomicInc, unsigned, old >= value ? 0 : old + 1)
TILEWRIGHT_ATOMIC(atomicDec, unsigned, old == 0 || old > value ? value : old - 1)

#define TILEWRIGHT_INTEGER_ATOMICS(T)                                                            \
  TILEWRIGHT_ATOMIC(atomicExch, T, value)                                                        \
  TILEWRIGHT_ATOMIC(atomicMin, T, std::min(old, value))                                          \
  TILEWRIGHT_ATOMIC(atomicMax, T, std::max(old, value))                                          \
  TILEWRIGHT_ATOMIC(atomicAnd, T, old& value)                                                    \
  TILEWRIGHT_ATOMIC(atomicOr, T, old | value)                                                    \
  TILEWRIGHT_ATOMIC(atomicXor, T, old ^ value)                                                   \
  T atomicCAS(T* address, T compare, T value) {                                                  \
    return update(address, RETURN_ADDRESS, [=](T old) { return old == compare ? value : old; }); \
  }

TILEWRIGHT_INTEGER_ATOMICS(int)
TILEWRIGHT_INTEGER_ATOMICS(unsigned)
TILEWRIGHT_INTEGER_ATOMICS(unsigned long long)

extern "C" void __threadfence() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (tilewright::Watcher* watcher = tilewright::current_watcher) watcher->fence();
}

// What kernels/words/launch_overlap.h declares.
extern "C" void tilewright_wait_for_launch_before() {
  if (tilewright::Watcher* watcher = tilewright::current_watcher) watcher->launch_before_has_ended();
}

// Grow with each question and measure nothing: a run is the same whenever it is made.
extern "C" long long clock64() {
  thread_local long long ticks = 0;
  return ++ticks;
}
extern "C" clock_t tilewright_clock() { return static_cast<clock_t>(clock64()); }
