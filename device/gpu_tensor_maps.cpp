// SPDX-License-Identifier: MIT
#include "device/gpu_tensor_maps.h"

#include <cuda.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "device/cuda_check.h"

namespace tilewright {
namespace {

static_assert(sizeof(TensorMap) == sizeof(CUtensorMap) && alignof(TensorMap) >= alignof(CUtensorMap),
              "a kernel is given the driver's map");

constexpr std::uintptr_t unit_bytes = 16;

// The driver's function, found in the driver at run time: the program is not linked with it.
decltype(&cuTensorMapEncodeTiled) encoder() {
  constexpr const char* name = "cuTensorMapEncodeTiled";
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found{};
#if CUDART_VERSION >= 12050
  check_cuda(cudaGetDriverEntryPointByVersion(name, &function, 12000, cudaEnableDefault, &found),
             "looking for the driver's maker of tensor maps");
#else
  check_cuda(cudaGetDriverEntryPoint(name, &function, cudaEnableDefault, &found),
             "looking for the driver's maker of tensor maps");
#endif
  if (found != cudaDriverEntryPointSuccess || function == nullptr)
    throw Error(Code::unsupported, "driver", name, "the driver has no such function; CUDA 12 has it");
  return reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(function);
}

TensorMap encode(const Rung& rung, const TensorSource& source, const float* base) {
  static const auto make = encoder();
  if (reinterpret_cast<std::uintptr_t>(base) % unit_bytes != 0)
    throw Error(Code::unsupported, rung.name, "a tensor's first element",
                "does not lie at a multiple of 16 bytes");
  const cuuint64_t sides[] = {static_cast<cuuint64_t>(source.columns), static_cast<cuuint64_t>(source.rows)};
  const cuuint64_t pitch_bytes[] = {static_cast<cuuint64_t>(source.pitch) * sizeof(float)};
  const cuuint32_t box[] = {static_cast<cuuint32_t>(source.box_columns),
                            static_cast<cuuint32_t>(source.box_rows)};
  const cuuint32_t every[] = {1, 1};
  CUtensorMap made;
  const CUresult status =
      make(&made, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, const_cast<float*>(base), sides, pitch_bytes, box,
           every, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
           CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (status != CUDA_SUCCESS)
    throw Error(Code::unsupported, rung.name,
                "boxes of " + std::to_string(source.box_rows) + " rows and " +
                    std::to_string(source.box_columns) + " columns",
                "the driver makes no tensor map of them (error " + std::to_string(status) +
                    "); a box's rows are multiples of 16 bytes");
  TensorMap map;
  std::memcpy(&map, &made, sizeof made);
  return map;
}

}  // namespace

GpuTensorMaps::GpuTensorMaps(const Rung& rung, const Problem& problem)
    : rung_(rung), tensors_(rung.tensors(problem)) {}

GpuTensorMaps::Maps& GpuTensorMaps::of(const float* A, const float* B, const float* scratch) {
  const std::array buffers{A, B, scratch};
  if (const auto known = made_.find(buffers); known != made_.end()) return known->second;
  return made_[buffers] = {encode(rung_, tensors_.a, tensors_.a.base(A, B, scratch)),
                           encode(rung_, tensors_.b, tensors_.b.base(A, B, scratch))};
}

}  // namespace tilewright
