// SPDX-License-Identifier: MIT
//
// float32 values as narrower formats would hold them, returned as float32. Round to nearest, ties to even.
// These are what a precision downgrade does to the inputs; the gate and the tests use them as faults.
#pragma once

namespace tilewright {

// TF32: 8 exponent bits, 10 stored mantissa bits. Zeros, infinities and NaN stay what they are.
float round_to_tf32(float value);

// IEEE binary16: 5 exponent bits, 10 stored mantissa bits, subnormals in steps of 2^-24 below 2^-14; beyond
// 65504 it rounds to infinity as IEEE 754 says.
float round_to_fp16(float value);

}  // namespace tilewright
