// SPDX-License-Identifier: MIT
#include "bench/gpu_tools.h"

namespace tilewright::gpu {

Hold::Hold() {
  void* host = nullptr;
  void* device = nullptr;
  check_cuda(cudaHostAlloc(&host, 2 * sizeof(int), cudaHostAllocMapped), "allocating the hold's flags");
  flags_ = static_cast<volatile int*>(host);
  flags_[0] = 0;
  flags_[1] = 0;
  check_cuda(cudaHostGetDevicePointer(&device, host, 0), "mapping the hold's flags");
  device_flags_ = static_cast<volatile int*>(device);
}

Hold::~Hold() {
  release();
  // The kernel reads the flags until it has seen the release.
  cudaDeviceSynchronize();
  cudaFreeHost(const_cast<int*>(flags_));
}

void Hold::begin(cudaStream_t stream) {
  flags_[0] = 0;
  flags_[1] = 0;
  hold(device_flags_, device_flags_ + 1, stream);
  check_cuda(cudaGetLastError(), "launching the hold");
}

L2Flush::L2Flush(std::int64_t l2_bytes)
    : scratch_(2 * l2_bytes / static_cast<std::int64_t>(sizeof(float4)),
               "the memory that is written to flush the L2") {}

void L2Flush::operator()(cudaStream_t stream) {
  // Not every device can set lines aside; then there are none.
  cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0);
  cudaCtxResetPersistingL2Cache();
  cudaGetLastError();
  value_ += 1.0F;
  write_over(scratch_.data(), scratch_.count(), value_, stream);
  check_cuda(cudaGetLastError(), "flushing the L2");
}

}  // namespace tilewright::gpu
