// SPDX-License-Identifier: MIT
#include "model/phases.h"

#include <algorithm>

#include "core/error.h"

namespace tilewright {

std::vector<Phase> list_phases(ProductSize product, std::int64_t T) {
  require_product(product);
  require_positive("tile T", T);
  require_at_most("tile T", T, 32, "a block has at most 1024 threads, so T is at most 32");
  const auto [M, N, K] = product;
  const std::int64_t rows = tiles_over(M, T), columns = tiles_over(N, T), phases = tiles_over(K, T);
  const std::int64_t total = (Exact(rows) * columns * phases).count("phases", product);
  require_at_most("phases", total, most_listed_phases, "at most 100000 of all blocks are listed");
  std::vector<Phase> list;
  list.reserve(static_cast<std::size_t>(total));
  for (std::int64_t y = 0; y < rows; ++y)
    for (std::int64_t x = 0; x < columns; ++x)
      for (std::int64_t phase = 0; phase < phases; ++phase) {
        const std::int64_t valid_rows = std::min(T, M - y * T), valid_columns = std::min(T, N - x * T);
        const std::int64_t valid_k = std::min(T, K - phase * T);
        const std::int64_t loaded = valid_k * (valid_rows + valid_columns);
        list.push_back({.block_x = x,
                        .block_y = y,
                        .phase = phase,
                        .valid_k = valid_k,
                        .zero_filled_k = T - valid_k,
                        .participating_threads = T * T,
                        .storing_threads = valid_rows * valid_columns,
                        .loaded_elements = loaded,
                        .zero_elements = 2 * T * T - loaded});
      }
  return list;
}

}  // namespace tilewright
