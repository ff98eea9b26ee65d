// SPDX-License-Identifier: MIT
//
// Picking rows and columns by seed, and copying them out.
#include "judge/sample.h"

#include <algorithm>

namespace tilewright {

std::vector<std::int64_t> sample_indices(std::int64_t count, std::int64_t most, std::uint64_t seed) {
  std::vector<std::int64_t> indices(static_cast<std::size_t>(std::min(count, most)));
  const auto picked = static_cast<std::int64_t>(indices.size());
  for (std::int64_t stratum = 0; stratum < picked; ++stratum) {
    const std::int64_t first = stratum * count / picked, end = (stratum + 1) * count / picked;
    const std::uint64_t offset = draw(seed, 0, stratum, 0) % static_cast<std::uint64_t>(end - first);
    indices[static_cast<std::size_t>(stratum)] = first + static_cast<std::int64_t>(offset);
  }
  if (picked > 0) {
    indices.front() = 0;
    indices.back() = count - 1;
  }
  return indices;
}

Matrix take_rows(const Matrix& matrix, const std::vector<std::int64_t>& rows) {
  Matrix taken(static_cast<std::int64_t>(rows.size()), matrix.columns);
  for (std::int64_t row = 0; row < taken.rows; ++row)
    std::copy_n(matrix.values.data() + rows[static_cast<std::size_t>(row)] * matrix.columns, matrix.columns,
                taken.values.data() + row * matrix.columns);
  return taken;
}

Matrix take_columns(const Matrix& matrix, const std::vector<std::int64_t>& columns) {
  Matrix taken(matrix.rows, static_cast<std::int64_t>(columns.size()));
  for (std::int64_t row = 0; row < taken.rows; ++row)
    for (std::int64_t column = 0; column < taken.columns; ++column)
      taken.at(row, column) = matrix.at(row, columns[static_cast<std::size_t>(column)]);
  return taken;
}

}  // namespace tilewright
