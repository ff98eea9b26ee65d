// SPDX-License-Identifier: MIT
//
// Blocks that access alike, so that a few of them stand for all: their tiles of C are clipped alike by C's edges, and
// begin equally far behind a 32-byte sector's start in A, B and C. That is so for a kernel whose blocks differ only by
// where their tiles begin. For others it may not be, so up to three blocks of each class run, and must agree.
#pragma once

#include <vector>

#include "core/shape.h"
#include "emulator/run/emulator.h"

namespace tilewright {

struct BlockClass {
  std::int64_t members = 0;
  std::vector<std::uint32_t> sampled;  // the first, the last, and one between that the seed picks
};

std::vector<BlockClass> classes_of_blocks(const EmulatedLaunch& launch, std::uint64_t seed);

// The part of C that this block computes.
Region region_of_block(const EmulatedLaunch& launch, std::uint64_t block);

// The counts of the whole grid from those of the blocks that ran: `of_block` holds a report for each sampled block, class by
// class. Throws unsupported, naming two blocks and a line, where blocks of one class differ and `must_agree`: blocks
// of a kernel that has findings may have been stopped anywhere.
EmulatorReport extrapolate(const EmulatedLaunch& launch, const std::vector<BlockClass>& classes,
                           const std::vector<EmulatorReport>& of_block, bool must_agree);

}  // namespace tilewright
