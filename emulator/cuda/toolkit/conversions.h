// SPDX-License-Identifier: MIT
//
// Conversions between integers and float, which nvcc knows by itself and the toolkit's headers are written with.
// _rn: to nearest even, _rz: toward zero, _ru: up, _rd: down.
#pragma once

#include <cmath>
#include <limits>

namespace tilewright {

// As the GPU does it: what is too large becomes the largest, and NaN zero.
template <class Integer>
Integer saturated(float whole) {
  constexpr Integer least = std::numeric_limits<Integer>::min(), most = std::numeric_limits<Integer>::max();
  if (std::isnan(whole)) return 0;
  if (whole <= static_cast<float>(least)) return least;
  return whole >= static_cast<float>(most) ? most : static_cast<Integer>(whole);  // float(most) is most + 1
}

// The neighbours of an integer among the floats; a long double holds each integer of 64 bits exactly.
template <class Integer>
float below(Integer value) {
  const float nearest = static_cast<float>(value);
  return static_cast<long double>(nearest) > value ? nextafterf(nearest, -INFINITY) : nearest;
}
template <class Integer>
float above(Integer value) {
  const float nearest = static_cast<float>(value);
  return static_cast<long double>(nearest) < value ? nextafterf(nearest, INFINITY) : nearest;
}

}  // namespace tilewright

#define TILEWRIGHT_CONVERSIONS(Integer, name)                                                               \
  inline Integer __float2##name##_rn(float value) { return tilewright::saturated<Integer>(rintf(value)); }  \
  inline Integer __float2##name##_rz(float value) { return tilewright::saturated<Integer>(truncf(value)); } \
  inline Integer __float2##name##_ru(float value) { return tilewright::saturated<Integer>(ceilf(value)); }  \
  inline Integer __float2##name##_rd(float value) { return tilewright::saturated<Integer>(floorf(value)); } \
  inline float __##name##2float_rn(Integer value) { return static_cast<float>(value); }                     \
  inline float __##name##2float_ru(Integer value) { return tilewright::above(value); }                      \
  inline float __##name##2float_rd(Integer value) { return tilewright::below(value); }                      \
  inline float __##name##2float_rz(Integer value) {                                                         \
    return value < 0 ? tilewright::above(value) : tilewright::below(value);                                 \
  }

TILEWRIGHT_CONVERSIONS(int, int)
TILEWRIGHT_CONVERSIONS(unsigned, uint)
TILEWRIGHT_CONVERSIONS(long long, ll)
TILEWRIGHT_CONVERSIONS(unsigned long long, ull)
#undef TILEWRIGHT_CONVERSIONS
