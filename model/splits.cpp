// SPDX-License-Identifier: MIT
#include "model/splits.h"

#include <algorithm>

namespace tilewright {
namespace {

std::int64_t tiles_of(ProductSize product, OutputTile tile, std::int64_t BK) {
  require_product(product);
  require_tile(tile);
  require_positive("BK", BK);
  return (Exact(tiles_over(product.M, tile.BM)) * tiles_over(product.N, tile.BN)).count("tiles", product);
}

}  // namespace

SplitK split_k(ProductSize product, OutputTile tile, std::int64_t BK, std::int64_t splits) {
  const std::int64_t tiles = tiles_of(product, tile, BK);
  require_positive("splits", splits);
  const std::int64_t steps = tiles_over(product.K, BK);
  const std::int64_t each = tiles_over(steps, splits), used = tiles_over(steps, each);
  const Exact workspace = used == 1 ? Exact(0) : Exact(used) * product.M * product.N;
  return {.steps = steps,
          .steps_per_split = each,
          .splits = used,
          .blocks = (Exact(tiles) * used).count("blocks", product),
          .workspace_elements = workspace.count("partial results", product)};
}

StreamK stream_k(ProductSize product, OutputTile tile, std::int64_t BK, std::int64_t workers) {
  const std::int64_t tiles = tiles_of(product, tile, BK);
  require_positive("workers", workers);
  require_at_most("workers", workers, most_workers, "must be at most 1000000");
  const std::int64_t per_tile = tiles_over(product.K, BK);
  const std::int64_t steps = (Exact(tiles) * per_tile).count("reduction steps", product);
  const std::int64_t used = std::min(workers, steps), fewest = steps / used, longer = steps % used;
  StreamK result{.steps = steps,
                 .workers = used,
                 .fewest_steps = fewest,
                 .most_steps = fewest + (longer > 0 ? 1 : 0),
                 .partial_tiles = tiles,
                 .shared_tiles = 0,
                 .fix_ups = 0};
  // Each run that begins inside a tile cuts it once more.
  std::int64_t last_cut_tile = -1;
  for (std::int64_t worker = 1; worker < used; ++worker) {
    const std::int64_t begin = worker * fewest + std::min(worker, longer);
    if (begin % per_tile == 0) continue;
    ++result.fix_ups;
    if (begin / per_tile != last_cut_tile) ++result.shared_tiles;
    last_cut_tile = begin / per_tile;
  }
  result.partial_tiles += result.fix_ups;
  return result;
}

}  // namespace tilewright
