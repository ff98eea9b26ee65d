// SPDX-License-Identifier: MIT
//
// An NVIDIA GPU as a device. In a build without the CUDA toolkit, and on a machine without a GPU,
// gpu_unavailable() says why there is none.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "device/device.h"

namespace tilewright {

struct GpuSettings {
  // Guard memory on both sides of every buffer, checked after each launch. 0 makes every allocation exactly
  // as large as its matrix, so that compute-sanitizer sees the first byte beyond it.
  std::int64_t red_zone_bytes = 64 << 10;
  std::uint64_t seed = 1;  // of the sentinels
};

// Empty when a GPU can be used; otherwise the reason. Does not touch CUDA in a build without it.
std::string gpu_unavailable();

// Whether this build holds GPU code for the rung.
bool gpu_has(const Rung& rung);

// What the kernels of one launch of the rung are called in the GPU code, as the compiler mangled them, the rung's own last:
// the names by which profilers and disassemblers know them. Throws Error(unsupported) when this build holds no GPU code for
// the rung.
std::vector<std::string> gpu_symbols(const Rung& rung, const Problem& problem);

// Throws Error(unavailable) with the reason.
std::unique_ptr<Device> make_gpu_device(const GpuSettings& settings);

}  // namespace tilewright
