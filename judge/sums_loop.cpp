// SPDX-License-Identifier: MIT
//
// The plain loop, arranged i-k-j over rows of B so that a compiler at -O2 can use vector instructions: the
// columns of a block are independent sums, and their number is a constant.
#include <algorithm>

#include "core/parallel.h"
#include "judge/sums.h"

namespace tilewright {
namespace {

constexpr std::int64_t block_rows =
    4;                             // rows of A that share one walk down a block of B, to spare cache misses
constexpr int block_columns = 64;  // 4 rows of these sums are 8 KiB: they stay in the first-level cache
constexpr int narrow_columns = 8;  // for skinny products, which would waste most of a block

template <int columns>
struct RowSums {
  alignas(64) double product[columns] = {};
  alignas(64) double magnitude[columns] = {};
  alignas(64) double squares[columns] = {};
  alignas(64) double partial_squares[columns] = {};

  void add(double a, const float* b) {
    for (int j = 0; j < columns; ++j) {
      const double p = a * static_cast<double>(b[j]);
      const double s = product[j] + p;
      product[j] = s;
      partial_squares[j] += s * s;
      squares[j] += p * p;
      magnitude[j] += p < 0 ? -p : p;
    }
  }
};

struct BlockOfC {
  std::int64_t first_row, rows, first_column, columns;
};

template <int columns>
void sum_block(const Matrix& A, const Matrix& B, const BlockOfC& block, Sums& sums) {
  RowSums<columns> rows[block_rows];
  float ragged[columns] = {};  // the last block of a row of B, filled up with zeros that are never stored
  for (std::int64_t k = 0; k < A.columns; ++k) {
    const float* b = &B.values[static_cast<std::size_t>(k * B.columns + block.first_column)];
    if (block.columns < columns) {
      std::copy_n(b, block.columns, ragged);
      b = ragged;
    }
    for (std::int64_t row = 0; row < block.rows; ++row)
      rows[row].add(static_cast<double>(A.at(block.first_row + row, k)), b);
  }
  for (std::int64_t row = 0; row < block.rows; ++row) {
    const std::int64_t at = (block.first_row + row) * B.columns + block.first_column;
    std::copy_n(rows[row].product, block.columns, sums.product.data() + at);
    std::copy_n(rows[row].magnitude, block.columns, sums.magnitude.data() + at);
    std::copy_n(rows[row].squares, block.columns, sums.squares.data() + at);
    std::copy_n(rows[row].partial_squares, block.columns, sums.partial_squares.data() + at);
  }
}

}  // namespace

Sums sums_by_loop(const Matrix& A, const Matrix& B) {
  const std::int64_t M = A.rows, N = B.columns;
  const auto size = static_cast<std::size_t>(M * N);
  Sums sums{std::vector<double>(size), std::vector<double>(size), std::vector<double>(size),
            std::vector<double>(size)};
  const std::int64_t across = (N + block_columns - 1) / block_columns,
                     down = (M + block_rows - 1) / block_rows;
  const int workers =
      M * N * A.columns < 100'000 ? 1 : core_count();  // below, threads cost more than they save
  parallel_for(across * down, workers, [&](int, std::int64_t index) {
    const std::int64_t row = index / across * block_rows, column = index % across * block_columns;
    const BlockOfC block{row, std::min(block_rows, M - row), column,
                         std::min<std::int64_t>(block_columns, N - column)};
    if (block.columns <= narrow_columns)
      sum_block<narrow_columns>(A, B, block, sums);
    else
      sum_block<block_columns>(A, B, block, sums);
  });
  return sums;
}

}  // namespace tilewright
