// SPDX-License-Identifier: MIT
//
// Every refusal of the exercise contract, by the name it gives.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/error.h"
#include "judge/contract.h"

namespace tilewright {
namespace {

// The argument that `call` refuses; "" when it refuses nothing.
template <class Call>
std::string refused(Call call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code, Code::bad_input);
    EXPECT_FALSE(error.rule.empty());
    return error.argument;
  }
  return "";
}

std::string refused_shape(Shape shape) {
  return refused([&] { require_exercise_shape(shape); });
}

TEST(JudgeContract, ShapesFrom1To4096) {
  EXPECT_EQ(refused_shape({1, 1, 1}), "");
  EXPECT_EQ(refused_shape({4096, 4096, 4096}), "");
  EXPECT_EQ(refused_shape({0, 1, 1}), "M");
  EXPECT_EQ(refused_shape({1, -3, 1}), "N");
  EXPECT_EQ(refused_shape({1, 1, 4097}), "K");
  try {
    require_exercise_shape({1, 4097, 1});
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "N '4097': must be an integer from 1 to 4096");
  }
}

TEST(JudgeContract, InputsFiniteInMinusOneToOne) {
  const auto with = [](char operand, float value) {
    Matrix A(2, 3), B(3, 4);
    (operand == 'A' ? A : B).at(1, 2) = value;
    return refused([&] { require_exercise_inputs(A, B); });
  };
  for (const float good : {0.0F, -0.0F, 1.0F, -1.0F, 1e-40F}) EXPECT_EQ(with('A', good), "");
  const float infinity = std::numeric_limits<float>::infinity();
  for (const float bad : {std::nextafter(1.0F, 2.0F), -1.5F, infinity, -infinity, std::nanf("")}) {
    EXPECT_EQ(with('A', bad), "A[1,2]");
    EXPECT_EQ(with('B', bad), "B[1,2]");
  }
  EXPECT_EQ(refused([] { require_exercise_inputs(Matrix(2, 3), Matrix(4, 2)); }), "B rows");
  EXPECT_EQ(refused([] { require_exercise_inputs(Matrix(2, 4097), Matrix(4097, 1)); }), "K");
  Matrix short_of_one(2, 3);
  short_of_one.values.pop_back();
  EXPECT_EQ(refused([&] { require_exercise_inputs(short_of_one, Matrix(3, 1)); }), "A");
}

class JudgeLayout : public testing::Test {
 protected:
  std::string refusal() const {
    return refused([&] { require_exercise_layout(A, B, C); });
  }

  std::vector<float> a = std::vector<float>(64), b = a, c = a;
  OperandView A{"A", a.data(), 2, 3, 3, 1, "float32"};
  OperandView B{"B", b.data(), 3, 4, 4, 1, "float32"};
  OperandView C{"C", c.data(), 2, 4, 4, 1, "float32"};
};

TEST_F(JudgeLayout, AcceptsContiguousRowMajor) { EXPECT_EQ(refusal(), ""); }

TEST_F(JudgeLayout, StridesOfExtentOneDoNotMatter) {
  A = {"A", a.data(), 1, 3, 77, 1, "float32"};
  C = {"C", c.data(), 1, 4, -5, 1, "float32"};
  EXPECT_EQ(refusal(), "");
}

TEST_F(JudgeLayout, RefusesTypesPointersAndDimensions) {
  A.dtype = "float64";
  EXPECT_EQ(refusal(), "A dtype");
  A.dtype = "float32";
  B.data = nullptr;
  EXPECT_EQ(refusal(), "B data");
  B.data = reinterpret_cast<const char*>(b.data()) + 2;
  EXPECT_EQ(refusal(), "B data");
  B.data = b.data();
  C.rows = 0;
  EXPECT_EQ(refusal(), "C rows");
  C.rows = 3;
  EXPECT_EQ(refusal(), "C rows");
  C.rows = 2;
  C.columns = C.row_stride = 5;
  EXPECT_EQ(refusal(), "C columns");
  C.columns = C.row_stride = 4;
  B.rows = 2;
  EXPECT_EQ(refusal(), "B rows");
}

TEST_F(JudgeLayout, RefusesOtherStrides) {
  A.row_stride = 1;
  A.column_stride = 2;  // a transposed view
  EXPECT_EQ(refusal(), "A row stride");
  A.row_stride = 3;
  EXPECT_EQ(refusal(), "A column stride");
  A.column_stride = 1;
  B.row_stride = 8;  // padded rows
  EXPECT_EQ(refusal(), "B row stride");
  B.row_stride = -4;  // rows in reverse
  EXPECT_EQ(refusal(), "B row stride");
}

TEST_F(JudgeLayout, RefusesAnOverlappingOutputButNotEqualInputs) {
  C.data = a.data() + 5;  // the last element of A
  EXPECT_EQ(refusal(), "C");
  C.data = a.data() + 6;
  EXPECT_EQ(refusal(), "");
  C.data = b.data();
  EXPECT_EQ(refusal(), "C");
  C.data = c.data();
  B.data = a.data();  // A and B are only read
  EXPECT_EQ(refusal(), "");
}

}  // namespace
}  // namespace tilewright
