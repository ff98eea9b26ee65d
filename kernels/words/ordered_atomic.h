// SPDX-License-Identifier: MIT
//
// An atomic that also orders memory, among all blocks of the GPU: what this thread wrote, and what it had waited for at a barrier,
// comes before it (release); what this thread reads, and who waits for it at a barrier, comes after it (acquire). CUDA C++ says the same with
// __threadfence() on both sides of a plain atomic, each of which orders more than is asked for and takes its own time.
// PTX ISA: atom, "Memory Consistency Model", "Release and Acquire Patterns".
//
// Under the emulator it is just that: a fence, the plain atomic, a fence.
#pragma once

namespace tilewright {

// As atomicInc: one more, or zero behind `last`; returns what was there.
__device__ __forceinline__ unsigned atomic_inc_acq_rel(unsigned* address, unsigned last) {
#ifdef TILEWRIGHT_EMULATOR
  __threadfence();
  const unsigned old = atomicInc(address, last);
  __threadfence();
#else
  unsigned old;
  asm volatile("atom.acq_rel.gpu.global.inc.u32 %0, [%1], %2;"
               : "=r"(old)
               : "l"(__cvta_generic_to_global(address)), "r"(last)
               : "memory");
#endif
  return old;
}

}  // namespace tilewright
