// SPDX-License-Identifier: MIT
#include "bench/sampled_reference.h"

#include "core/error.h"
#include "core/parallel.h"
#include "judge/sample.h"

namespace tilewright {
namespace {

constexpr std::int64_t every_element_up_to = std::int64_t{1} << 27;  // multiply-adds: a fraction of a second
constexpr std::int64_t thorough_sample = 48, quick_sample = 8;

bool is_small(Shape shape) {
  return static_cast<double>(shape.M) * static_cast<double>(shape.N) * static_cast<double>(shape.K) <=
         static_cast<double>(every_element_up_to);
}

// (rows, K) of A
Matrix make_rows(Shape shape, std::uint64_t stream, const std::vector<std::int64_t>& rows) {
  Matrix matrix(static_cast<std::int64_t>(rows.size()), shape.K);
  parallel_for(matrix.rows, core_count(), [&](int, std::int64_t i) {
    for (std::int64_t k = 0; k < shape.K; ++k)
      matrix.at(i, k) = input_value(stream, rows[static_cast<std::size_t>(i)] * shape.K + k);
  });
  return matrix;
}

// (K, columns) of B
Matrix make_columns(Shape shape, std::uint64_t stream, const std::vector<std::int64_t>& columns) {
  Matrix matrix(shape.K, static_cast<std::int64_t>(columns.size()));
  const std::int64_t strip = 4096;
  parallel_for((shape.K + strip - 1) / strip, core_count(), [&](int, std::int64_t part) {
    for (std::int64_t k = part * strip; k < std::min(shape.K, (part + 1) * strip); ++k)
      for (std::int64_t j = 0; j < matrix.columns; ++j)
        matrix.at(k, j) = input_value(stream, k * shape.N + columns[static_cast<std::size_t>(j)]);
  });
  return matrix;
}

}  // namespace

SampledReference::SampledReference(Shape shape, std::uint64_t seed, std::int64_t set, bool thorough)
    : shape_(shape) {
  const std::uint64_t of_rows = mix(seed ^ 1), of_columns = mix(seed ^ 2);
  const std::int64_t most = thorough ? thorough_sample : quick_sample;
  const bool all = thorough && is_small(shape);
  rows_ = sample_indices(shape.M, all ? std::max<std::int64_t>(2, shape.M) : most, of_rows);
  columns_ = sample_indices(shape.N, all ? std::max<std::int64_t>(2, shape.N) : most, of_columns);
  reference_ = make_reference(make_rows(shape, input_stream(seed, set, 0), rows_),
                              make_columns(shape, input_stream(seed, set, 1), columns_), false);
}

JudgedOutput SampledReference::judge(const std::vector<float>& C) const {
  if (C.size() != rows_.size() * static_cast<std::size_t>(shape_.N))
    throw bad_input("C", std::to_string(C.size()) + " elements", "must be the sampled rows");
  std::vector<float> sample;
  sample.reserve(rows_.size() * columns_.size());
  for (std::size_t i = 0; i < rows_.size(); ++i)
    for (const std::int64_t column : columns_)
      sample.push_back(C[i * static_cast<std::size_t>(shape_.N) + static_cast<std::size_t>(column)]);
  JudgedOutput output;
  output.judgement = tilewright::judge(reference_, sample);
  output.elements = static_cast<std::int64_t>(sample.size());
  output.method = output.elements == shape_.M * shape_.N ? "every element" : "sampled rows x columns";
  // What it reports is in the coordinates of the product.
  const auto whole = [&](JudgedElement& element) {
    element.row = rows_[static_cast<std::size_t>(element.row)];
    element.column = columns_[static_cast<std::size_t>(element.column)];
  };
  whole(output.judgement.worst);
  for (JudgedElement& element : output.judgement.worst_failing) whole(element);
  return output;
}

}  // namespace tilewright
