// SPDX-License-Identifier: MIT
#include "judge/non_finite.h"

#include <cmath>
#include <limits>

#include "core/error.h"

namespace tilewright {
namespace {

// Up to here the yardstick looks at the order of the products as well, which needs the plain loop: at 4096 cubed minutes,
// beyond it hours.
constexpr double most_in_order = 0x1p36;
constexpr double largest_float = std::numeric_limits<float>::max();

// Where a row of A or a column of B has elements that are not finite: positions along k.
using Positions = std::vector<std::vector<std::int64_t>>;

// The matrix with zeros there, and the positions.
Matrix take_out(const Matrix& matrix, bool along_rows, Positions& positions) {
  Matrix finite = matrix;
  positions.resize(static_cast<std::size_t>(along_rows ? matrix.rows : matrix.columns));
  for (std::int64_t row = 0; row < matrix.rows; ++row)
    for (std::int64_t column = 0; column < matrix.columns; ++column) {
      if (std::isfinite(matrix.at(row, column))) continue;
      finite.at(row, column) = 0.0F;
      const auto line = static_cast<std::size_t>(along_rows ? row : column);
      positions[line].push_back(along_rows ? column : row);
    }
  return finite;
}

class AnyJudge {
 public:
  AnyJudge(const Matrix& A, const Matrix& B)
      : A_(A),
        B_(B),
        finite_A_(take_out(A, true, of_rows_)),
        finite_B_(take_out(B, false, of_columns_)),
        reference_(make_reference(finite_A_, finite_B_, is_in_order(A, B))) {
    const double K = static_cast<double>(A.columns);
    gamma_ = K * float32_unit / (1.0 - K * float32_unit);
  }

  AnyJudgement operator()(std::span<const float> C) {
    AnyJudgement judgement;
    for (std::int64_t row = 0; row < A_.rows; ++row)
      for (std::int64_t column = 0; column < B_.columns; ++column) {
        const float got = C[static_cast<std::size_t>(row * B_.columns + column)];
        sort(judgement, row, column, got);
      }
    if (!ordinary_.empty()) judgement.ordinary = judge(reference_, C, ordinary_);
    return judgement;
  }

 private:
  static bool is_in_order(const Matrix& A, const Matrix& B) {
    return static_cast<double>(A.rows) * static_cast<double>(A.columns) * static_cast<double>(B.columns) <=
           most_in_order;
  }

  void sort(AnyJudgement& judgement, std::int64_t row, std::int64_t column, float got) {
    const auto expected = special_value(row, column);
    const bool order_decides = overflows(row, column) && !(expected && std::isnan(*expected));
    if (order_decides) {
      ++judgement.undetermined;
    } else if (!expected) {
      add_ordinary(row, column);
    } else {
      ++judgement.special;
      if (std::isnan(*expected) ? std::isnan(got) : double{got} == *expected) return;
      ++judgement.special_wrong;
      if (judgement.first_wrong) return;
      const std::optional<float> finite = std::isfinite(got) ? std::optional(got) : std::nullopt;
      judgement.first_wrong = JudgedElement{row, column, finite, *expected, {}};
    }
  }

  // The sum of the products that are not finite; none without any.
  std::optional<double> special_value(std::int64_t row, std::int64_t column) const {
    std::optional<double> sum;
    const auto add = [&](std::int64_t k) {
      sum = sum.value_or(0.0) + double{A_.at(row, k)} * double{B_.at(k, column)};
    };
    for (const std::int64_t k : of_rows_[static_cast<std::size_t>(row)]) add(k);
    for (const std::int64_t k : of_columns_[static_cast<std::size_t>(column)])
      if (std::isfinite(A_.at(row, k))) add(k);
    return sum;
  }

  bool overflows(std::int64_t row, std::int64_t column) const {
    const double bound = reference_.gamma_bound[static_cast<std::size_t>(row * B_.columns + column)];
    return !(bound / gamma_ * (1.0 + gamma_) < largest_float);
  }

  // Ordinary elements as the runs of each row.
  void add_ordinary(std::int64_t row, std::int64_t column) {
    if (!ordinary_.empty() && ordinary_.back().row == row &&
        ordinary_.back().column + ordinary_.back().columns == column)
      ++ordinary_.back().columns;
    else
      ordinary_.push_back({row, column, 1, 1});
  }

  const Matrix& A_;
  const Matrix& B_;
  Positions of_rows_, of_columns_;
  Matrix finite_A_, finite_B_;
  Reference reference_;
  double gamma_ = 0;
  std::vector<Region> ordinary_;
};

}  // namespace

std::string AnyJudgement::failure() const {
  if (ordinary && !ordinary->pass) return ordinary->failure;
  return special_wrong > 0 ? "wrong_value" : "";
}

AnyJudgement judge_any(const Matrix& A, const Matrix& B, std::span<const float> C) {
  if (C.size() != static_cast<std::size_t>(A.rows * B.columns))
    throw bad_input("C", std::to_string(C.size()) + " elements", "must be the product's");
  return AnyJudge(A, B)(C);
}

}  // namespace tilewright
