// SPDX-License-Identifier: MIT
//
// The emulator as a device: any rung of the catalog on the CPU, with every access counted and every race
// found.
#pragma once

#include "device/catalog.h"
#include "device/device.h"
#include "emulator/run/emulator.h"

namespace tilewright {

class EmulatorDevice : public Device {
 public:
  // The catalog must outlive the device.
  explicit EmulatorDevice(const Catalog& catalog, EmulatorSettings settings = {})
      : catalog_(catalog), settings_(settings) {}

  std::string name() const override { return "emulator"; }
  Environment environment() const override;
  void require_launchable(const Rung& rung, Shape shape) const override;
  std::unique_ptr<Placement> place(const Matrix& A, const Matrix& B) override;
  int multiprocessors() const override { return settings_.multiprocessors; }

  EmulatorSettings& settings() { return settings_; }

 private:
  class EmulatedPlacement;
  const Catalog& catalog_;
  EmulatorSettings settings_;
  Emulator emulator_;
};

}  // namespace tilewright
