// SPDX-License-Identifier: MIT
//
// How many distinct elements each source line touches, beside how often it does: their ratio is its reuse. Elements of
// global memory count once a launch. Words of shared memory count once a block and barrier interval, since after a
// barrier a tile holds something new.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/watch/global_memory.h"
#include "emulator/watch/warp_request.h"

namespace tilewright {

// Elements of global memory, a bit each, by buffer.
class ElementSet {
 public:
  void add(std::size_t buffer, std::uint64_t element);
  void add(const ElementSet& other);
  std::int64_t size() const;

 private:
  std::vector<std::vector<std::uint64_t>> words_;
};

class Reuse {
 public:
  explicit Reuse(const GlobalMemory& global) : global_(global) {}

  // `line` numbers source lines; reads and writes of one line are kept apart.
  void touch(std::uint32_t line, bool write, Space space, const WarpRequest& request);
  // The block has met at a barrier, or another one begins.
  void begin_interval() { ++interval_; }

  const ElementSet& global_elements(std::uint32_t line, bool write) const;
  std::int64_t shared_elements(std::uint32_t line, bool write) const;

 private:
  struct LineUse {
    ElementSet global;
    std::vector<std::uint64_t> last_interval;  // by word of shared memory
    std::int64_t shared = 0;
  };
  const LineUse* find(std::uint32_t line, bool write) const;
  void touch_global(LineUse& use, std::uint64_t address, unsigned bytes);
  void touch_shared(LineUse& use, std::uint64_t offset, unsigned bytes) const;

  const GlobalMemory& global_;
  std::uint64_t interval_ = 1;
  std::vector<LineUse> uses_;  // by 2 * line + write
};

}  // namespace tilewright
