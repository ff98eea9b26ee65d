// SPDX-License-Identifier: MIT
#include "bench/cublas_device.h"

namespace tilewright {

std::vector<Rung> cublas_kernels() {
  std::vector<Rung> kernels;
  for (const char* name : {"cublas_default", "cublas_pedantic", "cublaslt"})
    kernels.push_back({.name = name,
                       .idea = "NVIDIA's BLAS library",
                       .source = "",
                       .tile = {1, 1, 1},
                       .block = {1, 1},
                       .grid_order = GridOrder::columns_along_x,
                       .static_shared_bytes = 0,
                       .kernel = nullptr,
                       .predict = nullptr});
  return kernels;
}

}  // namespace tilewright
