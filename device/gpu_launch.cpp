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

static int attribute_of_gpu(cudaDeviceAttr which, const char* asking) {
  int device = 0, value = 0;
  check_cuda(cudaGetDevice(&device), "asking which GPU is in use");
  check_cuda(cudaDeviceGetAttribute(&value, which, device), asking);
  return value;
}

int gpu_multiprocessors() {
  return attribute_of_gpu(cudaDevAttrMultiProcessorCount, "asking for the number of multiprocessors");
}

static bool is_hopper_or_later() {
  return attribute_of_gpu(cudaDevAttrComputeCapabilityMajor, "asking for the compute capability") >= 9;
}
bool launches_can_overlap() { return is_hopper_or_later(); }

cudaError_t launch_kernel(const KernelLaunch& launch, bool overlaps, void** arguments, cudaStream_t stream) {
  cudaLaunchAttribute attributes[2]{};
  unsigned count = 0;
  if (overlaps) {
    attributes[count].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[count++].val.programmaticStreamSerializationAllowed = 1;
  }
  if (launch.cluster > 1) {
    attributes[count].id = cudaLaunchAttributeClusterDimension;
    attributes[count].val.clusterDim.x = launch.cluster;
    attributes[count].val.clusterDim.y = attributes[count].val.clusterDim.z = 1;
    ++count;
  }
  const cudaLaunchConfig_t config{.gridDim = launch.grid,
                                  .blockDim = launch.block,
                                  .dynamicSmemBytes = launch.dynamic_shared_bytes,
                                  .stream = stream,
                                  .attrs = attributes,
                                  .numAttrs = count};
  return cudaLaunchKernelExC(&config, launch.entry, arguments);
}

GpuLaunch::GpuLaunch(const Rung& rung, Shape shape)
    : rung_(&gpu_rung(rung)), problem_(problem_of(shape, gpu_multiprocessors())) {
  if (rung.cluster > 1 && !is_hopper_or_later())
    throw Error(Code::unsupported, "kernel", rung.name,
                "needs clusters of blocks: a GPU of compute capability 9.0 or later");
  for (const Rung& kernel : kernels_of(*rung_, problem_)) {
    const Grid grid = grid_of(kernel, problem_);
    kernels_.push_back(
        {.launch = {.entry = entry_of(kernel),
                    .grid = dim3(static_cast<unsigned>(grid.x), static_cast<unsigned>(grid.y),
                                 static_cast<unsigned>(grid.z)),
                    .block =
                        dim3(static_cast<unsigned>(kernel.block.x), static_cast<unsigned>(kernel.block.y)),
                    .dynamic_shared_bytes = static_cast<std::size_t>(kernel.dynamic_shared_bytes),
                    .cluster = static_cast<unsigned>(kernel.cluster)},
         .takes_tensors = kernel.tensor_kernel != nullptr});
    // Above 48 KiB a kernel gets dynamic shared memory only when it was asked for beforehand.
    check_cuda(cudaFuncSetAttribute(entry_of(kernel), cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    static_cast<int>(kernel.dynamic_shared_bytes)),
               std::string("asking for the dynamic shared memory of ") + rung_->name);
  }
  overlaps_ = rung_->overlaps && launches_can_overlap();
  if (rung_->tensors != nullptr) maps_.emplace(*rung_, problem_);
}

std::vector<Grid> GpuLaunch::grids() const {
  std::vector<Grid> grids;
  for (const Kernel& kernel : kernels_)
    grids.push_back({kernel.launch.grid.x, kernel.launch.grid.y, kernel.launch.grid.z});
  return grids;
}

void GpuLaunch::operator()(const float* A, const float* B, float* C, float* scratch, cudaStream_t stream) {
  int m = static_cast<int>(problem_.M), n = static_cast<int>(problem_.N), k = static_cast<int>(problem_.K);
  void* arguments[] = {&A, &B, &C,      &m,
                       &n, &k, &scratch};  // a kernel without scratch does not look at the last
  void* tensor_arguments[] = {nullptr, nullptr, &C, &m, &n, &k, &scratch};
  if (maps_) {
    GpuTensorMaps::Maps& maps = maps_->of(A, B, scratch);
    tensor_arguments[0] = &maps.a;
    tensor_arguments[1] = &maps.b;
  }
  cudaError_t status = cudaSuccess;
  if (rung_->adds_to_output)
    status = cudaMemsetAsync(C, 0, static_cast<std::size_t>(problem_.M * problem_.N) * sizeof(float), stream);
  for (const Kernel& kernel :
       kernels_)  // in one stream: each begins, or goes on, when the one before it has ended
    if (status == cudaSuccess)
      status = launch_kernel(kernel.launch, overlaps_, kernel.takes_tensors ? tensor_arguments : arguments,
                             stream);
  // The text is made only for a failure: a timed launch has no room for it.
  if (status != cudaSuccess) check_cuda(status, std::string("launching ") + rung_->name);
}

}  // namespace tilewright
