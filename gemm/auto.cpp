// SPDX-License-Identifier: MIT
#include "gemm/auto.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace tilewright {

const Rung& auto_kernel() {
  static constexpr Rung kernel{.name = "auto",
                               .idea = "the rung that is chosen for the shape (`tilewright explain`)",
                               .source = "",
                               .tile = {32, 32, 32},
                               .block = {1, 1},
                               .grid_order = GridOrder::columns_along_x,
                               .static_shared_bytes = 0,
                               .kernel = nullptr,
                               .predict = nullptr};
  return kernel;
}

bool is_auto(const Rung& rung) { return std::string_view(rung.name) == auto_kernel().name; }

nlohmann::ordered_json to_json(const Choice& choice) {
  return {{"rung", choice.rung}, {"reason", choice.reason}};
}

Chooser::Chooser(std::vector<Rung> available, std::vector<TunedTable> tables, const Environment& environment)
    : available_(std::move(available)), tables_(std::move(tables)), gpu_(value_in(environment, "gpu")) {
  const std::string count = value_in(environment, "multiprocessors");
  std::from_chars(count.data(), count.data() + count.size(), multiprocessors_);
}

Chosen Chooser::choose(Shape shape, const Refusal& refusal) const {
  const auto table =
      std::find_if(tables_.begin(), tables_.end(), [&](const TunedTable& one) { return one.gpu == gpu_; });
  const ChoiceRequest request{.problem = {shape.M, shape.N, shape.K, multiprocessors_}, .gpu = gpu_};
  Choice choice =
      tilewright::choose(request, table == tables_.end() ? nullptr : &*table, available_, refusal);
  const auto rung = std::find_if(available_.begin(), available_.end(),
                                 [&](const Rung& one) { return one.name == choice.rung; });
  return {*rung, std::move(choice)};
}

}  // namespace tilewright
