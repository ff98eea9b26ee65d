// SPDX-License-Identifier: MIT
//
// Wave quantisation: a GPU runs SMs · blocks-per-SM blocks at a time; the last wave may leave most of them
// idle, and takes as long as a full one.
#pragma once

#include <cstdint>
#include <string_view>

#include "model/exact.h"

namespace tilewright {

inline constexpr std::string_view waves_assumptions[] = {
    "every block takes equally long, and a wave starts when the one before has ended",
    "each block computes one whole tile of C; ragged tiles cost what full ones do",
};

struct Waves {
  std::int64_t tiles;            // ⌈M/BM⌉·⌈N/BN⌉
  std::int64_t slots;            // blocks that run at a time
  std::int64_t waves;            // ⌈tiles/slots⌉
  std::int64_t last_wave_tiles;  // 1 … slots
  double last_wave_efficiency;   // last_wave_tiles/slots
  double efficiency;             // tiles/(waves·slots): the share of all slots that do work
  double edge_efficiency;        // MN over the elements of all tiles
};

Waves count_waves(ProductSize product, OutputTile tile, std::int64_t sms, std::int64_t blocks_per_sm = 1);

}  // namespace tilewright
