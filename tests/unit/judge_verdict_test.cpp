// SPDX-License-Identifier: MIT
//
// The judge against honest results, which it must pass, and against wrong ones, which it must fail.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/error.h"
#include "judge/inputs.h"
#include "judge/rounding.h"
#include "judge/verdict.h"
#include "tests/unit/judge_orders.h"

namespace tilewright {
namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

struct Case {
  Operands in;
  Reference reference;
  std::vector<float> honest;
};

Case make_case(const char* name, Shape shape, std::uint64_t seed = 1) {
  const Family& family = find_family(name);
  Case made{make_inputs(family, shape, seed), {}, {}};
  made.reference = make_reference(made.in.A, made.in.B, family.order_term);
  made.honest = multiply(made.in.A, made.in.B);
  return made;
}

Case one_by_one(float a, float b) {
  Case made{{Matrix(1, 1), Matrix(1, 1)}, {}, {}};
  made.in.A.values = {a};
  made.in.B.values = {b};
  made.reference = make_reference(made.in.A, made.in.B, false);
  return made;
}

TEST(JudgeVerdict, HonestOrdersPassInEveryFamily) {
  for (const Family& family : families())
    for (const Shape shape :
         {Shape{1, 1, 1}, Shape{1, 1, 2}, Shape{17, 19, 23}, Shape{1, 40, 257}, Shape{20, 20, 1024}}) {
      const Case made = make_case(family.name, shape);
      for (const Order& order : honest_orders(shape.K)) {
        const Judgement judgement = judge(made.reference, multiply(made.in.A, made.in.B, order));
        EXPECT_TRUE(judgement.pass) << family.name << " " << to_string(shape) << " " << order.name;
        EXPECT_EQ(judgement.failure, "");
        EXPECT_EQ(judgement.bitwise, family.integer);
        EXPECT_TRUE(judgement.worst_failing.empty());
      }
    }
}

// One honest element in a hundred has r > 1, so a fixed limit on the rms would fail honest kernels
// on small shapes.
TEST(JudgeVerdict, HonestSingleElementsPass) {
  int above_one = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Case made = make_case("uniform", {1, 1, 64}, seed);
    const Judgement judgement = judge(made.reference, made.honest);
    EXPECT_TRUE(judgement.pass) << seed;
    above_one += *judgement.rms_r > rms_r_limit ? 1 : 0;
  }
  EXPECT_GT(above_one, 3);
  EXPECT_DOUBLE_EQ(rms_limit(1), max_r_limit);
  EXPECT_NEAR(rms_limit(4096), 1.0043, 1e-4);
}

TEST(JudgeVerdict, NonFiniteElementsFailWithCoordinates) {
  for (const char* family : {"uniform", "ones", "zeros"})
    for (const float bad : {not_a_number, infinity, -infinity}) {
      Case made = make_case(family, {5, 6, 7});
      made.honest[2 * 6 + 3] = bad;
      const Judgement judgement = judge(made.reference, made.honest);
      EXPECT_FALSE(judgement.pass);
      EXPECT_EQ(judgement.failure, "non_finite");
      EXPECT_EQ(judgement.non_finite, 1);
      EXPECT_EQ(judgement.failing, 1);
      EXPECT_EQ(judgement.worst.row, 2);
      EXPECT_EQ(judgement.worst.column, 3);
      EXPECT_FALSE(judgement.worst.got || judgement.worst.r);
      EXPECT_TRUE(std::isfinite(*judgement.rms_r) && std::isfinite(*judgement.max_abs_error));
    }
}

TEST(JudgeVerdict, AllNonFiniteLeavesNoStatistics) {
  const Case made = make_case("uniform", {5, 6, 7});
  const Judgement judgement = judge(made.reference, std::vector<float>(30, not_a_number));
  EXPECT_EQ(judgement.failure, "non_finite");
  EXPECT_EQ(judgement.failing, 30);
  EXPECT_EQ(judgement.worst_failing.size(), most_failing_listed);
  EXPECT_FALSE(judgement.max_r || judgement.rms_r || judgement.mean_signed_r || judgement.max_abs_error ||
               judgement.max_rel_error || judgement.max_gamma_fraction);
}

