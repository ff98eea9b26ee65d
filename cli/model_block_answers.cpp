// SPDX-License-Identifier: MIT
//
// The answers of tilewright model about blocks and the order they run in, and about cutting their reduction.
#include <fmt/format.h>

#include "cli/model.h"
#include "model/splits.h"
#include "model/traffic.h"

namespace tilewright {
namespace {

const char* name_of(BlockOrder order) {
  switch (order) {
    case BlockOrder::row:
      return "row";
    case BlockOrder::grouped:
      return "grouped";
    case BlockOrder::hilbert:
      return "hilbert";
  }
  return "";
}

}  // namespace

ModelAnswer order_answer(ProductSize product, OutputTile tile, BlockOrder order, std::int64_t group,
                         std::int64_t resident) {
  const std::int64_t reads = order_reads(product, tile, order, group, resident);
  const Traffic traffic = matmul_traffic(product, tile);
  return {.question = fmt::format("order {}, tile {}, {} order, {} resident blocks", text_of(product),
                                  text_of(tile), name_of(order), resident),
          .rows = {{"", "elements"},
                   {"loads from memory, each strip once a wave", with_commas(reads)},
                   {"without an L2", with_commas(traffic.tiled)},
                   {"minimum, MK + KN", with_commas(traffic.minimum)}},
          .json = {{"question", "order"},
                   {"shape", {product.M, product.N, product.K}},
                   {"tile", {tile.BM, tile.BN}},
                   {"order", name_of(order)},
                   {"group", group},
                   {"resident", resident},
                   {"memory_reads", reads},
                   {"tiled", traffic.tiled},
                   {"minimum", traffic.minimum}},
          .assumptions = order_assumptions};
}

ModelAnswer split_k_answer(ProductSize product, OutputTile tile, std::int64_t BK, std::int64_t splits) {
  const SplitK split = split_k(product, tile, BK, splits);
  return {.question =
              fmt::format("split-k {}, tile {}x{}, {} splits", text_of(product), text_of(tile), BK, splits),
          .rows = {{"reduction steps of a tile", with_commas(split.steps)},
                   {"steps of a split", with_commas(split.steps_per_split)},
                   {"splits that are not empty", with_commas(split.splits)},
                   {"blocks", with_commas(split.blocks)},
                   {"elements of workspace", with_commas(split.workspace_elements)}},
          .json = {{"question", "split-k"},
                   {"shape", {product.M, product.N, product.K}},
                   {"tile", {tile.BM, tile.BN, BK}},
                   {"steps", split.steps},
                   {"steps_per_split", split.steps_per_split},
                   {"splits", split.splits},
                   {"blocks", split.blocks},
                   {"workspace_elements", split.workspace_elements}},
          .assumptions = split_k_assumptions};
}

}  // namespace tilewright
