// SPDX-License-Identifier: MIT
//
// The CPU's BLAS as a device: it has one kernel of its own, `openblas`, and runs no rung.
#pragma once

#include "device/device.h"

namespace tilewright {

// What the CPU device computes with, in the form of a rung, so that plans and records can name it.
const Rung& openblas_kernel();

class CpuDevice : public Device {
 public:
  std::string name() const override { return "cpu"; }
  Environment environment() const override;
  void require_launchable(const Rung& rung, Shape shape) const override;
  std::unique_ptr<Placement> place(const Matrix& A, const Matrix& B) override;
  int multiprocessors() const override { return 0; }
};

}  // namespace tilewright
