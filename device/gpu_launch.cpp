// SPDX-License-Identifier: MIT
#include "device/gpu_launch.h"

#include <string_view>
#include <vector>

#include "device/cuda_check.h"
#include "device/device.h"

namespace {
std::vector<tilewright::Rung>& gpu_rungs() {
  static std::vector<tilewright::Rung> rungs;
  return rungs;
}
}  // namespace

extern "C" void tilewright_register_gpu_rungs(tilewright::RungList list) {
  gpu_rungs().insert(gpu_rungs().end(), list.rungs, list.rungs + list.count);
}

namespace tilewright {

const Rung* find_gpu_rung(const Rung& rung) {
  for (const Rung& own : gpu_rungs())
    if (std::string_view(own.name) == rung.name) return &own;
  return nullptr;
}

const Rung& gpu_rung(const Rung& rung) {
  if (const Rung* own = find_gpu_rung(rung)) return *own;
  throw Error(Code::unsupported, "kernel", rung.name,
              "is not compiled for the GPU; it runs on --device emulator");
}

GpuLaunch::GpuLaunch(const Rung& rung, Shape shape)
    : rung_(&gpu_rung(rung)),
      M_(static_cast<int>(shape.M)),
      N_(static_cast<int>(shape.N)),
      K_(static_cast<int>(shape.K)) {
  const Grid grid = grid_of(*rung_, shape);
  grid_ = dim3(static_cast<unsigned>(grid.x), static_cast<unsigned>(grid.y));
  block_ = dim3(static_cast<unsigned>(rung_->block.x), static_cast<unsigned>(rung_->block.y));
  // Above 48 KiB a kernel gets dynamic shared memory only when it was asked for beforehand.
  check_cuda(cudaFuncSetAttribute(reinterpret_cast<const void*>(rung_->kernel),
                                  cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  static_cast<int>(rung_->dynamic_shared_bytes)),
             std::string("asking for the dynamic shared memory of ") + rung_->name);
}

void GpuLaunch::operator()(const float* A, const float* B, float* C, cudaStream_t stream) const {
  int m = M_, n = N_, k = K_;
  void* arguments[] = {&A, &B, &C, &m, &n, &k};
  const cudaError_t status =
      cudaLaunchKernel(reinterpret_cast<const void*>(rung_->kernel), grid_, block_, arguments,
                       static_cast<std::size_t>(rung_->dynamic_shared_bytes), stream);
  // The text is made only for a failure: a timed launch has no room for it.
  if (status != cudaSuccess) check_cuda(status, std::string("launching ") + rung_->name);
}

}  // namespace tilewright
