// SPDX-License-Identifier: MIT
//
// Clusters of blocks (compute capability 9.0 and later): so many neighbours along x of the grid run at the same time, wait for each
// other and read each other's shared memory. A rung says how many (Rung::cluster); the device launches it so.
// PTX ISA: barrier.cluster, mapa, "Cooperative Thread Arrays and Clusters". CUDA C++ Programming Guide: "Thread Block Clusters",
// "Distributed Shared Memory".
//
// A block reads of another what that one wrote before the cluster's last barrier, and nobody overwrites it before the next
// one. A block whose shared memory others read must not leave before they have read it: so another barrier follows.
//
// Under the emulator the blocks of a cluster run one after the other from barrier to barrier. Who reads of another block what nobody
// has written, what was written since the last barrier, or what may be gone when it is read, is a finding (docs/decisions/0021).
#pragma once

#ifdef TILEWRIGHT_EMULATOR
extern "C" {
void tilewright_wait_for_cluster();
const void* tilewright_shared_of_neighbour(const void* shared, unsigned rank);
}
// PTX for older GPUs, which a program may also hold, has no clusters: a kernel that comes here on one is stopped.
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
#define TILEWRIGHT_NO_CLUSTER
#endif

namespace tilewright {

// Until all threads of all blocks of the cluster have come here or have left. To be called by every thread.
__device__ __forceinline__ void wait_for_cluster() {
#ifdef TILEWRIGHT_EMULATOR
  tilewright_wait_for_cluster();
#elif defined(TILEWRIGHT_NO_CLUSTER)
  __trap();
#else
  asm volatile(
      "barrier.cluster.arrive.release.aligned;\n\t"
      "barrier.cluster.wait.acquire.aligned;" ::
          : "memory");
#endif
}

// What lies in block `rank` of the cluster where this lies in the own one's shared memory: to read.
template <class T>
__device__ __forceinline__ const T* shared_of_neighbour(const T* shared, int rank) {
#ifdef TILEWRIGHT_EMULATOR
  return static_cast<const T*>(tilewright_shared_of_neighbour(shared, static_cast<unsigned>(rank)));
#elif defined(TILEWRIGHT_NO_CLUSTER)
  __trap();
  return shared;
#else
  const T* there;
  asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(shared), "r"(rank));
  return there;
#endif
}

}  // namespace tilewright
