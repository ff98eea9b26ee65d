// SPDX-License-Identifier: MIT
//
// What `tilewright model` answers: for each question the object of --json and the lines of the text, made
// from the same numbers.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/app.h"
#include "model/block_order.h"
#include "model/exact.h"
#include "model/mma.h"
#include "model/occupancy.h"
#include "model/roofline.h"

namespace tilewright {

struct ModelAnswer {
  std::string question;                        // "traffic 17x19x23, tile 16x16"
  std::vector<std::vector<std::string>> rows;  // a text table
  Json json;                                   // what is asked and the numbers
  std::span<const std::string_view> assumptions;
};

// The text, or with --json {"schema", "model": true, …, "assumptions"}.
void print_answer(const App& app, const ModelAnswer& answer);

ModelAnswer traffic_answer(ProductSize product, OutputTile tile, std::int64_t element_bytes);
ModelAnswer tiled_answer(ProductSize product, std::int64_t b);
ModelAnswer two_level_answer(ProductSize product, std::int64_t b, std::int64_t t);
ModelAnswer roofline_answer(ProductSize product, std::int64_t T, Machine machine, std::int64_t element_bytes);
ModelAnswer bound_answer(ProductSize product, std::int64_t on_chip);
ModelAnswer mma_answer(ProductSize product, MmaShape mma);
ModelAnswer waves_answer(ProductSize product, OutputTile tile, std::int64_t sms, std::int64_t blocks_per_sm);
ModelAnswer occupancy_answer(const Architecture& architecture, BlockResources block);
ModelAnswer order_answer(ProductSize product, OutputTile tile, BlockOrder order, std::int64_t group,
                         std::int64_t resident);
ModelAnswer split_k_answer(ProductSize product, OutputTile tile, std::int64_t BK, std::int64_t splits);
ModelAnswer phases_answer(ProductSize product, std::int64_t T);

}  // namespace tilewright
