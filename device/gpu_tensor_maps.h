// SPDX-License-Identifier: MIT
//
// The tensor maps of a rung's launches, made by the driver. Making one takes the host longer than a launch may, so each is
// made once for the buffers it is of.
#pragma once

#include <array>
#include <map>

#include "kernels/rung.h"
#include "kernels/tensor_map.h"

namespace tilewright {

class GpuTensorMaps {
 public:
  // Of a rung that has tensors.
  GpuTensorMaps(const Rung& rung, const Problem& problem);

  struct Maps {
    TensorMap a, b;
  };
  // Throws Error(unsupported) where a buffer is not aligned to 16 bytes.
  Maps& of(const float* A, const float* B, const float* scratch);

 private:
  const Rung& rung_;
  Tensors tensors_;
  std::map<std::array<const float*, 3>, Maps> made_;  // by A, B and scratch
};

}  // namespace tilewright
