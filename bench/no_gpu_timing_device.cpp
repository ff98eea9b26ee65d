// SPDX-License-Identifier: MIT
//
// Stands in for gpu_timing_device.cpp in a build without the CUDA toolkit.
#include "bench/cublas_device.h"
#include "bench/stand.h"
#include "core/error.h"
#include "device/gpu_device.h"

namespace tilewright {

std::unique_ptr<TimingDevice> make_gpu_timing_device() {
  throw Error(Code::unavailable, "bench", "gpu", "UNAVAILABLE(" + gpu_unavailable() + ")");
}

std::unique_ptr<Device> make_cublas_device() {
  throw Error(Code::unavailable, "--device", "cublas", "UNAVAILABLE(" + gpu_unavailable() + ")");
}

}  // namespace tilewright
