// SPDX-License-Identifier: MIT
//
// A block's accesses as the requests of its warps: the nth time each of a warp's 32 lanes comes to one program counter
// between two barriers is one request.
//
// Lanes that skip an iteration which others run shift against them: then requests are grouped by count, not by time.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "emulator/watch/reuse.h"
#include "emulator/watch/warp_request.h"

namespace tilewright {

class WarpView {
 public:
  // The number of the source line that a program counter belongs to.
  using LineOf = std::function<std::uint32_t(std::uintptr_t pc)>;

  WarpView(const GlobalMemory& global, LineOf line_of) : line_of_(std::move(line_of)), reuse_(global) {}

  // Before the first access of this site.
  void add_site(std::uint32_t site, std::uintptr_t pc, bool write);

  // The thread that runs from now on, at a new barrier epoch or for the first time.
  void begin_thread(std::uint32_t thread) {
    const std::size_t warp = thread / warp_lanes;
    if (warp >= warps_.size()) warps_.resize(warp + 1);
    warp_ = &warps_[warp];
    lane_ = thread % warp_lanes;
    occurrence_.assign(occurrence_.size(), 0);
  }

  void record(std::uint32_t site, Space space, std::uint64_t address, unsigned bytes) {
    const std::size_t stream = stream_of(site, space);
    if (stream >= warp_->size()) warp_->resize(stream + 1);
    Stream& requests = (*warp_)[stream];
    const std::size_t n = occurrence_[stream]++;
    if (n >= requests.used) requests.append(n);
    WarpRequest& request = requests.all[n];
    request.active |= 1U << lane_;
    request.bytes = bytes;
    request.address[lane_] = address;
  }

  // Every thread has come to a barrier or a warp word, or left: the requests of this epoch are complete.
  void end_epoch();
  // The block has met at a barrier, or another one begins.
  void begin_interval() { reuse_.begin_interval(); }

  WarpCounts counts(std::uint32_t site, Space space) const;
  const Reuse& reuse() const { return reuse_; }

 private:
  struct Stream {
    std::vector<WarpRequest> all;  // kept from epoch to epoch; the first `used` are this one's
    std::size_t used = 0;
    void append(std::size_t n) {
      if (n >= all.size()) all.resize(2 * n + 1);
      for (; used <= n; ++used) all[used].active = 0;
    }
  };
  struct SiteLine {
    std::uintptr_t pc = 0;
    bool write = false;
    std::optional<std::uint32_t>
        line;  // looked up at the end of an epoch: a fiber's stack is too small for that
  };
  static std::size_t stream_of(std::uint32_t site, Space space) {
    return 2 * std::size_t{site} + (space == Space::shared ? 1 : 0);
  }

  LineOf line_of_;
  std::vector<Stream>* warp_ = nullptr;  // of the running thread
  std::uint32_t lane_ = 0;
  std::vector<std::uint32_t> occurrence_;   // of the running thread, by stream
  std::vector<std::vector<Stream>> warps_;  // by warp, stream (site and space)
  std::vector<SiteLine> sites_;
  std::vector<WarpCounts> counts_;  // by stream
  Reuse reuse_;
};

}  // namespace tilewright
