// SPDX-License-Identifier: MIT
//
// Dividing the reduction when there are too few tiles for the SMs. Split-K cuts every tile's reduction into
// the same number of parts; stream-K lines up all reduction steps of all tiles and gives each worker an equal
// run of them, so that a run may begin and end inside a tile.
#pragma once

#include <cstdint>
#include <string_view>

#include "model/exact.h"

namespace tilewright {

inline constexpr std::string_view split_k_assumptions[] = {
    "the reduction steps of a tile are cut into parts of equal length, the last one shorter; empty parts are "
    "no blocks",
    "workspace_elements are the partial results of the variant with a second pass; each is stored and loaded "
    "once "
    "there, in a fixed order, so that the result is always the same",
    "the variant with atomic adds needs no workspace, and rounds in whatever order the blocks come",
};

struct SplitK {
  std::int64_t steps;            // reduction steps of one tile, ⌈K/BK⌉
  std::int64_t steps_per_split;  // ⌈steps/splits⌉
  std::int64_t splits;           // those that are not empty, at most what was asked for
  std::int64_t blocks;           // tiles · splits
  std::int64_t
      workspace_elements;  // partial results of the second-pass variant: splits · MN, 0 for one split
};

// Throws bad_input on extents below 1 or counts beyond 64 bits.
SplitK split_k(ProductSize product, OutputTile tile, std::int64_t BK, std::int64_t splits);

struct StreamK {
  std::int64_t steps;          // of all tiles together
  std::int64_t workers;        // those that have work
  std::int64_t fewest_steps;   // of one worker
  std::int64_t most_steps;     // at most one more
  std::int64_t partial_tiles;  // pieces of tiles, over all workers
  std::int64_t shared_tiles;   // tiles that more than one worker computes, each needs a fix-up
  std::int64_t fix_ups;        // partial results that another worker must add: partial_tiles − tiles
};

inline constexpr std::int64_t most_workers = 1'000'000;

// `workers`, at most most_workers, such as SMs · blocks per SM.
StreamK stream_k(ProductSize product, OutputTile tile, std::int64_t BK, std::int64_t workers);

}  // namespace tilewright