TEST(JudgeVerdict, OneWrongElementAmongManyFails) {
  Case made = make_case("uniform", {64, 64, 64});
  made.honest[40 * 64 + 41] *= 1.001F;
  made.honest[7] += 1.0F;
  const Judgement judgement = judge(made.reference, made.honest);
  EXPECT_EQ(judgement.failure, "wrong_value");
  ASSERT_EQ(judgement.worst_failing.size(), 2U);
  EXPECT_EQ(judgement.worst_failing[0].column, 7);
  EXPECT_EQ(judgement.worst_failing[1].row, 40);
  EXPECT_EQ(judgement.worst_failing[1].column, 41);
  EXPECT_EQ(*judgement.max_r, *judgement.worst.r);
}

TEST(JudgeVerdict, FaultsOfWholeResultsFail) {
  for (const std::int64_t K : {64, 1024}) {
    const Case made = make_case("positive", {33, 31, K});
    const Shape shape = made.reference.shape;
    EXPECT_FALSE(judge(made.reference, std::vector<float>(made.honest.size())).pass) << "zero result";
    Matrix A(shape.M, K / 2),
        B(K / 2, shape.N);  // C3 of the referee: half of K, doubled, is 1 % off on average
    for (std::int64_t row = 0; row < shape.M; ++row)
      for (std::int64_t k = 0; k < K / 2; ++k) A.at(row, k) = 2.0F * made.in.A.at(row, k);
    std::copy_n(made.in.B.values.begin(), B.values.size(), B.values.begin());
    EXPECT_FALSE(judge(made.reference, multiply(A, B)).pass) << "half K doubled";
    Order without_last = honest_orders(K).front();
    without_last.groups[0].pop_back();
    EXPECT_FALSE(judge(made.reference, multiply(made.in.A, made.in.B, without_last)).pass) << "missing term";
    for (float (*round)(float) : {round_to_tf32, round_to_fp16}) {
      Operands rounded = made.in;
      for (Matrix* matrix : {&rounded.A, &rounded.B})
        std::transform(matrix->values.begin(), matrix->values.end(), matrix->values.begin(), round);
      EXPECT_FALSE(judge(made.reference, multiply(rounded.A, rounded.B)).pass) << "rounded inputs";
    }
  }
}

// Rounding every product down instead of to nearest: right by most tolerances, and a bias the mean shows.
TEST(JudgeVerdict, TruncationShowsAsBias) {
  const Case made = make_case("positive", {20, 20, 256});
  std::vector<float> truncated = made.honest;
  for (std::size_t i = 0; i < truncated.size(); ++i) {
    double sum = 0.0;
    for (std::int64_t k = 0; k < 256; ++k) {
      const auto row = static_cast<std::int64_t>(i) / 20, column = static_cast<std::int64_t>(i) % 20;
      sum += static_cast<double>(made.in.A.at(row, k)) * static_cast<double>(made.in.B.at(k, column));
      float rounded = static_cast<float>(sum);
      if (static_cast<double>(rounded) > sum) rounded = std::nextafter(rounded, 0.0F);
      sum = static_cast<double>(rounded);
    }
    truncated[i] = static_cast<float>(sum);
  }
  EXPECT_LT(std::fabs(*judge(made.reference, made.honest).mean_signed_r), 0.1);
  EXPECT_LT(*judge(made.reference, truncated).mean_signed_r, -5.0);
  EXPECT_FALSE(judge(made.reference, truncated).pass);
}

