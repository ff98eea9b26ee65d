// SPDX-License-Identifier: MIT
//
// After a header of the CUDA toolkit; see toolkit_begin.h.
#undef asm
#undef __hfma
#undef __hfma2
#undef atomicAdd
#pragma pop_macro("__ldg")
#pragma pop_macro("__device__")

#define TILEWRIGHT_NO_ATOMIC_ADD(T)                                  \
  __attribute__((always_inline)) inline T atomicAdd(T* address, T) { \
    tilewright_gpu_instruction();                                    \
    return *address;                                                 \
  }
