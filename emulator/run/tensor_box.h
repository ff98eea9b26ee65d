// SPDX-License-Identifier: MIT
//
// One tensor copy (kernels/words/tensor_copy.h): a box of a matrix, as far as it lies in the matrix, to a place in shared
// memory.
#pragma once

#include <cstdint>

#include "emulator/watch/watcher.h"
#include "kernels/tensor_map.h"

namespace tilewright {

struct TensorBox {
  EmulatedTensor tensor{};
  int x = 0, y = 0;  // of its first element: column and row
  std::uintptr_t to = 0, pc = 0;

  unsigned row_bytes() const { return static_cast<unsigned>(tensor.box_columns) * sizeof(float); }
  unsigned bytes() const { return static_cast<unsigned>(tensor.box_rows) * row_bytes(); }
  // A piece for each row that has something in the matrix.
  BulkTransfer transfer() const;
};

}  // namespace tilewright
