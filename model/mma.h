// SPDX-License-Identifier: MIT
//
// How many matrix instructions a product takes, and how much of their work is the product's. A fragment is
// whole or not issued: edges are padded with zeros, so 17 rows cost what 32 do.
#pragma once

#include <cstdint>
#include <string_view>

#include "model/exact.h"

namespace tilewright {

inline constexpr std::string_view mma_assumptions[] = {
    "every fragment that holds any of the product is one whole instruction, padded with zeros",
    "utilization is MNK over the multiply-adds that those instructions do; issue rate and latency are not "
    "modelled",
};

struct MmaShape {
  std::int64_t m = 16, n = 8, k = 16;
};

struct MmaCount {
  std::int64_t instructions;  // ⌈M/m⌉·⌈N/n⌉·⌈K/k⌉
  double utilization;         // in (0, 1]
};

MmaCount mma_count(ProductSize product, MmaShape mma = {});

}  // namespace tilewright
