// SPDX-License-Identifier: MIT
#include "report/ladder_step.h"

#include <filesystem>

#include "core/read_file.h"
#include "device/catalog.h"

namespace tilewright {

std::string LadderStep::name() const {
  const std::string file = page.substr(page.rfind('/') + 1);
  const std::size_t number = file.find('_') + 1;
  return file.substr(number, file.rfind('.') - number);
}

std::vector<LadderStep> read_steps(const std::string& root, const std::string& modules) {
  std::vector<LadderStep> steps;
  Catalog catalog;
  catalog.load_folder(modules);
  for (const Rung& rung : catalog.rungs()) {
    // A rung's page lies beside its source and has its name.
    const std::string page = std::filesystem::path(rung.source).replace_extension(".md").string();
    if (steps.empty() || steps.back().page != page)
      steps.push_back({page, rung.idea, {}, rung_texts(read_file(std::filesystem::path(root) / page), page)});
    steps.back().rungs.emplace_back(rung.name);
  }
  return steps;
}

}  // namespace tilewright
