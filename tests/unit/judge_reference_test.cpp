// SPDX-License-Identifier: MIT
//
// The reference: known values, loop against BLAS, the proof of exactness, and what is refused. And the
// sampling and rounding that it and the gate stand on.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "judge/inputs.h"
#include "judge/reference.h"
#include "judge/rounding.h"
#include "judge/sample.h"
#include "judge/sums.h"

namespace tilewright {
namespace {

TEST(JudgeReference, KnownYardstick) {
  Matrix A(1, 3), B(3, 1);
  A.values = {1.0F, 0.5F, -1.0F};
  B.values = {1.0F, 1.0F, 0.75F};  // products 1, 0.5, -0.75; partial sums 1, 1.5, 0.75
  const double squares = 1 + 0.25 + 0.5625, c = 0.75, partial_squares = 1 + 2.25 + 0.5625;
  const double random_order = 4 * (squares / 6 + c * c / 3);
  const Reference plain = make_reference(A, B, false), ordered = make_reference(A, B, true);
  EXPECT_EQ(plain.product[0], c);
  EXPECT_NEAR(plain.yardstick[0], 0x1p-24 * std::sqrt(random_order), 1e-20);
  EXPECT_NEAR(ordered.yardstick[0], 0x1p-24 * std::sqrt(partial_squares), 1e-20);
  EXPECT_NEAR(plain.gamma_bound[0], 3 * 0x1p-24 / (1 - 3 * 0x1p-24) * 2.25, 1e-20);
  EXPECT_TRUE(plain.exact);
  EXPECT_EQ(plain.method, "loop");
}

// The closed form is the mean over all orders of the sum of squared partial sums: here over all 120
// orders of 5 terms.
TEST(JudgeReference, ClosedFormIsTheMeanOverAllOrders) {
  Matrix A(1, 5), B(5, 1);
  A.values = {0.9F, -0.3F, 0.55F, -0.8F, 0.125F};
  B.values = {1.0F, 1.0F, 1.0F, 1.0F, 1.0F};
  std::vector<double> terms(A.values.begin(), A.values.end());
  std::sort(terms.begin(), terms.end());
  double total = 0.0;
  int orders = 0;
  do {
    double partial = 0.0;
    for (const double term : terms) {
      partial += term;
      total += partial * partial;
    }
    ++orders;
  } while (std::next_permutation(terms.begin(), terms.end()));
  ASSERT_EQ(orders, 120);
  EXPECT_NEAR(make_reference(A, B, false).yardstick[0], 0x1p-24 * std::sqrt(total / orders), 1e-18);
}

TEST(JudgeReference, LoopIsThePlainSum) {
  for (const Shape shape :
       {Shape{1, 1, 1}, Shape{5, 7, 3}, Shape{9, 65, 31}, Shape{4, 136, 17}, Shape{3, 64, 2}}) {
    const Operands in = make_inputs(find_family("uniform"), shape, 5);
    const Reference reference = reference_by_loop(in.A, in.B, true);
    for (std::int64_t i = 0; i < shape.M; ++i)
      for (std::int64_t j = 0; j < shape.N; ++j) {
        double sum = 0.0;
        for (std::int64_t k = 0; k < shape.K; ++k)
          sum += static_cast<double>(in.A.at(i, k)) * static_cast<double>(in.B.at(k, j));
        ASSERT_EQ(reference.product[static_cast<std::size_t>(i * shape.N + j)], sum) << to_string(shape);
      }
  }
}

TEST(JudgeReference, LoopAndBlasAgree) {
  for (const char* family : {"uniform", "wide", "cancelling", "coded", "zeros"})
    for (const Shape shape : {Shape{1, 1, 1}, Shape{61, 67, 300}, Shape{1, 300, 77}, Shape{200, 1, 77}}) {
      const Operands in = make_inputs(find_family(family), shape, 5);
      const Reference loop = reference_by_loop(in.A, in.B, false), blas = reference_by_blas(in.A, in.B);
      EXPECT_EQ(blas.method, "blas+sampled loop");
      EXPECT_EQ(loop.exact, blas.exact);
      for (std::size_t i = 0; i < loop.product.size(); ++i) {
        ASSERT_LE(std::fabs(loop.product[i] - blas.product[i]), 1e-7 * loop.gamma_bound[i]) << family;
        ASSERT_NEAR(blas.yardstick[i], loop.yardstick[i], 1e-6 * loop.yardstick[i]) << family;
        ASSERT_NEAR(blas.gamma_bound[i], loop.gamma_bound[i], 1e-12 * loop.gamma_bound[i]) << family;
      }
    }
}

TEST(JudgeReference, AWrongSumIsNoticed) {
  const Operands in = make_inputs(find_family("uniform"), {61, 67, 300}, 5);
  const Sums right = sums_by_loop(in.A, in.B);
  EXPECT_NO_THROW(require_agreement_with_loop(in.A, in.B, right));
  for (std::vector<double> Sums::*sum : {&Sums::product, &Sums::magnitude, &Sums::squares}) {
    Sums wrong = right;
    (wrong.*sum).back() += 1e-9;  // a thousand times the bound; the last element is always sampled
    EXPECT_THROW(require_agreement_with_loop(in.A, in.B, wrong), Error);
    (wrong.*sum).back() = std::nan("");
    EXPECT_THROW(require_agreement_with_loop(in.A, in.B, wrong), Error);
  }
}

TEST(JudgeReference, LargeShapesUseBlasUnlessTheOrderMatters) {
  const Operands in = make_inputs(find_family("ones"), {1025, 1024, 1024}, 1);
  EXPECT_EQ(make_reference(in.A, in.B, false).method, "blas+sampled loop");
  EXPECT_EQ(make_reference(in.A, in.B, true).method, "loop");
}

TEST(JudgeReference, ExactnessIsShownFromTheInputs) {
  Matrix A(1, 2), B(2, 1);
  const auto exact = [&](std::vector<float> a, std::vector<float> b) {
    A.values = std::move(a);
    B.values = std::move(b);
    return make_reference(A, B, false).exact;
  };
  EXPECT_TRUE(exact({1.0F, -1.0F}, {0.5F, 0.25F}));
  EXPECT_TRUE(exact({0.0F, 0.0F}, {0.3F, 0.7F}));           // every product is zero
  EXPECT_TRUE(exact({1.0F, 0x1p-23F}, {1.0F, 1.0F}));       // 2^23 + 1 quanta
  EXPECT_FALSE(exact({1.0F, 0x1p-24F}, {1.0F, 1.0F}));      // 2^24 + 1 quanta
  EXPECT_TRUE(exact({0x1p-75F, 0.0F}, {0x1p-74F, 1.0F}));   // the smallest subnormal
  EXPECT_FALSE(exact({0x1p-75F, 0.0F}, {0x1p-75F, 1.0F}));  // below it
  EXPECT_TRUE(exact({0x1p-149F, 0.0F}, {1.0F, 1.0F}));      // a subnormal operand
  EXPECT_FALSE(exact({0.3F, 0.7F}, {0.3F, 0.7F}));
}

TEST(JudgeReference, RefusesWhatItCannotReference) {
  EXPECT_THROW(make_reference(Matrix(2, 3), Matrix(4, 2), false), Error);
  EXPECT_THROW(make_reference(Matrix(2, 0), Matrix(0, 2), false), Error);
  Matrix infinite(2, 2);
  infinite.at(1, 1) = std::numeric_limits<float>::infinity();
  EXPECT_THROW(make_reference(Matrix(2, 2), infinite, false), Error);
  EXPECT_THROW(make_reference(Matrix(1, 1 << 24), Matrix(1 << 24, 1), false), Error);
}

TEST(JudgeSample, DistinctAscendingWithBothEnds) {
  EXPECT_EQ(sample_indices(3, 48, 1), (std::vector<std::int64_t>{0, 1, 2}));
  for (const std::int64_t count : {49, 50, 4096}) {
    const auto indices = sample_indices(count, 48, 1);
    ASSERT_EQ(indices.size(), 48U);
    EXPECT_EQ(indices.front(), 0);
    EXPECT_EQ(indices.back(), count - 1);
    for (std::size_t i = 1; i < indices.size(); ++i) EXPECT_LT(indices[i - 1], indices[i]);
  }
  EXPECT_NE(sample_indices(4096, 48, 1), sample_indices(4096, 48, 2));
}

TEST(JudgeRounding, KnownValues) {
  EXPECT_EQ(round_to_tf32(1.0F + 0x1p-11F), 1.0F);  // a tie goes to even
  EXPECT_EQ(round_to_tf32(1.0F + 0x3p-11F), 1.0F + 0x2p-10F);
  EXPECT_EQ(round_to_tf32(1.0F + 0x1p-11F + 0x1p-23F), 1.0F + 0x1p-10F);
  EXPECT_EQ(round_to_tf32(-0.99999F), -1.0F);  // carries into the exponent
  EXPECT_GT(round_to_tf32(1e-30F), 0.0F);
  EXPECT_EQ(round_to_fp16(0.1F), 0.0999755859375F);
  EXPECT_EQ(round_to_fp16(0x1p-24F), 0x1p-24F);    // the smallest subnormal half
  EXPECT_EQ(round_to_fp16(0x1p-25F), 0.0F);        // a tie goes to even
  EXPECT_EQ(round_to_fp16(0x1.8p-24F), 0x1p-23F);  // likewise
  EXPECT_EQ(round_to_fp16(-0x1.02p-20F), -0x1p-20F);
  EXPECT_EQ(round_to_fp16(0x1.ff8p-15F), 0x1.ff8p-15F);  // subnormals are 2^-24 apart up to 2^-14
  EXPECT_EQ(round_to_fp16(0x1.ffcp-15F), 0x1p-14F);      // a tie, to even
  EXPECT_EQ(round_to_fp16(1e-30F), 0.0F);
  EXPECT_EQ(round_to_fp16(65504.0F), 65504.0F);
  EXPECT_TRUE(std::isinf(round_to_fp16(65520.0F)));
  EXPECT_TRUE(std::isnan(round_to_tf32(std::nanf(""))));
}

}  // namespace
}  // namespace tilewright
