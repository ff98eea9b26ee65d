// SPDX-License-Identifier: MIT
//
// The input families keep their promises: repeatable, in range, exact where they say so, and telling
// where they must.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/error.h"
#include "judge/inputs.h"
#include "judge/reference.h"
#include "judge/sample.h"

namespace tilewright {
namespace {

Reference reference_of(const char* family, Shape shape, std::uint64_t seed = 1) {
  const Operands inputs = make_inputs(find_family(family), shape, seed);
  return make_reference(inputs.A, inputs.B, false);
}

TEST(JudgeInputs, SameSeedSameBitsAndInRange) {
  for (const Family& family : families())
    for (const Shape shape : {Shape{17, 19, 23}, Shape{1, 1, 1}, Shape{300, 260, 1}, Shape{2, 3, 40000}}) {
      const Operands once = make_inputs(family, shape, 7), again = make_inputs(family, shape, 7);
      EXPECT_EQ(once.A.values, again.A.values) << family.name;
      EXPECT_EQ(once.B.values, again.B.values) << family.name;
      for (const Matrix* matrix : {&once.A, &once.B})
        for (const float value : matrix->values) ASSERT_TRUE(std::fabs(value) <= 1.0F) << family.name;
    }
}

TEST(JudgeInputs, SeedAndShapeIndependence) {
  const Family& uniform = find_family("uniform");
  const Operands one = make_inputs(uniform, {8, 8, 8}, 1), two = make_inputs(uniform, {8, 8, 8}, 2);
  EXPECT_NE(one.A.values, two.A.values);
  EXPECT_NE(one.A.values, one.B.values);
  EXPECT_NE(one.A.at(1, 2), one.A.at(2, 1));
  EXPECT_EQ(make_inputs(uniform, {300, 8, 300}, 1).A.at(5, 6), one.A.at(5, 6));  // large fills use threads
  // Pinned: a change of these bits changes every published record.
  static_assert(draw(1, 2, 3, 4) == 0x336C3255CBCC01FEU);
  const Operands pinned = make_inputs(uniform, {2, 2, 2}, 1);
  EXPECT_EQ(pinned.A.at(1, 0), -0x1.ba5a5cp-3F);
  EXPECT_EQ(pinned.B.at(1, 0), 0x1.205ea6p-1F);
  static_assert(mix(0) == 0xE220A8397B1DCDAFU);  // splitmix64's first output from state 0
}

TEST(JudgeInputs, IntegerFlagIsTruthful) {
  const Shape shapes[] = {{17, 19, 23},   {1, 1, 1},      {64, 64, 4096},
                          {4, 4, 262144}, {1, 1, 262144}, {1, 40, 4096}};
  for (const Family& family : families())
    for (const Shape shape : shapes)
      EXPECT_EQ(reference_of(family.name, shape).exact, family.integer)
          << family.name << " " << to_string(shape);
}

TEST(JudgeInputs, OnesGiveKAndZerosGiveZero) {
  for (const double c : reference_of("ones", {5, 6, 257}).product) EXPECT_EQ(c, 257.0);
  for (const double c : reference_of("zeros", {5, 6, 257}).product) EXPECT_EQ(c, 0.0);
}

TEST(JudgeInputs, IdentityShowsTheOtherOperand) {
  const Operands square = make_inputs(find_family("identity"), {9, 9, 9}, 3);
  const Reference reference = make_reference(square.A, square.B, false);
  for (std::size_t i = 0; i < 81; ++i)
    EXPECT_EQ(reference.product[i], static_cast<double>(square.B.values[i]));
  const Operands wide = make_inputs(find_family("identity"), {3, 11, 5}, 3);  // B is the repeated identity
  const Reference shown = make_reference(wide.A, wide.B, false);
  for (std::int64_t row = 0; row < 3; ++row)
    for (std::int64_t column = 0; column < 11; ++column)
      EXPECT_EQ(shown.product[static_cast<std::size_t>(row * 11 + column)],
                static_cast<double>(wide.A.at(row, column % 5)));
}

TEST(JudgeInputs, AlternatingCancelsInEvenColumnsOnly) {
  const Reference reference = reference_of("alternating", {4, 4, 100});
  for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(std::fabs(reference.product[i]), i % 2 == 0 ? 0.0 : 100.0);
}

// Every mistake of an index changes C: A against its transpose, exchanged rows or columns, and
// k shifted by one.
TEST(JudgeInputs, CodedShowsMistakesOfIndices) {
  for (const std::int64_t K : {1, 16, 40, 262144}) {
    const Shape shape{std::min<std::int64_t>(K, 20), std::min<std::int64_t>(K, 20), K};
    const Operands inputs = make_inputs(find_family("coded"), shape, 1);
    const std::vector<double> right = make_reference(inputs.A, inputs.B, false).product;
    const std::int64_t side = shape.M;
    for (std::int64_t i = 0; i < side; ++i)
      for (std::int64_t other = i + 1; other < side; ++other) {
        const auto row = right.begin() + i * side, other_row = right.begin() + other * side;
        EXPECT_FALSE(std::equal(row, row + side, other_row)) << "rows " << i << " and " << other;
        EXPECT_NE(right[static_cast<std::size_t>(i * side + other)],
                  right[static_cast<std::size_t>(other * side + i)])
            << "transposed " << i << " " << other << " K " << K;
      }
    if (K == 1) continue;
    Matrix shifted = inputs.B;
    std::rotate(shifted.values.begin(), shifted.values.begin() + side, shifted.values.end());
    EXPECT_NE(make_reference(inputs.A, shifted, false).product, right);
  }
}

TEST(JudgeInputs, UniformHasFullMantissas) {
  const Operands inputs = make_inputs(find_family("uniform"), {64, 64, 64}, 1);
  int odd = 0;
  double sum = 0.0;
  for (const float value : inputs.A.values) {
    int exponent = 0;
    const double mantissa = std::frexp(static_cast<double>(value), &exponent) * 0x1p24;
    odd += static_cast<std::int64_t>(mantissa) % 2 != 0 ? 1 : 0;
    sum += static_cast<double>(value);
  }
  EXPECT_NEAR(odd, 2048, 200);
  EXPECT_NEAR(sum / 4096, 0.0, 0.04);
}

TEST(JudgeInputs, UnknownFamiliesNameTheNearest) {
  try {
    find_family("unifrom");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.value, "unifrom");
    EXPECT_NE(error.rule.find("did you mean 'uniform'"), std::string::npos);
    for (const Family& family : families()) EXPECT_NE(error.rule.find(family.name), std::string::npos);
  }
  EXPECT_THROW(make_inputs(find_family("ones"), {1, 0, 1}, 1), Error);
}

}  // namespace
}  // namespace tilewright
