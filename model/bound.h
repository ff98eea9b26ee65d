// SPDX-License-Identifier: MIT
//
// How little can be moved with S elements on chip. Hong and Kung (1981): any order of the MNK multiply-adds
// moves Ω(MNK/√S) elements. Irony, Toledo and Tiskin (2004), through Loomis and Whitney, give the constant:
// a stretch of the program that moves S elements touches at most 2S of each matrix, so it does at most
// (2S)^(3/2) multiply-adds; hence at least MNK/(2√2·√S) − S elements move. Square tiles with b ≈ √(S/3), one
// tile of each matrix on chip, load 2MNK/b = 2√3·MNK/√S: within a factor 4√6 ≈ 9.8 of that bound.
#pragma once

#include <cstdint>
#include <string_view>

#include "model/exact.h"

namespace tilewright {

inline constexpr std::string_view bound_assumptions[] = {
    "one processor with S elements on chip and everything else outside; the classical 2MNK algorithm, so not "
    "Strassen's",
    "lower_bound is MNK/(2*sqrt(2)*sqrt(S)) - S elements moved, both ways; below zero it says nothing",
    "tiling is the loads of A and B with tiles of side sqrt(S/3), not rounded, one tile of each matrix on "
    "chip",
    "minimum is A and B once, MK + KN",
};

struct Bound {
  double lower_bound;      // MNK/(2√2·√S) − S; may be negative, then it is vacuous
  double tiling;           // 2√3·MNK/√S
  std::int64_t minimum;    // MK + KN
  double at_least;         // the larger of lower_bound and minimum
  std::int64_t tile_side;  // ⌊√(S/3)⌋, the largest side of three square tiles that fit
  std::int64_t tiled;      // exact loads with tiles of that side
};

// `on_chip` S in elements; throws bad_input below 3, where not even one element of each matrix fits.
Bound traffic_bound(ProductSize product, std::int64_t on_chip);

}  // namespace tilewright
