// SPDX-License-Identifier: MIT
//
// Where the tiles of C lie that the blocks of `packed` and the rungs after it walk over, and where a thread's sums lie in one.
//
// S is the sizes of a rung: BM, BN, the warp tile WM x WN, lanes_down x lanes_across, and `group`.
#pragma once

namespace tilewright {

// The first row and column of the first 4 x 4 piece of a thread's sums; the others lie lanes_down and lanes_across pieces
// further. The rung draws one of its warps.
template <class S>
struct WarpPlace {
  int warp = int(threadIdx.x) / 32, lane = int(threadIdx.x) % 32;
  int own_row = warp / (S::BN / S::WN) * S::WM + lane / S::lanes_across * 4;
  int own_column = warp % (S::BN / S::WN) * S::WN + lane % S::lanes_across * 4;
};

// Where tile number `tile` lies in C: down through `group` rows of tiles, then the next column of them.
template <class S>
struct GroupedTile {
  int row0, column0;
  __device__ __forceinline__ GroupedTile(int tile, int M, int N) {
    const int down = (M + S::BM - 1) / S::BM, across = (N + S::BN - 1) / S::BN;
    const int first = tile / (S::group * across) * S::group, within = tile % (S::group * across);
    const int rows = min(S::group, down - first);  // the last group may have fewer
    row0 = (first + within % rows) * S::BM;
    column0 = within / rows * S::BN;
  }
};

}  // namespace tilewright
