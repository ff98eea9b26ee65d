// SPDX-License-Identifier: MIT
#include "device/catalog.h"

#include <algorithm>
#include <filesystem>

#include "core/error.h"
#include "core/nearest.h"

namespace tilewright {

void Catalog::load_folder(const std::string& folder) {
  std::error_code failure;
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failure))
    if (entry.path().extension() == ".so") paths.push_back(entry.path().string());
  if (paths.empty())
    throw Error(Code::unavailable, "rungs", folder,
                "holds no kernel modules; the installation is not complete");
  std::sort(paths.begin(), paths.end());
  for (const std::string& path : paths) add(std::make_unique<KernelModule>(path));
}

const Rung& Catalog::add(std::unique_ptr<KernelModule> module) {
  const std::size_t first = rungs_.size();
  rungs_.insert(rungs_.end(), module->rungs().begin(), module->rungs().end());
  modules_.push_back(std::move(module));
  return rungs_[first];
}

const Rung& Catalog::find(const std::string& name) const {
  std::vector<std::string> names;
  for (const Rung& rung : rungs_) {
    if (rung.name == name) return rung;
    names.emplace_back(rung.name);
  }
  throw bad_input(
      "kernel", name,
      "there is no such rung; did you mean " + nearest(name, names) + "? (`tilewright ladder` lists them)");
}

const KernelModule& Catalog::module_of(const Rung& rung) const {
  for (const auto& module : modules_)
    for (const Rung& own : module->rungs())
      if (entry_of(own) == entry_of(rung)) return *module;
  throw bad_input("kernel", rung.name, "is not in the catalog");
}

}  // namespace tilewright
