// SPDX-License-Identifier: MIT
//
// The faults, made on a sample and put before the judge.
#include "judge/gate.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/parallel.h"
#include "judge/reference.h"
#include "judge/rounding.h"
#include "judge/sample.h"
#include "judge/verdict.h"

namespace tilewright {
namespace {

constexpr std::int64_t sampled_rows = 48, sampled_columns = 48;

constexpr std::array<std::string_view, 6> fault_names{
    "zero_result", "element_off_by_its_size", "missing_term", "transposed", "tf32_inputs", "fp16_inputs"};

struct Sample {
  const Matrix &whole_A, &whole_B;
  std::uint64_t seed;
  std::vector<std::int64_t> rows, columns;
  Matrix A = {}, B = {};  // (rows, K) and (K, columns)
  Reference honest = {};
};

Sample take_sample(const Matrix& A, const Matrix& B, bool order_term, std::uint64_t seed) {
  Sample sample{.whole_A = A,
                .whole_B = B,
                .seed = seed,
                .rows = sample_indices(A.rows, sampled_rows, seed),
                .columns = sample_indices(B.columns, sampled_columns, seed + 1)};
  sample.A = take_rows(A, sample.rows);
  sample.B = take_columns(B, sample.columns);
  sample.honest = reference_by_loop(sample.A, sample.B, order_term);
  // A sample may be exact where the whole is not. The limits on r are the weaker demand of the two, so by
  // them the gate never promises more than the judge will keep.
  const Shape taken = sample.honest.shape;
  if (taken.M != A.rows || taken.N != B.columns) sample.honest.exact = false;
  return sample;
}

// C over the sample from a function of its (row, column, honest value), which may be slow.
template <class Value>
std::vector<float> make_result(const Sample& sample, Value value) {
  const Shape shape = sample.honest.shape;
  std::vector<float> C(sample.honest.product.size());
  const int workers =
      shape.multiply_adds() < 100'000 ? 1 : core_count();  // below, threads cost more than they save
  parallel_for(shape.M, workers, [&](int, std::int64_t row) {
    for (std::int64_t column = 0; column < shape.N; ++column) {
      const auto at = static_cast<std::size_t>(row * shape.N + column);
      C[at] = static_cast<float>(value(row, column, sample.honest.product[at]));
    }
  });
  return C;
}

std::vector<float> without_a_term(const Sample& sample) {
  const auto K = static_cast<std::uint64_t>(sample.A.columns);
  return make_result(sample, [&](std::int64_t row, std::int64_t column, double c) {
    const auto k = static_cast<std::int64_t>(draw(sample.seed, 2, row, column) % K);
    return c - static_cast<double>(sample.A.at(row, k)) * static_cast<double>(sample.B.at(k, column));
  });
}

double dot(const Matrix& A, const Matrix& B, std::int64_t row, std::int64_t column) {
  double sum = 0.0;
  for (std::int64_t k = 0; k < A.columns; ++k)
    sum += static_cast<double>(A.at(row, k)) * static_cast<double>(B.at(k, column));
  return sum;
}

// The elements that lie at the sampled positions of a column-major C are scattered over the whole product, so
// each is a dot product of its own.
std::vector<float> column_major(const Sample& sample) {
  const std::int64_t M = sample.whole_A.rows, N = sample.whole_B.columns;
  return make_result(sample, [&](std::int64_t row, std::int64_t column, double) {
    const std::int64_t position =
        sample.rows[static_cast<std::size_t>(row)] * N + sample.columns[static_cast<std::size_t>(column)];
    return dot(sample.whole_A, sample.whole_B, position % M, position / M);
  });
}

std::vector<float> from_rounded(const Sample& sample, float (*round)(float)) {
  Matrix A = sample.A, B = sample.B;
  std::transform(A.values.begin(), A.values.end(), A.values.begin(), round);
  std::transform(B.values.begin(), B.values.end(), B.values.begin(), round);
  const Reference rounded = reference_by_loop(A, B, false);
  return make_result(sample, [&](std::int64_t row, std::int64_t column, double) {
    return rounded.product[static_cast<std::size_t>(row * B.columns + column)];
  });
}

bool told_by_most(const Sample& sample, const std::vector<float>& C) {
  return 3 * judge(sample.honest, C).failing >= 2 * static_cast<std::int64_t>(C.size());
}

bool told_at_all(const Sample& sample, const std::vector<float>& C) { return !judge(sample.honest, C).pass; }

// None where the fault does not apply.
std::optional<bool> is_told(const Sample& sample, Fault fault) {
  switch (fault) {
    case Fault::zero_result:
      return told_at_all(sample, std::vector<float>(sample.honest.product.size()));
    case Fault::element_off_by_its_size:
      return told_by_most(sample,
                          make_result(sample, [](std::int64_t, std::int64_t, double c) { return 2.0 * c; }));
    case Fault::missing_term:
      return told_by_most(sample, without_a_term(sample));
    case Fault::transposed:
      if (sample.whole_A.rows == 1 || sample.whole_B.columns == 1) return {};
      return told_at_all(sample, column_major(sample));
    case Fault::tf32_inputs:
      return told_at_all(sample, from_rounded(sample, round_to_tf32));
    case Fault::fp16_inputs:
      return told_at_all(sample, from_rounded(sample, round_to_fp16));
  }
  return {};
}

bool holds(const std::vector<Fault>& faults, Fault fault) {
  return std::find(faults.begin(), faults.end(), fault) != faults.end();
}

}  // namespace

std::string_view name_of(Fault fault) { return fault_names[static_cast<std::size_t>(fault)]; }

GateResult gate(const Matrix& A, const Matrix& B, bool order_term, std::uint64_t seed) {
  const Sample sample = take_sample(A, B, order_term, seed);
  GateResult result;
  for (std::size_t i = 0; i < fault_names.size(); ++i) {
    const auto fault = static_cast<Fault>(i);
    const std::optional<bool> told = is_told(sample, fault);
    (!told ? result.not_applicable : *told ? result.told : result.not_told).push_back(fault);
  }
  return result;
}

std::vector<Fault> untold(std::span<const GateResult> results) {
  std::vector<Fault> faults;
  for (std::size_t i = 0; i < fault_names.size(); ++i) {
    const auto fault = static_cast<Fault>(i);
    const auto tells = [&](const GateResult& result) { return holds(result.told, fault); };
    const auto applies = [&](const GateResult& result) { return !holds(result.not_applicable, fault); };
    if (std::any_of(results.begin(), results.end(), applies) &&
        std::none_of(results.begin(), results.end(), tells))
      faults.push_back(fault);
  }
  return faults;
}

}  // namespace tilewright
