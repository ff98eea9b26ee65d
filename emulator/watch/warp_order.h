// SPDX-License-Identifier: MIT
//
// Which accesses of one block are ordered by more than the order they happened to run in. The block's time
// goes on by one at each barrier, and each time warps are released from a warp word (__syncwarp, a shuffle, a
// vote); an access is stamped with its time and thread. A block barrier orders everything before it. A warp
// word orders the lanes its mask names, and nobody else: each thread knows, for each lane of its own warp, the
// time before which that lane's accesses are ordered before it (a vector clock as wide as a warp, since threads
// of different warps meet at block barriers only).
//
// Until a block uses a warp word, this costs nothing: no clock is younger than the barrier.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace tilewright {

inline constexpr std::uint32_t warp_lanes = 32;

class WarpOrder {
 public:
  // `time`: the moment after the barrier that this block starts with.
  void begin_block() {
    if (used_) std::fill(clocks_.begin(), clocks_.end(), Clock{});
    used_ = false;
  }

  // The lanes of `mask` in the warp of `first` have met at a warp word: what they did before `time` is ordered
  // before what any of them does from now on.
  void meet(std::uint32_t first, std::uint32_t mask, std::uint32_t time) {
    used_ = true;
    if (clocks_.size() < first + warp_lanes) clocks_.resize(first + warp_lanes);
    Clock merged{};
    for_each_lane(mask, [&](std::uint32_t lane) {
      const Clock& own = clocks_[first + lane];
      for (std::uint32_t other = 0; other < warp_lanes; ++other)
        merged[other] = std::max(merged[other], own[other]);
    });
    for_each_lane(mask, [&](std::uint32_t lane) { merged[lane] = time; });
    for_each_lane(mask, [&](std::uint32_t lane) { clocks_[first + lane] = merged; });
  }

  bool used() const { return used_; }

  // Whether what thread `before` did at `time` is ordered before what `now` does, by warp words alone.
  bool ordered(std::uint32_t before, std::uint32_t time, std::uint32_t now) const {
    return used_ && before / warp_lanes == now / warp_lanes && now < clocks_.size() &&
           time < clocks_[now][before % warp_lanes];
  }

 private:
  using Clock = std::array<std::uint32_t, warp_lanes>;  // by lane

  template <class Action>
  static void for_each_lane(std::uint32_t mask, Action action) {
    for (; mask != 0; mask &= mask - 1) action(static_cast<std::uint32_t>(__builtin_ctz(mask)));
  }

  bool used_ = false;
  std::vector<Clock> clocks_;  // by thread
};

}  // namespace tilewright
