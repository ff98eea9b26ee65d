// SPDX-License-Identifier: MIT
//
// CUDA's words that a single thread says: atomicAdd and clock64. Atomic among the blocks that run beside each
// other, too.
#include <atomic>
#include <cstdint>

#include "emulator/watch/watcher.h"

namespace {

template <class T>
T add(T* address, T value, std::uintptr_t pc) {
  if (tilewright::Watcher* watcher = tilewright::current_watcher)
    watcher->atomic_access(reinterpret_cast<std::uintptr_t>(address), sizeof(T), pc);
  return std::atomic_ref<T>(*address).fetch_add(value, std::memory_order_relaxed);
}

}  // namespace

#define TILEWRIGHT_ATOMIC_ADD(T)                                                               \
  T atomicAdd(T* address, T value) {                                                           \
    return add(address, value, reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))); \
  }

TILEWRIGHT_ATOMIC_ADD(int)
TILEWRIGHT_ATOMIC_ADD(unsigned)
TILEWRIGHT_ATOMIC_ADD(unsigned long long)
TILEWRIGHT_ATOMIC_ADD(float)
TILEWRIGHT_ATOMIC_ADD(double)

// Grows with each question and measures nothing: a run is the same whenever it is made.
extern "C" long long clock64() {
  thread_local long long ticks = 0;
  return ++ticks;
}
