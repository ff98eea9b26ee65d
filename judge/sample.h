// SPDX-License-Identifier: MIT
//
// Seeded draws and samples that are the same on every machine, standard library and thread count: a
// counter-based generator, rows and columns picked by it, and the sub-matrices they name. Not for secrets.
#pragma once

#include <cstdint>
#include <vector>

#include "core/mix.h"
#include "core/shape.h"

namespace tilewright {

// 64 random bits for one (seed, stream, row, column). Each word is mixed before the next is added, so that
// exchanging row and column, or raising one and lowering the other, gives unrelated bits.
constexpr std::uint64_t draw(std::uint64_t seed, std::uint64_t stream, std::int64_t row,
                             std::int64_t column) {
  return mix(mix(mix(mix(seed) + stream) + static_cast<std::uint64_t>(row)) +
             static_cast<std::uint64_t>(column));
}

// At most `most` (>= 2) distinct indices of 0 … count−1, ascending: all of them if they fit, else one from
// each of `most` equal strata, with the first and the last index always among them, because edges are
// where faults live.
std::vector<std::int64_t> sample_indices(std::int64_t count, std::int64_t most, std::uint64_t seed);

// (rows.size(), matrix.columns) and (matrix.rows, columns.size()), in the order given.
Matrix take_rows(const Matrix& matrix, const std::vector<std::int64_t>& rows);
Matrix take_columns(const Matrix& matrix, const std::vector<std::int64_t>& columns);

}  // namespace tilewright
