// SPDX-License-Identifier: MIT
//
// R9's deterministic shapes round a rung's tile: singleton dimensions, each dimension just below, at and just
// above one and two tiles, rectangular and skinny products, several reduction lengths. Small enough to be
// emulated on a CPU; large shapes belong to the devices' own lists.
#pragma once

#include <vector>

#include "core/shape.h"
#include "kernels/rung.h"

namespace tilewright {

// Sorted by (M, N, K), without duplicates, every dimension from 1 to 4096. For tiles up to 32x32x32, at most
// 12 million multiply-adds with every dimension rounded up to whole tiles. Throws bad_input on a tile extent
// outside 1 … 1024.
std::vector<Shape> shape_matrix(Tile tile);

}  // namespace tilewright
