// SPDX-License-Identifier: MIT
//
// Rounding to TF32 and binary16 on the bits of float32.
#include "judge/rounding.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace tilewright {

float round_to_tf32(float value) {
  if (!std::isfinite(value)) return value;
  // 13 of the 23 stored bits go. Adding half of the last kept bit, less one when that bit is even,
  // carries exactly when nearest-even rounds up; a carry out of the mantissa moves into the exponent,
  // which is the right result.
  std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  bits += 0x0FFFU + ((bits >> 13) & 1U);
  return std::bit_cast<float>(bits & ~0x1FFFU);
}

float round_to_fp16(float value) {
  const float magnitude = std::fabs(value);
  if (magnitude < 0x1p-14F) {  // subnormal: a multiple of 2^-24, the scaling is exact
    const double steps = std::nearbyint(static_cast<double>(magnitude) * 0x1p24);
    return std::copysign(static_cast<float>(steps * 0x1p-24), value);
  }
  const float rounded = round_to_tf32(value);  // the same 10 bits in the normal range
  if (std::fabs(rounded) > 65504.0F) return std::copysign(std::numeric_limits<float>::infinity(), value);
  return rounded;
}

}  // namespace tilewright
