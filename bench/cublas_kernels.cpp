// SPDX-License-Identifier: MIT
#include "bench/cublas_device.h"

namespace tilewright {

std::vector<Rung> cublas_kernels() {
  std::vector<Rung> kernels;
  for (const char* name : {"cublas_default", "cublas_pedantic", "cublaslt"})
    kernels.push_back(kernel_of_library(name, "NVIDIA's BLAS library"));
  return kernels;
}

}  // namespace tilewright
