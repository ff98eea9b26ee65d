// SPDX-License-Identifier: MIT
#include "device/device.h"

#include "core/error.h"
#include "emulator/run/dynamic_shared.h"

namespace tilewright {

std::string value_in(const Environment& environment, const std::string& name) {
  for (const auto& [key, value] : environment)
    if (key == name) return value;
  return {};
}

Product multiply(Device& device, const Rung& rung, const Matrix& A, const Matrix& B) {
  const std::unique_ptr<Placement> placement = device.place(A, B);
  placement->launch(rung);
  placement->synchronise();
  return placement->collect();
}

Grid grid_of(const Rung& rung, Shape shape) {
  const std::int64_t down = ceil_div(shape.M, rung.tile.BM);
  const std::int64_t across = ceil_div(shape.N, rung.tile.BN);
  return rung.grid_order == GridOrder::columns_along_x ? Grid{across, down} : Grid{down, across};
}

LaunchLimits cuda_limits(std::string of) {
  return {.of = std::move(of),
          .threads_per_block = 1024,
          .block_x = 1024,
          .block_y = 1024,
          .grid_x = (1LL << 31) - 1,
          .grid_y = 65535,
          .static_shared_bytes = 48 << 10,
          .shared_bytes = most_shared_bytes};
}

void require_within(const LaunchLimits& limits, const Rung& rung, Shape shape) {
  const Grid grid = grid_of(rung, shape);
  const auto check = [&](const char* what, std::int64_t asked, std::int64_t allowed) {
    if (asked > allowed)
      throw Error(Code::unsupported, rung.name, to_string(shape),
                  std::string(what) + ": it asks for " + std::to_string(asked) + ", " + limits.of +
                      " allows " + std::to_string(allowed));
  };
  check("threads per block", std::int64_t{rung.block.x} * rung.block.y, limits.threads_per_block);
  check("block extent in x", rung.block.x, limits.block_x);
  check("block extent in y", rung.block.y, limits.block_y);
  check("blocks in x", grid.x, limits.grid_x);
  check("blocks in y", grid.y, limits.grid_y);
  check("bytes of static shared memory per block", rung.static_shared_bytes, limits.static_shared_bytes);
  check("bytes of shared memory per block, static and dynamic",
        rung.static_shared_bytes + rung.dynamic_shared_bytes, limits.shared_bytes);
  check("M", shape.M, (1LL << 31) - 1);
  check("N", shape.N, (1LL << 31) - 1);
  check("K", shape.K, (1LL << 31) - 1);
}

}  // namespace tilewright
