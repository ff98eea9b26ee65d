// SPDX-License-Identifier: MIT
//
// The same sums by OpenBLAS, and the check of them. A BLAS is free to reorder, block and use threads; the
// bound below allows any order of summation and nothing else.
#include <cblas.h>

#include <cmath>
#include <string>

#include "core/error.h"
#include "judge/sample.h"
#include "judge/sums.h"

namespace tilewright {
namespace {

constexpr std::int64_t checked_rows = 16, checked_columns = 64;
constexpr std::uint64_t check_seed = 20240229;  // any constant; the sample must be repeatable

template <class Function>
std::vector<double> map(const Matrix& matrix, Function function) {
  std::vector<double> mapped(matrix.values.size());
  for (std::size_t i = 0; i < mapped.size(); ++i) mapped[i] = function(static_cast<double>(matrix.values[i]));
  return mapped;
}

template <class Function>
std::vector<double> multiply(const Matrix& A, const Matrix& B, Function function) {
  const std::vector<double> left = map(A, function), right = map(B, function);
  std::vector<double> product(static_cast<std::size_t>(A.rows * B.columns));
  const auto M = static_cast<blasint>(A.rows), N = static_cast<blasint>(B.columns);
  const auto K = static_cast<blasint>(A.columns);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, M, N, K, 1.0, left.data(), K, right.data(), N, 0.0,
              product.data(), N);
  return product;
}

// Either sum has at most K roundings, each at most 2^-53 of Σ|term|; terms p_k are exact, terms p_k² rounded
// once more. So two right sums differ by at most 2 · γ(K+1) · Σ|term|. The slack of 1 % covers γ's own
// denominator (K u is below 2^-29) and that Σ|term| is itself rounded.
void require_close(const char* name, double got, double expected, double magnitude, std::int64_t K) {
  const double bound = 2.02 * static_cast<double>(K + 1) * 0x1p-53 * magnitude;
  if (!(std::fabs(got - expected) <= bound))
    throw Error(Code::fault, "reference", std::to_string(got),
                std::string("OpenBLAS and the plain loop disagree on ") + name + ", which is " +
                    std::to_string(expected) + " by the loop");
}

}  // namespace

Sums sums_by_blas(const Matrix& A, const Matrix& B) {
  Sums sums;
  sums.product = multiply(A, B, [](double value) { return value; });
  sums.magnitude = multiply(A, B, [](double value) { return std::fabs(value); });
  sums.squares = multiply(A, B, [](double value) { return value * value; });
  require_agreement_with_loop(A, B, sums);
  return sums;
}

void require_agreement_with_loop(const Matrix& A, const Matrix& B, const Sums& sums) {
  const auto rows = sample_indices(A.rows, checked_rows, check_seed);
  const auto columns = sample_indices(B.columns, checked_columns, check_seed + 1);
  const Sums loop = sums_by_loop(take_rows(A, rows), take_columns(B, columns));
  std::size_t in_sample = 0;
  for (const std::int64_t row : rows)
    for (const std::int64_t column : columns) {
      const auto at = static_cast<std::size_t>(row * B.columns + column);
      const double magnitude = loop.magnitude[in_sample], squares = loop.squares[in_sample];
      require_close("a product", sums.product[at], loop.product[in_sample], magnitude, A.columns);
      require_close("a sum of magnitudes", sums.magnitude[at], magnitude, magnitude, A.columns);
      require_close("a sum of squares", sums.squares[at], squares, squares, A.columns);
      ++in_sample;
    }
}

}  // namespace tilewright
