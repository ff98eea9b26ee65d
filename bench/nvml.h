// SPDX-License-Identifier: MIT
//
// The driver's management library, found when the program runs: clock, power, temperature and why the clock is not
// higher. Where it is absent, or does not know one of them, that one is none.
#pragma once

#include <memory>
#include <string>

#include "bench/stand.h"

namespace tilewright {

class Nvml {
 public:
  // `pci_bus_id` as CUDA writes it: 0000:0f:00.0. Never throws: without the library everything is none.
  explicit Nvml(const std::string& pci_bus_id, const std::string& library = "libnvidia-ml.so.1");
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  const std::string& unavailable() const { return unavailable_; }  // the reason; empty when it answers
  Conditions conditions() const;
  std::string driver_version() const;
  std::optional<double> power_limit_w() const;

 private:
  struct Functions;
  std::unique_ptr<Functions> functions_;
  void* device_ = nullptr;
  std::string unavailable_;
};

}  // namespace tilewright
