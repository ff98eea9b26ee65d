// SPDX-License-Identifier: MIT
//
// The roofline of a tiled product, optimistic on purpose: F = 2MNK FLOP, Q = s·(2MNK/T + MN) bytes (uncached
// loads of both inputs, one store of C), time at least max(F/P, Q/B). For a float32 square that is
// 4·(2N³/T + N²). T = 1 is the direct load, which keeps nothing in shared memory.
#pragma once

#include <cstdint>
#include <string_view>

#include "model/exact.h"

namespace tilewright {

inline constexpr std::string_view roofline_assumptions[] = {
    "optimistic: compute and memory overlap perfectly and both run at their full rate; the terms are not "
    "added",
    "uncached: every tile load goes to memory, 2MNK/T elements of A and B, and C is stored once",
    "2MNK useful FLOP; decimal GB/s and TFLOP/s; T = 1 is the direct load, without shared memory",
    "the compute ceiling must be that of the unit the kernel uses: a float32 FMA kernel is never given a "
    "tensor-core or sparse ceiling",
};

struct Machine {
  double bandwidth_gb_per_s;
  double compute_tflop_per_s;
};

struct Roofline {
  std::int64_t flop;          // 2MNK
  double traffic_bytes;       // s·(2MNK/T + MN)
  double intensity;           // FLOP per byte
  double ridge;               // FLOP per byte at which both bounds are equal
  std::int64_t shared_bytes;  // 2·s·T² of a block, 8T² in float32; 0 for the direct load
  double memory_ms, compute_ms, bound_ms;
  double attainable_tflop_per_s;
  bool memory_bound;
};

// Throws bad_input on extents below 1, rates that are not finite and positive, and counts beyond 64 bits.
Roofline roofline(ProductSize product, std::int64_t T, Machine machine, std::int64_t element_bytes = 4);

}  // namespace tilewright