// Every element within the limit on r, and all of them together too far off: only the rms tells.
TEST(JudgeVerdict, ManyInaccurateElementsFailByTheirRms) {
  Case made = make_case("uniform", {64, 64, 64});
  for (std::size_t i = 0; i < made.honest.size(); ++i) {
    const double c = made.reference.product[i];
    made.honest[i] =
        static_cast<float>(c + 2.0 * (made.reference.yardstick[i] + float32_unit * std::fabs(c)));
  }
  const Judgement judgement = judge(made.reference, made.honest);
  EXPECT_FALSE(judgement.pass);
  EXPECT_EQ(judgement.failure, "wrong_value");
  EXPECT_EQ(judgement.failing, 0);
  EXPECT_LT(*judgement.max_r, max_r_limit);
  EXPECT_NEAR(*judgement.rms_r, 2.0, 0.1);
  EXPECT_NEAR(*judgement.mean_signed_r, 2.0, 0.1);
}

TEST(JudgeVerdict, ExactInputsAreJudgedBitForBit) {
  Case made = make_case("coded", {20, 20, 1024});
  EXPECT_TRUE(judge(made.reference, made.honest).bitwise);
  made.honest[33] = std::nextafter(made.honest[33], infinity);
  const Judgement judgement = judge(made.reference, made.honest);
  EXPECT_FALSE(judgement.pass);
  EXPECT_EQ(judgement.failing, 1);
  EXPECT_LT(*judgement.max_r, max_r_limit);  // only the bits tell
  EXPECT_EQ(judgement.worst.row, 1);
  EXPECT_EQ(judgement.worst.column, 13);
}

TEST(JudgeVerdict, ZeroProductsAllowNothingElse) {
  const Case made = one_by_one(0.0F, 0.3F);
  EXPECT_TRUE(judge(made.reference, std::vector<float>{0.0F}).pass);
  EXPECT_TRUE(judge(made.reference, std::vector<float>{-0.0F}).pass);
  EXPECT_EQ(*judge(made.reference, std::vector<float>{0.0F}).max_r, 0.0);
  const Judgement judgement = judge(made.reference, std::vector<float>{1e-45F});
  EXPECT_EQ(judgement.failure, "wrong_value");
  EXPECT_FALSE(judgement.max_r || judgement.rms_r || judgement.worst.r);
  EXPECT_EQ(*judgement.worst.got, 1e-45F);
  EXPECT_EQ(judge(make_case("zeros", {3, 3, 3}).reference, std::vector<float>(9)).pass, true);
}

// Products below the smallest subnormal: an honest kernel returns 0, and must not fail for it.
TEST(JudgeVerdict, UnderflowIsHonest) {
  for (const float tiny : {1.1e-30F, 1.3e-22F, 1.7e-20F}) {
    const Case made = one_by_one(tiny, tiny);
    EXPECT_TRUE(judge(made.reference, multiply(made.in.A, made.in.B)).pass) << static_cast<double>(tiny);
  }
  EXPECT_FALSE(judge(one_by_one(1.7e-20F, 1.7e-20F).reference, std::vector<float>{0.0F}).pass);
}

TEST(JudgeVerdict, RelativeErrorOnlyAwayFromZero) {
  const Case cancelled = make_case("cancelling", {1, 1, 4096});
  Case made = make_case("positive", {10, 10, 64});
  made.honest[5] *= 1.01F;
  EXPECT_NEAR(*judge(made.reference, made.honest).max_rel_error, 0.01, 1e-5);
  Case zero_sum = make_case("alternating", {4, 1, 8});  // column 0 sums to 0 everywhere
  EXPECT_FALSE(judge(zero_sum.reference, zero_sum.honest).max_rel_error);
  EXPECT_LT(*judge(cancelled.reference, cancelled.honest).max_gamma_fraction, 1.0);
}

TEST(JudgeVerdict, WrongSizeIsAnError) {
  EXPECT_THROW(judge(make_case("ones", {2, 3, 4}).reference, std::vector<float>(5)), Error);
}

}  // namespace
}  // namespace tilewright
