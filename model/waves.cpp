// SPDX-License-Identifier: MIT
#include "model/waves.h"

namespace tilewright {

Waves count_waves(ProductSize product, OutputTile tile, std::int64_t sms, std::int64_t blocks_per_sm) {
  require_product(product);
  require_tile(tile);
  require_positive("SMs", sms);
  require_positive("blocks per SM", blocks_per_sm);
  const std::int64_t rows = tiles_over(product.M, tile.BM), columns = tiles_over(product.N, tile.BN);
  const std::int64_t tiles = (Exact(rows) * columns).count("tiles", product);
  const std::int64_t slots = (Exact(sms) * blocks_per_sm).count("blocks", "SMs", std::to_string(sms));
  const std::int64_t waves = tiles_over(tiles, slots), last = tiles - (waves - 1) * slots;
  const double slot_count = static_cast<double>(slots);
  const double covered = static_cast<double>(rows) * static_cast<double>(tile.BM) *
                         static_cast<double>(columns) * static_cast<double>(tile.BN);
  return {.tiles = tiles,
          .slots = slots,
          .waves = waves,
          .last_wave_tiles = last,
          .last_wave_efficiency = static_cast<double>(last) / slot_count,
          .efficiency = static_cast<double>(tiles) / (static_cast<double>(waves) * slot_count),
          .edge_efficiency = static_cast<double>(product.M) * static_cast<double>(product.N) / covered};
}

}  // namespace tilewright
