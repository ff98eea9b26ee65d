// SPDX-License-Identifier: MIT
//
// Three functions of a position, the same on GPU and CPU bit for bit: the value of an input, the pattern that stands
// where nothing was written, and an element's share of a fingerprint. So the CPU can name any input of a large product
// without a copy of it.
#pragma once

#include <cstdint>

#include "core/mix.h"

namespace tilewright {

// Which stream of random numbers a matrix is: operand 0 is A, 1 is B.
TILEWRIGHT_BOTH_SIDES constexpr std::uint64_t input_stream(std::uint64_t seed, std::int64_t set,
                                                           int operand) {
  return mix(mix(seed) + 2 * static_cast<std::uint64_t>(set) + static_cast<std::uint64_t>(operand));
}

// Uniform in [-1, 1): a multiple of 2^-23, so exact in float32 with all of its bits in use.
TILEWRIGHT_BOTH_SIDES constexpr float input_value(std::uint64_t stream, std::int64_t position) {
  const std::uint64_t bits = mix(stream + static_cast<std::uint64_t>(position));
  return static_cast<float>(static_cast<std::int32_t>(bits >> 40) - (1 << 23)) * 0x1p-23F;
}

// A NaN that no arithmetic makes: the hardware's own has no other payload.
TILEWRIGHT_BOTH_SIDES constexpr std::uint32_t unwritten_bits(std::int64_t position, std::uint64_t salt) {
  return 0x7F800001U |
         static_cast<std::uint32_t>(mix(static_cast<std::uint64_t>(position) ^ (salt << 40)) >> 41);
}

// Summed over a matrix modulo 2^64: in any order the same, in another place or with another bit not.
TILEWRIGHT_BOTH_SIDES constexpr std::uint64_t fingerprint_share(std::int64_t position, std::uint32_t bits) {
  return mix((static_cast<std::uint64_t>(position) << 32 | bits) ^ mix(static_cast<std::uint64_t>(position)));
}

TILEWRIGHT_BOTH_SIDES constexpr bool is_finite_bits(std::uint32_t bits) {
  return (bits & 0x7F800000U) != 0x7F800000U;
}

}  // namespace tilewright
