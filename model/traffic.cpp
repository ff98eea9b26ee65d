// SPDX-License-Identifier: MIT
#include "model/traffic.h"

#include "core/error.h"

namespace tilewright {
namespace {

std::int64_t input_reads(ProductSize product, OutputTile tile, const char* what) {
  const auto [M, N, K] = product;
  return (Exact(M) * K * tiles_over(N, tile.BN) + Exact(K) * N * tiles_over(M, tile.BM)).count(what, product);
}

Exact padded_products(ProductSize product, OutputTile tile, std::int64_t BK) {
  const auto [M, N, K] = product;
  return Exact(tiles_over(M, tile.BM)) * tiles_over(N, tile.BN) * tiles_over(K, BK) * tile.BM * tile.BN * BK;
}

}  // namespace

Traffic matmul_traffic(ProductSize product, OutputTile tile) {
  require_product(product);
  require_tile(tile);
  const auto [M, N, K] = product;
  const Exact inputs = Exact(M) * K + Exact(K) * N;
  return {.naive = (Exact(2) * M * N * K).count("2MNK element loads", product),
          .tiled = input_reads(product, tile, "tiled element loads"),
          .minimum = inputs.count("input elements", product),
          .minimum_with_output = (inputs + Exact(M) * N).count("input and output elements", product)};
}

double block_intensity(OutputTile tile, std::int64_t element_bytes) {
  require_tile(tile);
  require_positive("element bytes", element_bytes);
  const double BM = static_cast<double>(tile.BM), BN = static_cast<double>(tile.BN);
  return 2.0 * BM * BN / (static_cast<double>(element_bytes) * (BM + BN));
}

std::int64_t tile_shared_bytes(OutputTile tile, std::int64_t BK, std::int64_t element_bytes) {
  require_tile(tile);
  require_positive("BK", BK);
  require_positive("element bytes", element_bytes);
  return (Exact(element_bytes) * BK * (Exact(tile.BM) + tile.BN))
      .count("shared bytes", "tile", text_of(tile) + "x" + std::to_string(BK));
}

double shared_reads_per_multiply_add(OutputTile register_tile) {
  require_tile(register_tile, "register tile");
  return 1.0 / static_cast<double>(register_tile.BM) + 1.0 / static_cast<double>(register_tile.BN);
}

std::int64_t padded_multiply_adds(ProductSize product, OutputTile tile, std::int64_t BK) {
  require_product(product);
  require_tile(tile);
  require_positive("BK", BK);
  return padded_products(product, tile, BK).count("padded multiply-adds", product);
}

TiledCounts tiled_counts(ProductSize product, std::int64_t b) {
  require_product(product);
  require_positive("b", b);
  const auto [M, N, K] = product;
  return {.global_reads = input_reads(product, {b, b}, "tiled element loads"),
          .shared_reads = (Exact(2) * M * N * K).count("2MNK shared reads", product),
          .padded_shared_reads =
              (Exact(2) * padded_products(product, {b, b}, b)).count("padded shared reads", product)};
}

void require_two_level(ProductSize product, std::int64_t b, std::int64_t t) {
  require_product(product);
  require_positive("b", b);
  require_positive("t", t);
  if (b % t != 0)
    throw bad_input("t", std::to_string(t), "must divide the block tile, which is " + std::to_string(b));
}

TwoLevelCounts two_level_counts(ProductSize product, std::int64_t b, std::int64_t t) {
  require_two_level(product, b, t);
  return {.global_reads = input_reads(product, {b, b}, "tiled element loads"),
          .shared_reads = input_reads(product, {t, t}, "shared reads")};
}

}  // namespace tilewright
