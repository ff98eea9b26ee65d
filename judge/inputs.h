// SPDX-License-Identifier: MIT
//
// Deterministic input families: the same family, shape and seed give the same bits everywhere. All values
// are in [-1, 1]. Two kinds are needed. Integer families have exact sums, so that one wrong index is one
// wrong bit; but TF32 and FP16 represent them exactly as well, so only the continuous families can show a
// precision downgrade.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/shape.h"

namespace tilewright {

struct Family {
  const char* name;
  const char* summary;  // one clause for help texts
  bool integer;     // integers times a power of two; every float32 order of summation is exact up to K = 2^18
  bool order_term;  // the given order is adversarial: the yardstick needs the sum of its squared partial sums
};

struct Operands {
  Matrix A;  // (M, K)
  Matrix B;  // (K, N)
};

std::span<const Family> families();

// Throws bad_input naming the nearest known family and listing all of them.
const Family& find_family(std::string_view name);

// `family` is found again by its name. The seed changes every family but zeros, ones and alternating. Throws
// bad_input on a dimension below 1; upper limits are the contract's business.
Operands make_inputs(const Family& family, Shape shape, std::uint64_t seed);

}  // namespace tilewright
