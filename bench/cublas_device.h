// SPDX-License-Identifier: MIT
//
// cuBLAS as a device of its own, so that the rival is judged by the same plan, inputs and reference as the rungs.
#pragma once

#include <memory>
#include <vector>

#include "device/device.h"

namespace tilewright {

// cublas_default, cublas_pedantic, and cublaslt: the first algorithm of its heuristic list for the shape. No CUDA kernels.
std::vector<Rung> cublas_kernels();

// Runs what cublas_kernels() names. Throws Error(unavailable) without a GPU or without the library.
std::unique_ptr<Device> make_cublas_device();

}  // namespace tilewright
