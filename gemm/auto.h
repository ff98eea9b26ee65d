// SPDX-License-Identifier: MIT
//
// `auto` where a kernel's name is asked for: a stand-in that takes a rung's place in a plan, and who resolves it, shape
// by shape, for one device.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "device/device.h"
#include "gemm/choose.h"

namespace tilewright {

// Its name is "auto"; it cannot be launched. Its tile is no rung's: a plan draws shapes round it.
const Rung& auto_kernel();
bool is_auto(const Rung& rung);

struct Chosen {
  Rung rung;
  Choice choice;
};

// {"rung": …, "reason": …}
nlohmann::ordered_json to_json(const Choice& choice);

class Chooser {
 public:
  // `environment` is the device's own words: its "gpu" and "multiprocessors", where it has them.
  Chooser(std::vector<Rung> available, std::vector<TunedTable> tables, const Environment& environment);

  Chosen choose(Shape shape, const Refusal& refusal) const;
  const std::string& gpu() const { return gpu_; }
  int multiprocessors() const { return multiprocessors_; }

 private:
  std::vector<Rung> available_;
  std::vector<TunedTable> tables_;
  std::string gpu_;
  int multiprocessors_ = 0;
};

}  // namespace tilewright
