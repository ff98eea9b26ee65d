// SPDX-License-Identifier: MIT
//
// Stands in for gpu_device.cpp in a build without the CUDA toolkit.
#include "core/error.h"
#include "device/gpu_device.h"

namespace tilewright {

std::string gpu_unavailable() { return "this build has no GPU code (build with ./dev gpu)"; }

bool gpu_has(const Rung&) { return false; }

std::vector<std::string> gpu_symbols(const Rung& rung, const Problem&) {
  throw Error(Code::unsupported, "kernel", rung.name, gpu_unavailable());
}

std::unique_ptr<Device> make_gpu_device(const GpuSettings&) {
  throw Error(Code::unavailable, "device", "gpu", gpu_unavailable());
}

}  // namespace tilewright
