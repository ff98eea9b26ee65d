// SPDX-License-Identifier: MIT
#include "model/mma.h"

namespace tilewright {
namespace {

double filled(std::int64_t extent, std::int64_t fragment) {
  return static_cast<double>(extent) /
         (static_cast<double>(tiles_over(extent, fragment)) * static_cast<double>(fragment));
}

}  // namespace

MmaCount mma_count(ProductSize product, MmaShape mma) {
  require_product(product);
  require_positive("mma m", mma.m);
  require_positive("mma n", mma.n);
  require_positive("mma k", mma.k);
  const auto [M, N, K] = product;
  const Exact instructions = Exact(tiles_over(M, mma.m)) * tiles_over(N, mma.n) * tiles_over(K, mma.k);
  return {.instructions = instructions.count("instructions", product),
          .utilization = filled(M, mma.m) * filled(N, mma.n) * filled(K, mma.k)};
}

}  // namespace tilewright
