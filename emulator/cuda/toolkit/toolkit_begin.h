// SPDX-License-Identifier: MIT
//
// Before a header of the CUDA toolkit: what it would redefine, and what its words must mean while it is read.
// toolkit_end.h takes it back.
#include <cstring>

#include "conversions.h"

// The prelude has these types already.
#define __VECTOR_TYPES_H__
#define __VECTOR_FUNCTIONS_H__

#pragma push_macro("__device__")
#pragma push_macro("__ldg")
#undef __device__
#undef __ldg
// A function of the header is a part of the line that calls it: an access in it is counted there.
#define __device__ __attribute__((always_inline))
// An instruction of the GPU, in a function that has nothing else to offer.
#define asm(...) tilewright_gpu_instruction()
extern "C" void tilewright_gpu_instruction() __attribute__((error("TILEWRIGHT_GPU_INSTRUCTION")));
unsigned short atomicCAS(unsigned short*, unsigned short, unsigned short)
    __attribute__((error("TILEWRIGHT_GPU_INSTRUCTION")));
// What has another meaning here: the fused multiply-adds are instructions in the header, and its atomics are loops that
// begin with a plain read, which a watcher takes for a race.
#define __hfma tilewright_gpu_hfma
#define __hfma2 tilewright_gpu_hfma2
#define atomicAdd tilewright_gpu_atomic_add
