// SPDX-License-Identifier: MIT
//
// The rungs there are, as they declare themselves, with the emulator's module of each. Read from a folder of
// modules: there is no other list.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "emulator/run/kernel_module.h"
#include "kernels/rung.h"

namespace tilewright {

class Catalog {
 public:
  Catalog() = default;

  // Every module of the folder, in the order of their file names, which is the order of the ladder.
  void load_folder(const std::string& folder);
  // One more kernel, such as a user's. Returns its (first) rung.
  const Rung& add(std::unique_ptr<KernelModule> module);

  const std::vector<Rung>& rungs() const { return rungs_; }
  // Throws bad_input naming the nearest known rung.
  const Rung& find(const std::string& name) const;
  const KernelModule& module_of(const Rung& rung) const;

 private:
  std::vector<std::unique_ptr<KernelModule>> modules_;
  std::vector<Rung> rungs_;
};

}  // namespace tilewright
