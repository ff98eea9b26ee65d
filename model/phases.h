// SPDX-License-Identifier: MIT
//
// The trace on paper of the shared-tile kernel: what each block of T x T threads does in each reduction
// phase. All threads take part in every phase, also those without an output: they load and synchronise.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/exact.h"

namespace tilewright {

inline constexpr std::string_view phases_assumptions[] = {
    "one thread per element of a T x T tile of C; grid ceil(N/T) x ceil(M/T)",
    "what lies outside A or B is written as zero into shared memory and takes part in the sum",
    "threads that store do so once, after the last phase",
};

struct Phase {
  std::int64_t block_x, block_y;  // along the columns of C, along its rows
  std::int64_t phase;
  std::int64_t valid_k, zero_filled_k;          // together T
  std::int64_t participating_threads;           // T²
  std::int64_t storing_threads;                 // those whose element of C exists
  std::int64_t loaded_elements, zero_elements;  // of both tiles, together 2T²
};

inline constexpr std::int64_t most_listed_phases = 100'000;

// Ordered by block row, block column, phase. Throws bad_input beyond most_listed_phases, and on a block of
// more than 1024 threads.
std::vector<Phase> list_phases(ProductSize product, std::int64_t T);

}  // namespace tilewright
