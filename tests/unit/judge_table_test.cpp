// SPDX-License-Identifier: MIT
//
// The table the limits rest on, measured again: r of honest float32 sums in six orders, and of three
// faults, for six input families and three reduction lengths, on 64 x 64 outputs. It is printed so that a
// reader can compare.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "judge/inputs.h"
#include "judge/rounding.h"
#include "judge/verdict.h"
#include "tests/unit/judge_orders.h"

namespace tilewright {
namespace {

constexpr std::int64_t side = 64;

struct TableCase {
  const char* name;
  bool order_term;
  Operands in;
};

// e^(4 z), z standard normal by Box and Muller, either sign, scaled by a power of two into [-1, 1].
Matrix lognormal(std::int64_t rows, std::int64_t columns, std::uint64_t stream) {
  Matrix matrix(rows, columns);
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t column = 0; column < columns; ++column) {
      const std::uint64_t one = draw(1, stream, row, column), two = draw(2, stream, row, column);
      const double radius = std::sqrt(-2.0 * std::log((static_cast<double>(one >> 11) + 0.5) * 0x1p-53));
      const double z = radius * std::cos(6.283185307179586 * static_cast<double>(two >> 11) * 0x1p-53);
      const double value = std::min(1.0, std::exp(4.0 * z) * 0x1p-30);
      matrix.at(row, column) = static_cast<float>((two & 1U) != 0 ? -value : value);
    }
  return matrix;
}

std::vector<TableCase> table_cases(std::int64_t K) {
  std::vector<TableCase> cases;
  for (const char* name : {"uniform", "positive", "cancelling", "halves"})
    cases.push_back(
        {name, find_family(name).order_term, make_inputs(find_family(name), {side, side, K}, 11)});
  cases.push_back({"e^(4 normal)", false, {lognormal(side, K, 1), lognormal(K, side, 2)}});
  // Negative products first, positive ones last: adversarial, as `halves` is.
  Operands sorted{make_inputs(find_family("uniform"), {side, side, K}, 12).A,
                  make_inputs(find_family("positive"), {side, side, K}, 12).B};
  for (std::int64_t row = 0; row < side; ++row)
    std::sort(sorted.A.values.begin() + row * K, sorted.A.values.begin() + (row + 1) * K);
  cases.push_back({"sorted rows", true, std::move(sorted)});
  return cases;
}

Judgement judge_rounded(const Reference& reference, const Operands& in, float (*round)(float)) {
  Operands rounded = in;
  for (Matrix* matrix : {&rounded.A, &rounded.B})
    std::transform(matrix->values.begin(), matrix->values.end(), matrix->values.begin(), round);
  return judge(reference, multiply(rounded.A, rounded.B));
}

Judgement judge_missing_term(const Reference& reference, const Operands& in, std::vector<float> C) {
  for (std::int64_t row = 0; row < side; ++row)
    for (std::int64_t column = 0; column < side; ++column) {
      const auto k =
          static_cast<std::int64_t>(draw(5, 0, row, column) % static_cast<std::uint64_t>(in.A.columns));
      C[static_cast<std::size_t>(row * side + column)] -= in.A.at(row, k) * in.B.at(k, column);
    }
  return judge(reference, C);
}

void print(const char* what, const Judgement& judgement) {
  std::printf("  %-14s %11.3f %11.3f\n", what, *judgement.rms_r, *judgement.max_r);
}

class JudgeTable : public testing::TestWithParam<std::int64_t> {};

TEST_P(JudgeTable, HonestBelowFaultsAbove) {
  const std::int64_t K = GetParam();
  for (const TableCase& row : table_cases(K)) {
    SCOPED_TRACE(row.name);
    const Reference reference = make_reference(row.in.A, row.in.B, row.order_term);
    std::printf("K = %lld, %-16s rms r       max r\n", static_cast<long long>(K), row.name);
    for (const Order& order : honest_orders(K)) {
      const Judgement honest = judge(reference, multiply(row.in.A, row.in.B, order));
      print(order.name.c_str(), honest);
      EXPECT_TRUE(honest.pass) << order.name;
      EXPECT_GE(*honest.rms_r, 0.005) << order.name;
      EXPECT_LE(*honest.rms_r, 0.6) << order.name;
      EXPECT_LE(*honest.max_r, 3.1) << order.name;
    }
    const Judgement tf32 = judge_rounded(reference, row.in, round_to_tf32);
    const Judgement fp16 = judge_rounded(reference, row.in, round_to_fp16);
    const Judgement missing = judge_missing_term(reference, row.in, multiply(row.in.A, row.in.B));
    print("TF32 inputs", tf32);
    print("FP16 inputs", fp16);
    print("missing term", missing);
    for (const Judgement* downgraded : {&tf32, &fp16}) {
      EXPECT_FALSE(downgraded->pass);
      EXPECT_GE(*downgraded->rms_r, 2.0);
      EXPECT_GE(*downgraded->max_r, 8.0);
    }
    EXPECT_FALSE(missing.pass);
    EXPECT_GE(*missing.rms_r, 100.0);
    EXPECT_GE(*missing.max_r, 340.0);
  }
}

INSTANTIATE_TEST_SUITE_P(Lengths, JudgeTable, testing::Values(64, 1024, 4096));

}  // namespace
}  // namespace tilewright
