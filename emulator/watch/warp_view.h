// SPDX-License-Identifier: MIT
//
// What a warp's memory instructions look like to the hardware: the nth time each of its 32 lanes comes to one program
// counter between two barriers is one request. From a request follow the 32-byte sectors it moves from global memory and
// the wavefronts it takes in the 32 banks of shared memory.
//
// Lanes that skip an iteration which others run shift against them: then requests are grouped by count, not by time.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/finding.h"
#include "emulator/watch/warp_order.h"

namespace tilewright {

enum class Space { global, shared };

struct WarpRequest {
  std::uint32_t active = 0;  // a bit a lane
  unsigned bytes = 0;        // of each lane's access
  std::array<std::uint64_t, warp_lanes> address{};
};

WarpCounts count_request(const WarpRequest& request, Space space);

class WarpView {
 public:
  // The thread that runs from now on, at a new barrier epoch or for the first time.
  void begin_thread(std::uint32_t thread) {
    warp_ = thread / warp_lanes;
    lane_ = thread % warp_lanes;
    if (warp_ >= warps_.size()) warps_.resize(warp_ + 1);
    occurrence_.assign(occurrence_.size(), 0);
  }

  void record(std::uint32_t site, Space space, std::uint64_t address, unsigned bytes) {
    const std::size_t stream = 2 * std::size_t{site} + (space == Space::shared ? 1 : 0);
    if (stream >= occurrence_.size()) occurrence_.resize(stream + 2, 0);
    std::vector<std::vector<WarpRequest>>& streams = warps_[warp_];
    if (stream >= streams.size()) streams.resize(stream + 1);
    std::vector<WarpRequest>& requests = streams[stream];
    const std::size_t n = occurrence_[stream]++;
    if (n >= requests.size()) requests.resize(n + 1);
    WarpRequest& request = requests[n];
    request.active |= 1U << lane_;
    request.bytes = bytes;
    request.address[lane_] = address;
  }

  // Every thread has come to the barrier or left: the requests of this epoch are complete.
  void end_epoch();

  WarpCounts counts(std::uint32_t site, Space space) const;

 private:
  std::uint32_t warp_ = 0, lane_ = 0;
  std::vector<std::uint32_t> occurrence_;                     // of the running thread, by stream
  std::vector<std::vector<std::vector<WarpRequest>>> warps_;  // by warp, stream (site and space), occurrence
  std::vector<WarpCounts> counts_;                            // by stream
};

}  // namespace tilewright
