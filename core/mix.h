// SPDX-License-Identifier: MIT
//
// The one scrambler of 64-bit words that seeded inputs, samples, patterns and fingerprints are made with: the same on every
// machine, standard library and thread count, and on the GPU. Not for secrets.
#pragma once

#include <cstdint>

#ifdef __CUDACC__
#define TILEWRIGHT_BOTH_SIDES __host__ __device__
#else
#define TILEWRIGHT_BOTH_SIDES
#endif

namespace tilewright {

// The finaliser of splitmix64 (Steele, Lea, Flood 2014): a bijection of 64-bit words whose output bits each
// depend on every input bit.
TILEWRIGHT_BOTH_SIDES constexpr std::uint64_t mix(std::uint64_t word) {
  word += 0x9E3779B97F4A7C15U;
  word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9U;
  word = (word ^ (word >> 27)) * 0x94D049BB133111EBU;
  return word ^ (word >> 31);
}

}  // namespace tilewright
