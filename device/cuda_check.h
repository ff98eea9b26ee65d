// SPDX-License-Identifier: MIT
//
// The one way a status of CUDA's runtime is looked at.
#pragma once

#include <cuda_runtime.h>

#include <source_location>
#include <string>

#include "core/error.h"

namespace tilewright {

inline void check_cuda(cudaError_t status, const std::string& doing,
                       const std::source_location& where = std::source_location::current()) {
  if (status == cudaSuccess) return;
  // The error is read, so that what follows does not see it again; a fault of the kernel stays in the
  // context.
  cudaGetLastError();
  throw Error(Code::fault, "CUDA", cudaGetErrorName(status),
              doing + ": " + cudaGetErrorString(status) + " (" + where.file_name() + ":" +
                  std::to_string(where.line()) + ")");
}

}  // namespace tilewright
