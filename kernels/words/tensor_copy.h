// SPDX-License-Identifier: MIT
//
// Tensor copies (compute capability 9.0 and later): one thread has a box of a matrix copied from global to shared memory. A
// tensor map says where the matrix lies, how large it is and how large a box; the copy says which box. Barriers, fences and
// waits are those of bulk copies (kernels/words/bulk_copy.h), with one more word on refilling, below.
// PTX ISA: cp.async.bulk.tensor, "Tensors", "Tensor Copy Restrictions".
//
// What lies outside of the matrix arrives as zeros, on all four sides, and counts in the barrier's bytes as the rest does: a
// copy always completes the bytes of a whole box. Nothing is read there, so a matrix needs no padding but that its rows begin
// at multiples of 16 bytes.
//
// A map is a parameter of the kernel, `const __grid_constant__ TensorMap map`, and stays where it is: the copy engine reads
// it there. A rung declares what its maps are of (Rung::tensors); the device makes them.
//
// Refilling: a __syncthreads between the reads of a place and the copy into it is not enough. Values that were asked for
// before the barrier may still be on their way after it, if nothing has used them yet, and the copy does not wait for them.
// So each thread has used what it read, before the barrier; or the copy comes one barrier later (docs/decisions/0014).
//
// Under the emulator a tensor copy is as late as a bulk copy, and the same findings tell of its misuse. What it reads is what
// lies in the matrix, what it writes is the whole box.
#pragma once

#include "kernels/tensor_map.h"
#include "kernels/words/bulk_copy.h"

#ifdef TILEWRIGHT_EMULATOR
extern "C" void tilewright_tensor_copy(void* shared, const void* map, int x, int y, void* barrier);
#endif

namespace tilewright {

// The box whose first element is in column x and row y; either may be negative. x is a multiple of 4, so that a box begins at a
// multiple of 16 bytes: an H200 stops a kernel that asks for another (docs/decisions/0014). The box's rows follow one another in
// shared memory without a gap, from a multiple of 128 bytes on.
__device__ __forceinline__ void tensor_copy(float* shared, const TensorMap& map, int x, int y,
                                            BulkBarrier* barrier) {
#ifdef TILEWRIGHT_EMULATOR
  tilewright_tensor_copy(shared, &map, x, y, barrier);
#elif defined(TILEWRIGHT_NO_BULK_COPY)
  __trap();
#else
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, "
      "%3}], "
      "[%4];" ::"r"(shared_address(shared)),
      "l"(&map), "r"(x), "r"(y), "r"(shared_address(barrier))
      : "memory");
#endif
}

}  // namespace tilewright
