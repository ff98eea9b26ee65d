// SPDX-License-Identifier: MIT
//
// One memory instruction of one warp, and what the hardware makes of it: the 32-byte sectors it moves from global memory,
// or the wavefronts it takes in the 32 banks of shared memory.
#pragma once

#include <array>
#include <cstdint>

#include "core/finding.h"
#include "emulator/watch/warp_order.h"

namespace tilewright {

enum class Space { global, shared };

struct WarpRequest {
  std::uint32_t active = 0;  // a bit a lane
  unsigned bytes = 0;        // of each lane's access
  std::array<std::uint64_t, warp_lanes> address;
};

WarpCounts count_request(const WarpRequest& request, Space space);

}  // namespace tilewright
