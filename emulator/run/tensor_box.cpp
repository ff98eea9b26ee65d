// SPDX-License-Identifier: MIT
#include "emulator/run/tensor_box.h"

#include <algorithm>

namespace tilewright {
namespace {

// Of `length` numbers from `first` on, those that are 0 … end−1; relative to `first`.
struct Inside {
  std::int64_t begin, end;
  Inside(std::int64_t first, std::int64_t length, std::int64_t end_of_all)
      : begin(std::max<std::int64_t>(0, -first)), end(std::min(length, end_of_all - first)) {}
};

}  // namespace

BulkTransfer TensorBox::transfer() const {
  BulkTransfer all{.to = to, .bytes = bytes(), .pc = pc};
  const Inside rows(y, tensor.box_rows, tensor.rows), columns(x, tensor.box_columns, tensor.columns);
  if (columns.begin >= columns.end) return all;
  for (std::int64_t row = rows.begin; row < rows.end; ++row) {
    const float* const from = tensor.base + (y + row) * tensor.pitch + x + columns.begin;
    all.pieces.push_back({reinterpret_cast<std::uintptr_t>(from),
                          static_cast<unsigned>(row) * row_bytes() +
                              static_cast<unsigned>(columns.begin) * unsigned{sizeof(float)},
                          static_cast<unsigned>(columns.end - columns.begin) * unsigned{sizeof(float)}});
  }
  return all;
}

}  // namespace tilewright
