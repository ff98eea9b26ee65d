// SPDX-License-Identifier: MIT
//
// Each group below is one way in which kernels were seen to go wrong. The full cross product of boundaries is
// taken at one tile, where faults of two masks meet; two tiles are visited one dimension at a time.
#include "judge/shape_matrix.h"

#include <algorithm>
#include <initializer_list>

#include "core/error.h"

namespace tilewright {
namespace {

using Extents = std::vector<std::int64_t>;

Extents round_boundary(std::int64_t boundary) { return {boundary - 1, boundary, boundary + 1}; }

void require_extent(const char* name, int extent) {
  if (extent < 1 || extent > 1024)
    throw bad_input(std::string("tile ") + name, std::to_string(extent), "must be from 1 to 1024");
}

void add_boundaries(std::int64_t BM, std::int64_t BN, std::int64_t BK, std::vector<Shape>& shapes) {
  for (const std::int64_t M : round_boundary(BM))
    for (const std::int64_t N : round_boundary(BN))
      for (const std::int64_t K : round_boundary(BK)) shapes.push_back({M, N, K});
  for (const std::int64_t M : round_boundary(2 * BM)) shapes.push_back({M, BN + 1, BK - 1});
  for (const std::int64_t N : round_boundary(2 * BN)) shapes.push_back({BM + 1, N, BK - 1});
  for (const std::int64_t K : round_boundary(2 * BK)) shapes.push_back({BM + 1, BN - 1, K});
  shapes.push_back({2 * BM + 1, 2 * BN + 1, 2 * BK + 1});  // all three ragged in their third tile
}

void add_singletons(std::int64_t BM, std::int64_t BN, std::int64_t BK, std::vector<Shape>& shapes) {
  const std::int64_t M = BM + 1, N = BN + 1, K = 2 * BK + 1;
  for (const Shape shape : std::initializer_list<Shape>{
           {1, 1, 1}, {1, 1, K}, {1, N, 1}, {M, 1, 1}, {1, N, K}, {M, 1, K}, {M, N, 1}})
    shapes.push_back(shape);
}

// 1, 2, round one and two reduction tiles, and odd primes; over less than one tile of C, and over
// four ragged ones.
void add_reductions(std::int64_t BM, std::int64_t BN, std::int64_t BK, std::vector<Shape>& shapes) {
  for (const std::int64_t K :
       Extents{1, 2, BK - 1, BK, BK + 1, 2 * BK - 1, 2 * BK, 2 * BK + 1, 3 * BK + 1, 23, 79, 257})
    shapes.push_back({5, 7, K});
  for (const std::int64_t K : {2, 23, 79}) shapes.push_back({BM + 1, BN + 1, K});
}

// Fixed shapes. 17x19x23 is R6's trace; 35x79x19, 3x3x431, 3x3x3, 9x9x9 and 33x32x32 broke public kernels.
void add_fixed(std::vector<Shape>& shapes) {
  for (const Shape shape : std::initializer_list<Shape>{
           {17, 19, 23}, {35, 79, 19}, {3, 3, 431},  {3, 3, 3},    {9, 9, 9},    {33, 32, 32}, {16, 16, 16},
           {8, 68, 68},  {2, 3, 5},    {64, 16, 8},  {16, 64, 8},  {7, 130, 3},  {130, 7, 3},  {1, 513, 2},
           {513, 1, 2},  {1, 1, 521},  {2, 259, 31}, {259, 2, 31}, {61, 37, 29}, {40, 24, 56}})
    shapes.push_back(shape);
}

}  // namespace

std::vector<Shape> shape_matrix(Tile tile) {
  require_extent("BM", tile.BM);
  require_extent("BN", tile.BN);
  require_extent("BK", tile.BK);
  // Without a reduction tile no K is a boundary; compilers unroll such loops by powers of
  // two, mostly up to 8.
  const int BK = tile.BK == 1 ? 8 : tile.BK;
  std::vector<Shape> shapes;
  add_boundaries(tile.BM, tile.BN, BK, shapes);
  add_singletons(tile.BM, tile.BN, BK, shapes);
  add_reductions(tile.BM, tile.BN, BK, shapes);
  add_fixed(shapes);
  // Below a tile extent of 1 there is no shape; "just below" is left out there.
  std::erase_if(shapes, [](Shape shape) { return std::min({shape.M, shape.N, shape.K}) < 1; });
  std::sort(shapes.begin(), shapes.end());
  shapes.erase(std::unique(shapes.begin(), shapes.end()), shapes.end());
  return shapes;
}

}  // namespace tilewright
