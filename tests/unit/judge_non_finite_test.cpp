// SPDX-License-Identifier: MIT
//
// The library's contract: what is expected of infinities, NaNs and sums beyond float32, and that a wrong one is seen.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "judge/contract.h"
#include "judge/inputs.h"
#include "judge/non_finite.h"
#include "judge/record.h"
#include "tests/unit/error_of.h"

namespace tilewright {
namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
const float nan = std::numeric_limits<float>::quiet_NaN();

// 3 x 4, by a plain loop in float32.
struct Case {
  Operands in = make_inputs(find_family("uniform"), {3, 4, 5}, 1);

  std::vector<float> product() const {
    std::vector<float> C;
    for (std::int64_t i = 0; i < 3; ++i)
      for (std::int64_t j = 0; j < 4; ++j) {
        float sum = 0;
        for (std::int64_t k = 0; k < 5; ++k) sum = std::fma(in.A.at(i, k), in.B.at(k, j), sum);
        C.push_back(sum);
      }
    return C;
  }
  AnyJudgement judged() const { return judge_any(in.A, in.B, product()); }
};

TEST(JudgeAny, FiniteInputsAreJudgedAsBefore) {
  Case one;
  const AnyJudgement judgement = one.judged();
  EXPECT_TRUE(judgement.pass());
  EXPECT_EQ(judgement.special + judgement.undetermined, 0);
  const Judgement plain = judge(make_reference(one.in.A, one.in.B, true), one.product());
  EXPECT_EQ(judgement.ordinary->max_r, plain.max_r);
  EXPECT_EQ(judgement.ordinary->rms_r, plain.rms_r);
}

TEST(JudgeAny, ARowAndAColumnOfSpecialElements) {
  Case one;
  one.in.A.at(1, 2) = inf;   // row 1
  one.in.B.at(4, 3) = -inf;  // column 3
  one.in.A.at(0, 4) = 0;     // 0 times -inf at (0, 3)
  const AnyJudgement judgement = one.judged();
  EXPECT_TRUE(judgement.pass());
  EXPECT_EQ(judgement.special, 6);
  EXPECT_TRUE(std::isnan(one.product()[3]));
}

TEST(JudgeAny, AWrongClassFails) {
  Case one;
  one.in.A.at(1, 2) = inf;
  for (const float wrong : {0.0F, 1.0F, nan, -one.product()[5]}) {
    std::vector<float> C = one.product();
    ASSERT_TRUE(std::isinf(C[5]));
    C[5] = wrong;
    const AnyJudgement judgement = judge_any(one.in.A, one.in.B, C);
    EXPECT_FALSE(judgement.pass());
    EXPECT_EQ(judgement.failure(), "wrong_value");
    EXPECT_EQ(judgement.special_wrong, 1);
    ASSERT_TRUE(judgement.first_wrong);
    EXPECT_EQ(judgement.first_wrong->row, 1);
    EXPECT_EQ(judgement.first_wrong->column, 1);
    const Json json = to_json(judgement);
    EXPECT_EQ(json["special_wrong"], 1);
    EXPECT_TRUE(json["first_special_wrong"]["expected"].is_string());
  }
  // And a NaN where a number belongs.
  std::vector<float> C = one.product();
  C[0] = nan;
  EXPECT_EQ(judge_any(one.in.A, one.in.B, C).failure(), "non_finite");
  C[0] = one.product()[0] + 1;
  EXPECT_EQ(judge_any(one.in.A, one.in.B, C).failure(), "wrong_value");
}

TEST(JudgeAny, InfinitiesOfBothSignsAndNan) {
  Case one;
  one.in.A.values.assign(15, 1.0F);
  one.in.B.values.assign(20, 1.0F);
  one.in.A.at(0, 0) = inf;
  one.in.A.at(0, 1) = -inf;
  one.in.A.at(2, 3) = nan;
  const AnyJudgement judgement = one.judged();
  EXPECT_TRUE(judgement.pass());
  EXPECT_EQ(judgement.special, 8);
  std::vector<float> C = one.product();
  C[0] = inf;
  EXPECT_FALSE(judge_any(one.in.A, one.in.B, C).pass()) << "inf - inf is NaN";
}

TEST(JudgeAny, AllSpecial) {
  Case one;
  one.in.A.values.assign(15, nan);
  const AnyJudgement judgement = one.judged();
  EXPECT_TRUE(judgement.pass());
  EXPECT_FALSE(judgement.ordinary.has_value());
  EXPECT_EQ(judgement.special, 12);
  EXPECT_FALSE(judge_any(one.in.A, one.in.B, std::vector<float>(12, 0.0F)).pass());
}

TEST(JudgeAny, SumsBeyondFloat32AreCountedNotJudged) {
  Case one;
  for (std::int64_t k = 0; k < 5; ++k) one.in.A.at(1, k) = k % 2 == 0 ? 3e38F : -3e38F;
  one.in.B.values.assign(20, 1.0F);
  AnyJudgement judgement = one.judged();
  EXPECT_TRUE(judgement.pass());
  EXPECT_EQ(judgement.undetermined, 4);
  EXPECT_EQ(judgement.special, 0);
  // A NaN among them stays one, whatever else overflows.
  one.in.A.at(1, 0) = nan;
  judgement = one.judged();
  EXPECT_EQ(judgement.undetermined, 0);
  EXPECT_EQ(judgement.special, 4);
  // Just below, all is judged.
  for (std::int64_t k = 0; k < 5; ++k) one.in.A.at(1, k) = 6e37F;
  judgement = one.judged();
  EXPECT_TRUE(judgement.pass());
  EXPECT_EQ(judgement.undetermined, 0);
  std::vector<float> C = one.product();
  C[4] = inf;
  EXPECT_FALSE(judge_any(one.in.A, one.in.B, C).pass());
}

TEST(JudgeAny, RefusesAnotherSize) {
  Case one;
  expect_error([&] { judge_any(one.in.A, one.in.B, std::vector<float>(11)); }, Code::bad_input,
               {"C '11 elements'"});
}

TEST(LibraryContract, AnyShapeThatIntsHold) {
  EXPECT_NO_THROW(require_library_shape({2147483647, 1, 2147483647}));
  expect_error(
      [] {
        require_library_shape({2147483648, 1, 1});
      },
      Code::bad_input, {"M '2147483648'", "1 to 2147483647"});
  expect_error([] { require_library_shape({1, 0, 1}); }, Code::bad_input, {"N '0'"});
  expect_error([] { require_library_shape({1, 1, -1}); }, Code::bad_input, {"K '-1'"});
  Matrix A(2, 3), B(3, 2);
  A.at(1, 1) = inf;
  B.at(0, 0) = 1e30F;
  EXPECT_NO_THROW(require_library_inputs(A, B));
  expect_error([&] { require_library_inputs(A, Matrix(4, 2)); }, Code::bad_input, {"B rows '4'"});
  A.values.pop_back();
  expect_error([&] { require_library_inputs(A, B); }, Code::bad_input, {"A '5 elements'"});
}

}  // namespace
}  // namespace tilewright
