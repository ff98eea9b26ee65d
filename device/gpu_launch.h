// SPDX-License-Identifier: MIT
//
// The GPU's compilation of the rungs, and the one way in which a rung is launched there: by the device that checks
// it and by the bench that times it.
#pragma once

#include <cuda_runtime.h>

#include <optional>
#include <vector>

#include "core/shape.h"
#include "device/gpu_tensor_maps.h"
#include "kernels/rung.h"

namespace tilewright {

// The catalog knows a rung by the emulator's compilation. Null, or Error(unsupported), when this build has no GPU code
// for it.
const Rung* find_gpu_rung(const Rung& rung);
const Rung& gpu_rung(const Rung& rung);

// Of the GPU in use.
int gpu_multiprocessors();
// Whether a launch may begin while the one before in its stream still runs (kernels/words/launch_overlap.h).
bool launches_can_overlap();

struct KernelLaunch {
  const void* entry;
  dim3 grid, block;
  std::size_t dynamic_shared_bytes = 0;
  unsigned cluster = 1;  // blocks, along x
};
// overlaps: with the attribute for it.
cudaError_t launch_kernel(const KernelLaunch& launch, bool overlaps, void** arguments, cudaStream_t stream);

// A rung made ready for one shape; what is left to do is all that a timed launch does: zeros into a C that the rung adds to
// are part of it, and so is the rung's first kernel.
class GpuLaunch {
 public:
  GpuLaunch(const Rung& rung, Shape shape);
  const Rung& rung() const { return *rung_; }
  const Problem& problem() const { return problem_; }
  // Of each kernel, in the order in which they start; the last is the rung's own.
  std::vector<Grid> grids() const;
  // `scratch` holds scratch_of(rung(), problem()) floats, the counters among them zero.
  // The first launch on buffers makes the tensor maps of them, if the rung has any.
  void operator()(const float* A, const float* B, float* C, float* scratch, cudaStream_t stream);

 private:
  struct Kernel {
    KernelLaunch launch;
    bool takes_tensors;
  };

  const Rung* rung_;
  Problem problem_;
  bool overlaps_ = false;  // launches: the GPU can, and the rung is made for it
  std::vector<Kernel> kernels_;
  std::optional<GpuTensorMaps> maps_;
};

}  // namespace tilewright
