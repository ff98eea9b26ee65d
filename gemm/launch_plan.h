// SPDX-License-Identifier: MIT
//
// What launching a rung for a product comes to, in numbers, without launching it; and whether it can be launched.
#pragma once

#include <optional>
#include <string>

#include "device/device.h"
#include "gemm/choose.h"

namespace tilewright {

struct LaunchPlan {
  Grid grid{};
  std::int64_t blocks = 0;
  std::int64_t tiles = 0;          // of C
  std::int64_t splits = 0;         // blocks that share a tile; 1 where each block has its own
  std::int64_t scratch_bytes = 0;  // beside A, B and C
  std::optional<Grid> first_grid;  // of the kernel that is launched before the rung's own, where there is one
  std::optional<std::int64_t> waves;  // at one block a multiprocessor; none where their number is not known
};

LaunchPlan plan_launch(const Rung& rung, const Problem& problem);

// By what every CUDA device allows, so that the answer needs none.
std::string launch_refusal(const Rung& rung, const Problem& problem);
// By what this device allows.
std::string launch_refusal(const Device& device, const Rung& rung, const Problem& problem);

}  // namespace tilewright
