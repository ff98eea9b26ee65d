// SPDX-License-Identifier: MIT
//
// bfloat16 by CUDA's own header, whose path is in TILEWRIGHT_CUDA_BF16_H; as cuda_fp16.h here does half precision.
#pragma once
#pragma GCC system_header

#include "cuda_fp16.h"
#include "toolkit_begin.h"
#include TILEWRIGHT_CUDA_BF16_H
#include "toolkit_end.h"

inline __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
  return __double2bfloat16(
      tilewright::fma_to_odd(__bfloat162float(a), __bfloat162float(b), __bfloat162float(c)));
}
inline __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) {
  return __halves2bfloat162(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
TILEWRIGHT_NO_ATOMIC_ADD(__nv_bfloat16)
TILEWRIGHT_NO_ATOMIC_ADD(__nv_bfloat162)
