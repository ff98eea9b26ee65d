// SPDX-License-Identifier: MIT
//
// The shape of one product C[M x N] = A[M x K] * B[K x N], and a dense row-major float32 matrix.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

// A rectangle of a matrix.
struct Region {
  std::int64_t row = 0, column = 0, rows = 0, columns = 0;
};

struct Shape {
  std::int64_t M, N, K;
  auto operator<=>(const Shape&) const = default;

  // Multiply-adds of the product; useful work is twice this many FLOP.
  std::int64_t multiply_adds() const { return M * N * K; }
};

// "17x19x23"
std::string to_string(Shape shape);

// Exactly three decimal integers of at least 1, joined by 'x'; anything else is bad input naming `argument`.
Shape parse_shape(std::string_view text, const std::string& argument = "--shape");

// "16x16" or "16": one to `most` integers of at least 1, joined by 'x'.
std::vector<std::int64_t> parse_extents(std::string_view text, std::size_t most, const std::string& argument);

struct Matrix {
  std::int64_t rows = 0, columns = 0;
  std::vector<float> values;  // (rows, columns), column fastest

  Matrix() = default;
  Matrix(std::int64_t row_count, std::int64_t column_count)
      : rows(row_count), columns(column_count), values(static_cast<std::size_t>(row_count * column_count)) {}

  float& at(std::int64_t row, std::int64_t column) {
    return values[static_cast<std::size_t>(row * columns + column)];
  }
  float at(std::int64_t row, std::int64_t column) const {
    return values[static_cast<std::size_t>(row * columns + column)];
  }
};

}  // namespace tilewright
