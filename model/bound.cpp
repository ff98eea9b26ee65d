// SPDX-License-Identifier: MIT
#include "model/bound.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "model/traffic.h"

namespace tilewright {
namespace {

// ⌊√(S/3)⌋. Beyond 2^53 the square root of the float64 nearest to S/3 may round up to the next side, never
// down past one.
std::int64_t side_of_three_tiles(std::int64_t on_chip) {
  const std::int64_t third = on_chip / 3;  // whole elements
  std::int64_t side = static_cast<std::int64_t>(std::sqrt(static_cast<double>(third)));
  while (3 * static_cast<Wide>(side) * static_cast<Wide>(side) > static_cast<Wide>(on_chip)) --side;
  return side;
}

}  // namespace

Bound traffic_bound(ProductSize product, std::int64_t on_chip) {
  require_product(product);
  if (on_chip < 3)
    throw bad_input("on-chip elements S", std::to_string(on_chip),
                    "must be at least 3: one element of A, of B and of C");
  const std::int64_t side = side_of_three_tiles(on_chip);
  const Traffic traffic = matmul_traffic(product, {side, side});
  const double S = static_cast<double>(on_chip), root = std::sqrt(S);
  const double multiply_adds = static_cast<double>(traffic.naive) / 2.0;
  const double lower = multiply_adds / (2.0 * std::sqrt(2.0) * root) - S;
  return {.lower_bound = lower,
          .tiling = 2.0 * std::sqrt(3.0) * multiply_adds / root,
          .minimum = traffic.minimum,
          .at_least = std::max(lower, static_cast<double>(traffic.minimum)),
          .tile_side = side,
          .tiled = traffic.tiled};
}

}  // namespace tilewright
