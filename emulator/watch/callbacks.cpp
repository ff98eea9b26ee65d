// SPDX-License-Identifier: MIT
//
// The functions that a kernel compiled with -fsanitize=thread calls for each memory access. The sanitizer's
// own runtime is not linked: these stand in its place and hand address and return address to the current
// watcher.
#include <cassert>
#include <cstdint>
#include <cstring>

#include "emulator/run/thread_scheduler.h"
#include "emulator/watch/watcher.h"

#define RETURN_ADDRESS reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

namespace {

template <unsigned Bytes, bool Write>
inline void watch(const void* address, std::uintptr_t pc) {
  if (tilewright::Watcher* watcher = tilewright::current_watcher)
    watcher->access<Bytes, Write>(reinterpret_cast<std::uintptr_t>(address), pc);
}

inline void watch_range(const void* address, std::size_t bytes, bool write, std::uintptr_t pc) {
  if (tilewright::Watcher* watcher = tilewright::current_watcher)
    watcher->access_range(reinterpret_cast<std::uintptr_t>(address), bytes, write, pc);
}

}  // namespace

extern "C" {

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}

void __tsan_read1(void* p) { watch<1, false>(p, RETURN_ADDRESS); }
void __tsan_read2(void* p) { watch<2, false>(p, RETURN_ADDRESS); }
void __tsan_read4(void* p) { watch<4, false>(p, RETURN_ADDRESS); }
void __tsan_read8(void* p) { watch<8, false>(p, RETURN_ADDRESS); }
void __tsan_read16(void* p) { watch<16, false>(p, RETURN_ADDRESS); }
void __tsan_write1(void* p) { watch<1, true>(p, RETURN_ADDRESS); }
void __tsan_write2(void* p) { watch<2, true>(p, RETURN_ADDRESS); }
void __tsan_write4(void* p) { watch<4, true>(p, RETURN_ADDRESS); }
void __tsan_write8(void* p) { watch<8, true>(p, RETURN_ADDRESS); }
void __tsan_write16(void* p) { watch<16, true>(p, RETURN_ADDRESS); }
void __tsan_unaligned_read2(void* p) { watch<2, false>(p, RETURN_ADDRESS); }
void __tsan_unaligned_read4(void* p) { watch<4, false>(p, RETURN_ADDRESS); }
void __tsan_unaligned_read8(void* p) { watch<8, false>(p, RETURN_ADDRESS); }
void __tsan_unaligned_read16(void* p) { watch<16, false>(p, RETURN_ADDRESS); }
void __tsan_unaligned_write2(void* p) { watch<2, true>(p, RETURN_ADDRESS); }
void __tsan_unaligned_write4(void* p) { watch<4, true>(p, RETURN_ADDRESS); }
void __tsan_unaligned_write8(void* p) { watch<8, true>(p, RETURN_ADDRESS); }
void __tsan_unaligned_write16(void* p) { watch<16, true>(p, RETURN_ADDRESS); }
void __tsan_read_range(void* p, std::size_t bytes) { watch_range(p, bytes, false, RETURN_ADDRESS); }
void __tsan_write_range(void* p, std::size_t bytes) { watch_range(p, bytes, true, RETURN_ADDRESS); }
void __tsan_vptr_read(void**) {}
void __tsan_vptr_update(void**, void*) {}

// Once per basic block (-fsanitize-coverage=trace-pc), so that a loop without any access can be stopped as
// well.
void __sanitizer_cov_trace_pc() {
  if (tilewright::Watcher* watcher = tilewright::current_watcher) watcher->step(RETURN_ADDRESS);
}

// The module is linked with --wrap for these: the C library's own are not instrumented.
void* __wrap_memcpy(void* to, const void* from, std::size_t bytes) {
  watch_range(from, bytes, false, RETURN_ADDRESS);
  watch_range(to, bytes, true, RETURN_ADDRESS);
  return std::memmove(to, from, bytes);
}
void* __wrap_memmove(void* to, const void* from, std::size_t bytes) {
  watch_range(from, bytes, false, RETURN_ADDRESS);
  watch_range(to, bytes, true, RETURN_ADDRESS);
  return std::memmove(to, from, bytes);
}
void* __wrap_memset(void* to, int value, std::size_t bytes) {
  watch_range(to, bytes, true, RETURN_ADDRESS);
  return std::memset(to, value, bytes);
}
[[noreturn]] void __wrap___assert_fail(const char* claim, const char* file, unsigned line,
                                       const char* function) {
  if (tilewright::current_watcher != nullptr) tilewright::fault_running_thread(SIGABRT, RETURN_ADDRESS);
  __assert_fail(claim, file, line, function);
}

}  // extern "C"
