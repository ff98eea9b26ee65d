// SPDX-License-Identifier: MIT
//
// A thread's sums on their way through shared memory, for the sake of the registers they have in the main loop.
//
// Registers lie in two banks, even and odd ones, and each bank gives one operand a clock. Along a row of sums a multiply-add reads
// its sum and an operand of B anew; the operand of A is still there from the one before. So the two should be in different banks.
// The compiler has no choice: four operands that one read brings are in four registers in a row, and so are four sums that one
// instruction stores, both from an even one on. Stored in their order, sum j and operand j are in the same bank. Stored as (1, 0, 3, 2)
// they are in different ones, from the main loop on; but then it takes a second pass to have them in order for C
// (docs/decisions/0019).
#pragma once

namespace tilewright {

__device__ __forceinline__ float4 neighbours_exchanged(const float* sums) {
  return make_float4(sums[1], sums[0], sums[3], sums[2]);
}

__device__ __forceinline__ void take_exchanged(const float4& stored, float* sums) {
  sums[1] = stored.x;
  sums[0] = stored.y;
  sums[3] = stored.z;
  sums[2] = stored.w;
}

}  // namespace tilewright
