// SPDX-License-Identifier: MIT
//
// Rungs for tests of plans and records: a name and a square tile, nothing that runs.
#pragma once

#include "kernels/rung.h"

namespace tilewright {

inline Rung rung_named(const char* name, int tile = 16) {
  return {.name = name,
          .idea = "a test's",
          .source = "test.cu",
          .tile = {tile, tile, tile},
          .block = {tile, tile},
          .grid_order = GridOrder::columns_along_x,
          .static_shared_bytes = 0,
          .kernel = nullptr,
          .predict = nullptr};
}

}  // namespace tilewright
