// SPDX-License-Identifier: MIT
//
// The float64 reference of a product of generated operands: all of it where that is quick, else where a sample of rows
// crosses a sample of columns, the first and the last among them. Rows of A and columns of B are made anew from their
// positions, so nothing is copied from the GPU but the rows of C.
#pragma once

#include <vector>

#include "bench/patterns.h"
#include "bench/stand.h"
#include "judge/reference.h"

namespace tilewright {

class SampledReference {
 public:
  // Of the operands of input_stream(seed, set, …). `thorough`: every element up to 2^27 multiply-adds, else 48 rows by
  // 48 columns; otherwise 8 by 8.
  SampledReference(Shape shape, std::uint64_t seed, std::int64_t set, bool thorough);

  const std::vector<std::int64_t>& rows() const { return rows_; }
  // C holds the rows() of the product, each with all of its N elements.
  JudgedOutput judge(const std::vector<float>& C) const;

 private:
  Shape shape_;
  std::vector<std::int64_t> rows_, columns_;
  Reference reference_;
};

}  // namespace tilewright
