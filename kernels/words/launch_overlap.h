// SPDX-License-Identifier: MIT
//
// Launches that overlap (compute capability 9.0 and later): a kernel that was launched with the attribute for it may begin while
// the kernel before it in the stream still runs, as soon as all of that one's blocks have begun and said that it may. What it
// does first, up to the wait, then costs no time of its own: the launch, for the most part.
// PTX ISA: griddepcontrol. CUDA C++ Programming Guide: "Programmatic Dependent Launch and Synchronization".
//
// A rung that begins by waiting says so (Rung::overlaps); the device then launches it with the attribute. Elsewhere the words do
// nothing, for there the kernel before has ended. When to let the next one begin is the rung's affair (docs/decisions/0018).
//
// Under the emulator a thread that touches global memory before it has waited is a finding: what it would read or overwrite is the
// kernel's before.
#pragma once

#ifdef TILEWRIGHT_EMULATOR
extern "C" void tilewright_wait_for_launch_before();
#endif

namespace tilewright {

// Until the launch before has ended and what it wrote is there. To be called by every thread, before it touches global memory.
__device__ __forceinline__ void wait_for_launch_before() {
#ifdef TILEWRIGHT_EMULATOR
  tilewright_wait_for_launch_before();
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

// The next launch may begin when all blocks have said this, or have ended.
__device__ __forceinline__ void let_next_launch_begin() {
#if !defined(TILEWRIGHT_EMULATOR) && defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

}  // namespace tilewright
