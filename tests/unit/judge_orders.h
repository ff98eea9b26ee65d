// SPDX-License-Identifier: MIT
//
// Honest float32 products for the judge's tests, in any order of summation: groups of k, each summed from
// zero with fused multiply-adds, and the group sums added from left to right. No fault is made here.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "core/parallel.h"
#include "core/shape.h"
#include "judge/sample.h"

namespace tilewright {

using Group = std::vector<std::int64_t>;

struct Order {
  std::string name;
  std::vector<Group> groups;
};

inline Order order_by(const std::string& name, std::int64_t K, std::int64_t groups,
                      std::int64_t (*group_of)(std::int64_t k, std::int64_t K)) {
  Order order{name, std::vector<Group>(static_cast<std::size_t>(groups))};
  for (std::int64_t k = 0; k < K; ++k) order.groups[static_cast<std::size_t>(group_of(k, K))].push_back(k);
  return order;
}

// sequential, reversed, permuted, 8 slices, 4 interleaved lanes, chunks of 16: the orders real kernels use.
inline std::vector<Order> honest_orders(std::int64_t K) {
  Group sequence(static_cast<std::size_t>(K));
  std::iota(sequence.begin(), sequence.end(), std::int64_t{0});
  const Group reversed(sequence.rbegin(), sequence.rend());
  Group permuted = sequence;
  std::sort(permuted.begin(), permuted.end(), [](std::int64_t left, std::int64_t right) {
    return draw(99, 0, left, 0) < draw(99, 0, right, 0);
  });
  return {{"sequential", {sequence}},
          {"reversed", {reversed}},
          {"permuted", {permuted}},
          order_by("8 slices", K, 8, [](std::int64_t k, std::int64_t count) { return k * 8 / count; }),
          order_by("4 lanes", K, 4, [](std::int64_t k, std::int64_t) { return k % 4; }),
          order_by("chunks of 16", K, (K + 15) / 16, [](std::int64_t k, std::int64_t) { return k / 16; })};
}

inline std::vector<float> multiply(const Matrix& A, const Matrix& B, const Order& order) {
  std::vector<float> C(static_cast<std::size_t>(A.rows * B.columns));
  parallel_for(B.columns, core_count(), [&](int, std::int64_t column) {
    const Matrix b = take_columns(B, {column});  // contiguous along k
    for (std::int64_t row = 0; row < A.rows; ++row) {
      float sum = 0.0F;
      for (std::size_t group = 0; group < order.groups.size(); ++group) {
        float part = 0.0F;
        for (const std::int64_t k : order.groups[group]) part = std::fma(A.at(row, k), b.at(k, 0), part);
        sum = group == 0 ? part : sum + part;
      }
      C[static_cast<std::size_t>(row * B.columns + column)] = sum;
    }
  });
  return C;
}

inline std::vector<float> multiply(const Matrix& A, const Matrix& B) {
  return multiply(A, B, honest_orders(A.columns).front());
}

}  // namespace tilewright
