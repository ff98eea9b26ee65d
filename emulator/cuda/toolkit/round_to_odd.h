// SPDX-License-Identifier: MIT
//
// a * b + c so that rounding it once more, to half precision or bfloat16, gives what one rounding would. The product of
// two such numbers is exact in double; the sum may not be. Where it is not, the neighbour with an odd last bit is taken:
// then no second rounding meets a tie that the exact sum does not have (Boldo and Melquiond, 2008).
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace tilewright {

inline double fma_to_odd(double a, double b, double c) {
  const double product = a * b, sum = product + c;
  // What the sum lost, exactly (Knuth's two-sum); a NaN when the sum is not finite.
  const double part = sum - product;
  const double lost = (product - (sum - part)) + (c - part);
  const bool even = (std::bit_cast<std::uint64_t>(sum) & 1) == 0;
  if (even && lost > 0) return std::nextafter(sum, INFINITY);
  if (even && lost < 0) return std::nextafter(sum, -INFINITY);
  return sum;
}

}  // namespace tilewright
