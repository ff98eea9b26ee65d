// SPDX-License-Identifier: MIT
//
// Bulk asynchronous copies (compute capability 9.0 and later): one thread has many neighbouring bytes copied from global to
// shared memory, by no thread's registers and no thread's instructions. A barrier in shared memory, an mbarrier, counts what
// has arrived. It goes through phases: one ends when all its arrivals have come and as many bytes as they expected.
// PTX ISA: cp.async.bulk, mbarrier, "Async Proxy", fence.proxy.async.
//
// The parity of a barrier's first phase is 0, then it alternates. Waiting for the parity of a phase that has ended goes on
// at once, so parity 1 of a barrier nobody has used yet does not wait.
//
// What needs a fence:
// - A barrier's initialisation: bulk_barrier_fence() by the thread that did it, then __syncthreads(). A copy uses its barrier
//   as threads do (through the generic proxy); PTX says so from 9.3 on. Earlier versions left it open, so both fences that
//   were ever asked for are here; they come once a block.
// - Ordinary stores to a place and then a copy to it: the copy writes through another proxy, so bulk_proxy_fence() must stand
//   between, after the stores in their thread, or after the barrier that orders them in the thread that starts the copy.
// - Ordinary reads of a place and then a copy to it: __syncthreads() between. PTX's words, taken literally, ask for the
//   proxy fence here too; pipelines in wide use do without, since a read that has given its value cannot be overtaken. One
//   that has not, can: a value asked for before the barrier and used only after it may be the copy's (docs/decisions/0014).
// - A copy and then ordinary reads: the wait. The end of a copy brings its own proxy fence.
//
// Under the emulator a phase ends as late as possible: when someone waits for it and nobody else can go on. Until then the
// place of a copy holds NaN. Who touches it without having waited is a finding, and so is a phase that cannot end
// (docs/decisions/0014).
#pragma once

#include <cstdint>

#ifdef TILEWRIGHT_EMULATOR
extern "C" {
void tilewright_bulk_barrier_init(void* barrier, unsigned arrivals);
void tilewright_bulk_barrier_fence();
void tilewright_bulk_barrier_expect(void* barrier, unsigned bytes);
void tilewright_bulk_barrier_wait(void* barrier, unsigned parity);
void tilewright_bulk_copy(void* shared, const void* global, unsigned bytes, void* barrier);
void tilewright_bulk_proxy_fence();
}
// PTX for older GPUs, which a program may also hold, has no such copies: a kernel that comes here on one is stopped.
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
#define TILEWRIGHT_NO_BULK_COPY
#endif

namespace tilewright {

// In shared memory.
struct alignas(8) BulkBarrier {
  std::uint64_t state;
};

#if !defined(TILEWRIGHT_EMULATOR) && !defined(TILEWRIGHT_NO_BULK_COPY)
__device__ __forceinline__ unsigned shared_address(const void* shared) {
  return static_cast<unsigned>(__cvta_generic_to_shared(shared));
}
#endif

// Once a barrier, by one thread: each phase needs `arrivals` calls of bulk_barrier_expect.
__device__ __forceinline__ void bulk_barrier_init(BulkBarrier* barrier, unsigned arrivals) {
#ifdef TILEWRIGHT_EMULATOR
  tilewright_bulk_barrier_init(barrier, arrivals);
#elif defined(TILEWRIGHT_NO_BULK_COPY)
  __trap();
#else
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(arrivals)
               : "memory");
#endif
}

// By the thread that has initialised barriers, before the __syncthreads after which others and copies use them.
__device__ __forceinline__ void bulk_barrier_fence() {
#ifdef TILEWRIGHT_EMULATOR
  tilewright_bulk_barrier_fence();
#elif defined(TILEWRIGHT_NO_BULK_COPY)
  __trap();
#else
  asm volatile(
      "fence.mbarrier_init.release.cluster;\n\t"
      "fence.proxy.async.shared::cta;" ::
          : "memory");
#endif
}

// One arrival, after which `bytes` more must come before the phase can end.
__device__ __forceinline__ void bulk_barrier_expect(BulkBarrier* barrier, unsigned bytes) {
#ifdef TILEWRIGHT_EMULATOR
  tilewright_bulk_barrier_expect(barrier, bytes);
#elif defined(TILEWRIGHT_NO_BULK_COPY)
  __trap();
#else
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
               "r"(bytes)
               : "memory");
#endif
}

// Both addresses and `bytes` are multiples of 16. The bytes count in the phase that the barrier is in.
__device__ __forceinline__ void bulk_copy(float* shared, const float* global, unsigned bytes,
                                          BulkBarrier* barrier) {
#ifdef TILEWRIGHT_EMULATOR
  tilewright_bulk_copy(shared, global, bytes, barrier);
#elif defined(TILEWRIGHT_NO_BULK_COPY)
  __trap();
#else
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
          shared_address(shared)),
      "l"(global), "r"(bytes), "r"(shared_address(barrier))
      : "memory");
#endif
}

// Until the phase of this parity has ended. What its copies have brought is then there for this thread.
__device__ __forceinline__ void bulk_barrier_wait(BulkBarrier* barrier, unsigned parity) {
#ifdef TILEWRIGHT_EMULATOR
  tilewright_bulk_barrier_wait(barrier, parity);
#elif defined(TILEWRIGHT_NO_BULK_COPY)
  __trap();
#else
  unsigned ended;
  do {  // the hardware may give up a try after a while
    asm volatile(
        "{\n\t"
        ".reg .pred ended;\n\t"
        "mbarrier.try_wait.parity.shared::cta.b64 ended, [%1], %2;\n\t"
        "selp.u32 %0, 1, 0, ended;\n\t"
        "}"
        : "=r"(ended)
        : "r"(shared_address(barrier)), "r"(parity)
        : "memory");
  } while (ended == 0);
#endif
}

// Between ordinary stores to shared memory and a copy to the same place.
__device__ __forceinline__ void bulk_proxy_fence() {
#ifdef TILEWRIGHT_EMULATOR
  tilewright_bulk_proxy_fence();
#elif defined(TILEWRIGHT_NO_BULK_COPY)
  __trap();
#else
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
}

}  // namespace tilewright
