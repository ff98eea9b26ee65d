// SPDX-License-Identifier: MIT
//
// From the sums over k to product, yardstick and bound, and the proof of exactness.
#include "judge/reference.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "core/error.h"
#include "judge/sums.h"

namespace tilewright {
namespace {

void require_operands(const Matrix& A, const Matrix& B) {
  if (A.columns != B.rows)
    throw bad_input("B rows", std::to_string(B.rows),
                    "must equal the columns of A, which is " + std::to_string(A.columns));
  const Shape shape{A.rows, B.columns, A.columns};
  if (shape.M < 1 || shape.N < 1 || shape.K < 1)
    throw bad_input("shape", to_string(shape), "every dimension must be at least 1");
  if (shape.K >= (std::int64_t{1} << 24))
    throw Error(Code::unsupported, "K", std::to_string(shape.K), "must be below 2^24, where K u reaches 1");
  for (const Matrix* matrix : {&A, &B})
    if (!std::all_of(matrix->values.begin(), matrix->values.end(), [](float v) { return std::isfinite(v); }))
      throw bad_input(matrix == &A ? "A" : "B", "", "every element must be finite");
}

// The q of the largest 2^q that divides every element; none when all are zero, which any 2^q divides.
std::optional<int> quantum_exponent(const Matrix& matrix) {
  std::optional<int> least;
  for (const float value : matrix.values) {
    if (value == 0.0F) continue;
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const int exponent = static_cast<int>((bits >> 23) & 0xFFU);
    const std::uint32_t stored = bits & 0x7FFFFFU;
    const std::uint32_t mantissa =
        exponent == 0 ? stored : stored | 0x800000U;  // subnormals have no hidden bit
    const int lowest = std::max(exponent, 1) - 150 + std::countr_zero(mantissa);
    least = std::min(least.value_or(lowest), lowest);
  }
  return least;
}

// Σ|p| is a float64 sum, but if it stays within 2^24 quanta then every partial sum of it was exact.
bool every_order_is_exact(const Matrix& A, const Matrix& B, const std::vector<double>& magnitude) {
  const std::optional<int> quantum_A = quantum_exponent(A), quantum_B = quantum_exponent(B);
  if (!quantum_A || !quantum_B) return true;
  const int quantum = *quantum_A + *quantum_B;
  // float32 holds 2^24 quanta for quanta from its smallest subnormal up to 2^(127 − 24).
  if (quantum < -149 || quantum > 103) return false;
  return *std::max_element(magnitude.begin(), magnitude.end()) <= std::ldexp(1.0, 24 + quantum);
}

Reference from_sums(const Matrix& A, const Matrix& B, Sums sums, bool order_term, std::string method) {
  Reference reference;
  reference.shape = {A.rows, B.columns, A.columns};
  reference.exact = every_order_is_exact(A, B, sums.magnitude);
  reference.method = std::move(method);
  const auto K = static_cast<double>(A.columns);
  const double gamma = K * float32_unit / (1.0 - K * float32_unit);
  const double floor = K * 0x1p-150;
  for (std::size_t i = 0; i < sums.product.size(); ++i) {
    const double c = sums.product[i];
    double partial_squares = (K + 1.0) * (sums.squares[i] / 6.0 + c * c / 3.0);
    if (order_term) partial_squares = std::max(partial_squares, sums.partial_squares[i]);
    const double rounding = float32_unit * std::sqrt(partial_squares);
    sums.squares[i] = sums.magnitude[i] > 0.0 ? rounding + floor : 0.0;
    sums.magnitude[i] *= gamma;
  }
  // The sums of large shapes are hundreds of megabytes; their memory is used again.
  reference.product = std::move(sums.product);
  reference.yardstick = std::move(sums.squares);
  reference.gamma_bound = std::move(sums.magnitude);
  return reference;
}

}  // namespace

Reference make_reference(const Matrix& A, const Matrix& B, bool order_term) {
  require_operands(A, B);
  const Shape shape{A.rows, B.columns, A.columns};
  const bool small = shape.multiply_adds() <= (std::int64_t{1} << 30);
  return small || order_term ? reference_by_loop(A, B, order_term) : reference_by_blas(A, B);
}

Reference reference_by_loop(const Matrix& A, const Matrix& B, bool order_term) {
  require_operands(A, B);
  return from_sums(A, B, sums_by_loop(A, B), order_term, "loop");
}

Reference reference_by_blas(const Matrix& A, const Matrix& B) {
  require_operands(A, B);
  return from_sums(A, B, sums_by_blas(A, B), false, "blas+sampled loop");
}

}  // namespace tilewright
