// SPDX-License-Identifier: MIT
//
// Half precision by CUDA's own header, whose path is in TILEWRIGHT_CUDA_FP16_H: its types, and of its functions those
// that it can compute without a GPU. What it leaves to the GPU alone is given below where it is plain arithmetic, and
// refused when a kernel uses it.
#pragma once
#pragma GCC system_header

#include "toolkit_begin.h"
#include TILEWRIGHT_CUDA_FP16_H
#include "round_to_odd.h"
#include "toolkit_end.h"

inline __half __hfma(__half a, __half b, __half c) {
  return __double2half(tilewright::fma_to_odd(__half2float(a), __half2float(b), __half2float(c)));
}
inline __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
  return __halves2half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
TILEWRIGHT_NO_ATOMIC_ADD(__half)
TILEWRIGHT_NO_ATOMIC_ADD(__half2)
