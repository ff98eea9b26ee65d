// SPDX-License-Identifier: MIT
//
// The pattern that stands where nothing has been written: a NaN whose bits depend on the position, so that a
// read of it shows in the result, an unwritten element is known from any result, and a copy from elsewhere
// does not pass. It is a signalling NaN: what arithmetic gives is quiet, so that no NaN of a product is one.
#pragma once

#include <bit>
#include <cstdint>

namespace tilewright {

inline std::uint32_t sentinel_bits(std::uint64_t position, std::uint64_t salt) {
  std::uint64_t mixed = (position + 1) * 0x9E3779B97F4A7C15ULL ^ salt * 0xD1B54A32D192ED03ULL;
  mixed = (mixed ^ (mixed >> 29)) * 0xBF58476D1CE4E5B9ULL;
  // Exponent all ones; the fraction's first bit, which would make it quiet, is zero, and its last is not.
  return 0x7F800001U | static_cast<std::uint32_t>(mixed >> 42);
}

inline float sentinel(std::uint64_t position, std::uint64_t salt) {
  return std::bit_cast<float>(sentinel_bits(position, salt));
}

}  // namespace tilewright
