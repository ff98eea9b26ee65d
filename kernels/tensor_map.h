// SPDX-License-Identifier: MIT
//
// What a kernel is given of a matrix that tensor copies take boxes of (kernels/words/tensor_copy.h). On a GPU the words are
// the driver's: it makes them, and the copy engine reads them. For the emulator they hold an EmulatedTensor.
//
// Included by host code too, so there is no PTX here.
#pragma once

#include <cstdint>
#include <cstring>

namespace tilewright {

// As large as the driver's CUtensorMap and as aligned as any CUDA has had it (12: 64, 13: 128).
struct alignas(128) TensorMap {
  std::uint64_t words[16];
};

// A row-major matrix of float32, in floats.
struct EmulatedTensor {
  const float* base;
  std::int64_t rows, columns, pitch;  // pitch: from one row's begin to the next one's
  int box_rows, box_columns;
};
static_assert(sizeof(EmulatedTensor) <= sizeof(TensorMap), "the words hold it");

inline TensorMap emulated_map(const EmulatedTensor& tensor) {
  TensorMap map{};
  std::memcpy(&map, &tensor, sizeof tensor);
  return map;
}

inline EmulatedTensor emulated_tensor(const void* map) {
  EmulatedTensor tensor;
  std::memcpy(&tensor, map, sizeof tensor);
  return tensor;
}

}  // namespace tilewright
