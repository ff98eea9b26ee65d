// SPDX-License-Identifier: MIT
//
// After a header of the CUDA toolkit; see toolkit_begin.h.
#undef asm
#pragma pop_macro("__ldg")
#pragma pop_macro("__device__")
