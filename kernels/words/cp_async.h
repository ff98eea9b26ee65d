// SPDX-License-Identifier: MIT
//
// cp.async (compute capability 8.0 and later): copies from global to shared memory that go on while the thread computes.
// A thread commits the copies it has started as a group, and waits until at most so many of its groups are still going. Its
// own copies are then there for itself; for other threads a barrier must follow.
// PTX ISA: "Data Movement and Conversion Instructions: cp.async", cp.async.commit_group, cp.async.wait_group.
//
// Under the emulator a copy arrives as late as that allows, when its thread waits for it; until then its place holds NaN,
// and whoever reads it is a finding.
#pragma once

#ifdef TILEWRIGHT_EMULATOR
extern "C" {
void tilewright_cp_async(void* shared, const void* global, unsigned bytes, bool inside);
void tilewright_cp_async_commit();
void tilewright_cp_async_wait(unsigned pending);
}
#endif

namespace tilewright {

// Bytes is 4, 8 or 16, and both addresses are multiples of it. What is not `inside` the matrix arrives as zeros; `global` is
// then not read.
template <int Bytes>
__device__ __forceinline__ void cp_async(float* shared, const float* global, bool inside) {
  static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16, "cp.async copies 4, 8 or 16 bytes");
#ifdef TILEWRIGHT_EMULATOR
  tilewright_cp_async(shared, global, Bytes, inside);
#else
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(shared));
  const int read = inside ? Bytes : 0;
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(to), "l"(global), "n"(Bytes), "r"(read)
               : "memory");
#endif
}

// 16 bytes that no other copy of this multiprocessor will want: they leave no trace in its L1 cache.
__device__ __forceinline__ void cp_async_past_l1(float* shared, const float* global, bool inside) {
#ifdef TILEWRIGHT_EMULATOR
  tilewright_cp_async(shared, global, 16, inside);
#else
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(shared));
  const int read = inside ? 16 : 0;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(global), "r"(read) : "memory");
#endif
}

__device__ __forceinline__ void cp_async_commit() {
#ifdef TILEWRIGHT_EMULATOR
  tilewright_cp_async_commit();
#else
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

// Until at most `Pending` of this thread's groups are still going, the youngest.
template <int Pending>
__device__ __forceinline__ void cp_async_wait() {
#ifdef TILEWRIGHT_EMULATOR
  tilewright_cp_async_wait(Pending);
#else
  asm volatile("cp.async.wait_group %0;" ::"n"(Pending) : "memory");
#endif
}

}  // namespace tilewright
