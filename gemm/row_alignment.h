// SPDX-License-Identifier: MIT
//
// Whether the rows of A and of B begin at multiples of 16 bytes, so that a kernel may move four floats at a time. Two
// shapes that differ in this alone may want different rungs, however near they are.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/shape.h"

namespace tilewright {

inline constexpr std::int64_t bytes_of_quad = 16;
// What cudaMalloc gives at least.
inline constexpr std::int64_t allocation_alignment = 256;

struct RowAlignment {
  bool A = false, B = false;  // the rows of C are as long as those of B
  bool operator==(const RowAlignment&) const = default;
};

// `base_alignment` divides the addresses of A, B and C.
constexpr RowAlignment row_alignment(Shape shape, std::int64_t base_alignment = allocation_alignment) {
  const bool base = base_alignment % bytes_of_quad == 0;
  return {base && shape.K % 4 == 0, base && shape.N % 4 == 0};
}

// The word that tables use: "both", "A", "B" or "neither".
constexpr std::string_view name_of(RowAlignment alignment) {
  if (alignment.A) return alignment.B ? "both" : "A";
  return alignment.B ? "B" : "neither";
}

}  // namespace tilewright
