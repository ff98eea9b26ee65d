// SPDX-License-Identifier: MIT
#include "model/simulate.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "model/traffic.h"

namespace tilewright {
namespace {

void require_operand(const char* name, std::span<const float> values, std::int64_t rows,
                     std::int64_t columns) {
  const std::int64_t wanted = (Exact(rows) * columns).count("elements", name, std::to_string(rows));
  if (values.size() != static_cast<std::size_t>(wanted))
    throw bad_input(name, std::to_string(values.size()) + " values",
                    "must hold " + std::to_string(rows) + " x " + std::to_string(columns));
}

void require_operands(std::span<const float> A, std::span<const float> B, ProductSize product) {
  require_product(product);
  require_operand("A", A, product.M, product.K);
  require_operand("B", B, product.K, product.N);
}

// A dense row-major matrix: an operand, a tile in shared memory, a fragment.
template <class Values>
struct Grid {
  Values values;
  std::int64_t columns;
  auto& at(std::int64_t row, std::int64_t column) {
    return values[static_cast<std::size_t>(row * columns + column)];
  }
};
using Operand = Grid<std::span<const float>>;
using Storage = Grid<std::vector<float>>;

Storage zeros(std::int64_t rows, std::int64_t columns) {
  return {std::vector<float>(static_cast<std::size_t>(rows * columns)), columns};
}

struct Part {
  std::int64_t first, size;
};

// The parts of 0 … extent−1, the last one clipped.
std::vector<Part> parts_of(std::int64_t extent, std::int64_t tile) {
  std::vector<Part> parts;
  for (std::int64_t first = 0; first < extent; first += parts.back().size)
    parts.push_back({first, std::min(tile, extent - first)});
  return parts;
}

// Copies what exists of a tile; returns how many elements that were.
std::int64_t stage(Storage& tile, Operand source, Part rows, Part columns) {
  std::int64_t copied = 0;
  for (std::int64_t i = 0; i < rows.size; ++i)
    for (std::int64_t j = 0; j < columns.size; ++j, ++copied)
      tile.at(i, j) = source.at(rows.first + i, columns.first + j);
  return copied;
}

// One phase of one register tile of C; returns its shared reads.
std::int64_t register_tile_phase(Storage& C, Storage& a, Storage& b, Part block_rows, Part block_columns,
                                 Part rows, Part columns, std::int64_t k_size) {
  std::int64_t reads = 0;
  std::vector<float> column_of_a(static_cast<std::size_t>(rows.size)),
      row_of_b(static_cast<std::size_t>(columns.size));
  for (std::int64_t k = 0; k < k_size; ++k) {
    for (std::int64_t i = 0; i < rows.size; ++i, ++reads)
      column_of_a[static_cast<std::size_t>(i)] = a.at(rows.first + i, k);
    for (std::int64_t j = 0; j < columns.size; ++j, ++reads)
      row_of_b[static_cast<std::size_t>(j)] = b.at(k, columns.first + j);
    for (std::int64_t i = 0; i < rows.size; ++i)
      for (std::int64_t j = 0; j < columns.size; ++j) {
        float& sum = C.at(block_rows.first + rows.first + i, block_columns.first + columns.first + j);
        sum = std::fma(column_of_a[static_cast<std::size_t>(i)], row_of_b[static_cast<std::size_t>(j)], sum);
      }
  }
  return reads;
}

TiledProduct run_tiled(std::span<const float> A, std::span<const float> B, ProductSize product,
                       std::int64_t b, std::int64_t t) {
  const auto [M, N, K] = product;
  TiledProduct result{.C = {}, .global_reads = 0, .shared_reads = 0};
  Storage C = zeros(M, N);
  Storage tile_a = zeros(std::min(b, M), std::min(b, K)), tile_b = zeros(std::min(b, K), std::min(b, N));
  for (const Part rows : parts_of(M, b))
    for (const Part columns : parts_of(N, b))
      for (const Part k : parts_of(K, b)) {
        result.global_reads += stage(tile_a, {A, K}, rows, k) + stage(tile_b, {B, N}, k, columns);
        for (const Part own_rows : parts_of(rows.size, t))
          for (const Part own_columns : parts_of(columns.size, t))
            result.shared_reads +=
                register_tile_phase(C, tile_a, tile_b, rows, columns, own_rows, own_columns, k.size);
      }
  result.C = std::move(C.values);
  return result;
}

// C (m, n) += A (m, k) · B (k, n), as one instruction.
void mma(Storage& c, Storage& a, Storage& b, MmaShape shape) {
  for (std::int64_t i = 0; i < shape.m; ++i)
    for (std::int64_t j = 0; j < shape.n; ++j)
      for (std::int64_t k = 0; k < shape.k; ++k) c.at(i, j) = std::fma(a.at(i, k), b.at(k, j), c.at(i, j));
}

void require_fragment(const char* argument, std::int64_t extent) {
  require_positive(argument, extent);
  require_at_most(argument, extent, 1024, "a fragment that is executed is at most 1024 long");
}

}  // namespace

TiledProduct tiled_matmul(std::span<const float> A, std::span<const float> B, ProductSize product,
                          std::int64_t b) {
  require_operands(A, B, product);
  require_positive("b", b);
  return run_tiled(A, B, product, b, 1);  // a register tile of one element reads two operands in each k
}

TiledProduct two_level_matmul(std::span<const float> A, std::span<const float> B, ProductSize product,
                              std::int64_t b, std::int64_t t) {
  require_operands(A, B, product);
  require_two_level(product, b, t);
  return run_tiled(A, B, product, b, t);
}

MmaProduct mma_matmul(std::span<const float> A, std::span<const float> B, ProductSize product,
                      MmaShape shape) {
  require_operands(A, B, product);
  require_fragment("mma m", shape.m);
  require_fragment("mma n", shape.n);
  require_fragment("mma k", shape.k);
  const auto [M, N, K] = product;
  MmaProduct result{.C = std::vector<float>(static_cast<std::size_t>(M * N)), .instructions = 0};
  for (const Part rows : parts_of(M, shape.m))
    for (const Part columns : parts_of(N, shape.n)) {
      Storage c = zeros(shape.m, shape.n);
      for (const Part k : parts_of(K, shape.k)) {
        Storage a = zeros(shape.m, shape.k), b = zeros(shape.k, shape.n);
        stage(a, {A, K}, rows, k);
        stage(b, {B, N}, k, columns);
        mma(c, a, b, shape);
        ++result.instructions;
      }
      for (std::int64_t i = 0; i < rows.size; ++i)
        for (std::int64_t j = 0; j < columns.size; ++j)
          result.C[static_cast<std::size_t>((rows.first + i) * N + columns.first + j)] = c.at(i, j);
    }
  return result;
}

}  // namespace tilewright
