// SPDX-License-Identifier: MIT
//
// The GPU's compilation of the rungs, and the one way in which a rung is launched there: by the device that checks
// it and by the bench that times it.
#pragma once

#include <cuda_runtime.h>

#include "core/shape.h"
#include "kernels/rung.h"

namespace tilewright {

// The catalog knows a rung by the emulator's compilation. Null, or Error(unsupported), when this build has no GPU code
// for it.
const Rung* find_gpu_rung(const Rung& rung);
const Rung& gpu_rung(const Rung& rung);

// A rung made ready for one shape; what is left to do is all that a timed launch does.
class GpuLaunch {
 public:
  GpuLaunch(const Rung& rung, Shape shape);
  const Rung& rung() const { return *rung_; }
  void operator()(const float* A, const float* B, float* C, cudaStream_t stream) const;

 private:
  const Rung* rung_;
  int M_, N_, K_;
  dim3 grid_, block_;
};

}  // namespace tilewright
