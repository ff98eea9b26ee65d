// SPDX-License-Identifier: MIT
//
// core/shape.h: a shape is read strictly. Whatever is not exactly integers joined by 'x' is refused with the
// argument and its value; nothing is trimmed, rounded or guessed.
#include <gtest/gtest.h>

#include "core/shape.h"
#include "tests/unit/error_of.h"

namespace tilewright {
namespace {

TEST(CoreShape, ReadsThreeExtents) {
  EXPECT_EQ(parse_shape("17x19x23"), (Shape{17, 19, 23}));
  EXPECT_EQ(parse_shape("1x1x1"), (Shape{1, 1, 1}));
  EXPECT_EQ(parse_shape("001x02x3"), (Shape{1, 2, 3}));
  EXPECT_EQ(parse_shape("9223372036854775807x1x2"), (Shape{INT64_MAX, 1, 2}));
}

TEST(CoreShape, IsWrittenAsItIsRead) {
  EXPECT_EQ(to_string(Shape{17, 19, 23}), "17x19x23");
  EXPECT_EQ(parse_shape(to_string(Shape{4096, 1, 30000})), (Shape{4096, 1, 30000}));
}

TEST(CoreShape, RefusesAnythingElseByArgumentAndValue) {
  for (const std::string text :
       {"",        "17",     "17x19",       "17x19x23x1", "+1x1x1",  " 1x1x1",   "1x1x1 ", "1X1X1",
        "1 x1x1",  "0x1x1",  "1x0x1",       "1x1x0",      "-1x1x1",  "1x1x-1",   "1x1x",   "x1x1",
        "1xx1",    "x",      "1x1x1x",      "1.0x1x1",    "1e3x1x1", "0x10x1x1", "1,1,1",  "axbxc",
        "1x1x1\n", "1x1x1;", "1x1x1 2x2x2", "nanx1x1",    "1*1*1",   "１x1x1"}) {
    const std::optional<Error> error = error_of([&] { parse_shape(text, "--shape-of-test"); });
    ASSERT_TRUE(error) << "accepted '" << text << "'";
    EXPECT_EQ(error->code, Code::bad_input) << text;
    EXPECT_EQ(error->argument, "--shape-of-test") << text;
    EXPECT_EQ(error->value, text);
    EXPECT_FALSE(error->rule.empty()) << text;
  }
}

TEST(CoreShape, NamesANumberThatDoesNotFit) {
  for (const std::string text :
       {"9223372036854775808x1x1", "1x18446744073709551616x1", "1x1x99999999999999999999999"})
    expect_error([&] { parse_shape(text); }, Code::bad_input,
                 {"--shape", "'" + text + "'", "does not fit in 64 bits"});
}

TEST(CoreShape, TheRuleSaysHowManyThereMayBe) {
  expect_error([] { parse_extents("1x2x3", 2, "--block"); }, Code::bad_input,
               {"--block '1x2x3'", "at most 2"});
  expect_error([] { parse_extents("1x2", 1, "--n"); }, Code::bad_input, {"--n '1x2'", "one integer"});
}

TEST(CoreShape, ReadsFromOneToMostExtents) {
  using Extents = std::vector<std::int64_t>;
  EXPECT_EQ(parse_extents("256", 2, "--block"), (Extents{256}));
  EXPECT_EQ(parse_extents("16x8", 2, "--block"), (Extents{16, 8}));
  EXPECT_EQ(parse_extents("7", 1, "--n"), (Extents{7}));
  for (const char* text : {"", "16x", "x16", "16x0", "16x-8", "16 x 8", "16x8x"})
    expect_error([&] { parse_extents(text, 2, "--block"); }, Code::bad_input, {"--block", text});
}

TEST(CoreShape, CountsMultiplyAddsIn64Bits) {
  EXPECT_EQ((Shape{4096, 4096, 4096}).multiply_adds(), 68719476736);
}

TEST(CoreShape, AMatrixIsRowMajorAndZero) {
  Matrix matrix(2, 3);
  EXPECT_EQ(matrix.values, std::vector<float>(6));
  matrix.at(1, 2) = 5;
  matrix.at(0, 1) = 4;
  EXPECT_EQ(matrix.values, (std::vector<float>{0, 4, 0, 0, 0, 5}));
}

}  // namespace
}  // namespace tilewright
