// SPDX-License-Identifier: MIT
//
// The parts of the bench that need no device: shapes by name, the patterns, the sampled reference, an NVML that is not
// there.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <fstream>
#include <set>

#include "bench/nvml.h"
#include "bench/patterns.h"
#include "bench/sampled_reference.h"
#include "bench/shape_sets.h"
#include "core/process.h"
#include "tests/unit/error_of.h"

namespace tilewright {
namespace {

const std::string sets = TILEWRIGHT_SOURCE_DIR "/bench/shapes.json";

TEST(BenchShapes, NamesAndShapesMixAndNoneComesTwice) {
  EXPECT_EQ(parse_shapes("17x19x23", "/none"), (std::vector<Shape>{{17, 19, 23}}));
  const std::vector<Shape> odd = parse_shapes("odd", sets);
  EXPECT_EQ(odd.size(), 4U);
  EXPECT_EQ(odd.front(), (Shape{4097, 4095, 4093}));
  EXPECT_EQ(parse_shapes("17x19x23,odd", sets).size(), 4U) << "17x19x23 is one of odd's";
  const std::vector<Shape> all = parse_shapes("all", sets);
  EXPECT_EQ(std::set<Shape>(all.begin(), all.end()).size(), all.size());
  EXPECT_GT(all.size(), 30U);
}

TEST(BenchShapes, WhatIsNeitherIsRefused) {
  expect_error([] { parse_shapes("suqare", sets); }, Code::bad_input, {"'suqare'", "did you mean square?"});
  expect_error([] { parse_shapes("17x19", sets); }, Code::bad_input, {"--shapes '17x19'"});
  expect_error([] { parse_shapes("", sets); }, Code::bad_input, {"--shapes"});
  expect_error([] { parse_shapes("1x1x1,,2x2x2", sets); }, Code::bad_input, {"--shapes"});
  expect_error([] { parse_shapes("0x1x1", sets); }, Code::bad_input, {"at least 1"});
  expect_error([] { parse_shapes("2147483648x1x1", sets); }, Code::bad_input, {"M '2147483648'", "int"});
  expect_error([] { parse_shapes("1x1x16777216", sets); }, Code::bad_input, {"K '16777216'"});
  expect_error([] { parse_shapes("odd", "/none"); }, Code::bad_input, {"'/none'"});
}

TEST(BenchShapes, ABrokenFileOfSetsIsRefused) {
  const TemporaryFolder folder;
  const std::string path = folder.file("sets.json");
  for (const char* text : {"", "{}", R"({"sets": []})", R"({"sets": {}})"}) {
    std::ofstream(path) << text;
    expect_error([&] { parse_shapes("odd", path); }, Code::bad_input, {"is not a file of sets"});
  }
  for (const char* text : {R"({"sets": {"odd": [[1, 2]]}})", R"({"sets": {"odd": [[1, 2, 3.5]]}})"}) {
    std::ofstream(path) << text;
    expect_error([&] { parse_shapes("odd", path); }, Code::bad_input, {"three integers"});
  }
}

TEST(BenchPatterns, InputsAreUniformAndAllTheirBitsAreInUse) {
  const std::uint64_t stream = input_stream(1, 0, 0);
  double sum = 0, squares = 0;
  const int count = 100000;
  bool odd = false;
  for (int i = 0; i < count; ++i) {
    const double value = input_value(stream, i);
    ASSERT_GE(value, -1);
    ASSERT_LT(value, 1);
    sum += value;
    squares += value * value;
    odd = odd || std::fmod(std::abs(value) * 0x1p23, 2.0) == 1.0;
  }
  EXPECT_NEAR(sum / count, 0, 0.01);
  EXPECT_NEAR(squares / count, 1.0 / 3, 0.01);
  EXPECT_TRUE(odd);
  EXPECT_NE(input_value(stream, 5), input_value(input_stream(2, 0, 0), 5)) << "the seed";
  EXPECT_NE(input_value(stream, 5), input_value(input_stream(1, 1, 0), 5)) << "the set";
  EXPECT_NE(input_value(stream, 5), input_value(input_stream(1, 0, 1), 5)) << "the operand";
}

TEST(BenchPatterns, WhatIsUnwrittenIsANanOfItsPlace) {
  std::set<std::uint32_t> seen;
  for (int i = 0; i < 1000; ++i) {
    const std::uint32_t bits = unwritten_bits(i, 1);
    EXPECT_TRUE(std::isnan(std::bit_cast<float>(bits)));
    EXPECT_FALSE(is_finite_bits(bits));
    seen.insert(bits);
  }
  EXPECT_GT(seen.size(), 990U);
  EXPECT_NE(unwritten_bits(3, 1), unwritten_bits(3, 2));
  EXPECT_TRUE(is_finite_bits(std::bit_cast<std::uint32_t>(-1.5F)));
}

TEST(BenchPatterns, AFingerprintSeesPlaceAndBitAndNotOrder) {
  const auto of = [](std::initializer_list<std::pair<std::int64_t, std::uint32_t>> elements) {
    std::uint64_t sum = 0;
    for (const auto& [position, bits] : elements) sum += fingerprint_share(position, bits);
    return sum;
  };
  EXPECT_EQ(of({{0, 5}, {1, 6}}), of({{1, 6}, {0, 5}}));
  EXPECT_NE(of({{0, 5}, {1, 6}}), of({{0, 6}, {1, 5}})) << "two elements exchanged";
  EXPECT_NE(of({{0, 5}, {1, 6}}), of({{0, 5}, {1, 7}})) << "one bit";
  EXPECT_NE(of({{0, 0}}), of({{0, 0x80000000U}})) << "the sign of zero";
}

// The rows of the product that the reference asks for, as an honest float32 kernel makes them.
std::vector<float> honest_rows(const SampledReference& reference, Shape shape, std::uint64_t seed,
                               std::int64_t set) {
  std::vector<float> C;
  const std::uint64_t A = input_stream(seed, set, 0), B = input_stream(seed, set, 1);
  for (const std::int64_t row : reference.rows())
    for (std::int64_t column = 0; column < shape.N; ++column) {
      float sum = 0;
      for (std::int64_t k = 0; k < shape.K; ++k)
        sum = std::fma(input_value(A, row * shape.K + k), input_value(B, k * shape.N + column), sum);
      C.push_back(sum);
    }
  return C;
}

TEST(BenchReference, EveryElementOfASmallProductIsJudged) {
  const Shape shape{17, 19, 23};
  const SampledReference reference(shape, 5, 2, true);
  std::vector<float> C = honest_rows(reference, shape, 5, 2);
  const JudgedOutput right = reference.judge(C);
  EXPECT_TRUE(right.judgement.pass);
  EXPECT_EQ(right.elements, 17 * 19);
  EXPECT_EQ(right.method, "every element");
  EXPECT_FALSE(SampledReference(shape, 6, 2, true).judge(C).judgement.pass) << "another seed's product";
  EXPECT_FALSE(SampledReference(shape, 5, 1, true).judge(C).judgement.pass) << "another set's product";
  for (std::size_t i = 0; i < C.size(); ++i) {
    const float honest = C[i];
    C[i] += 1e-3F;
    const JudgedOutput wrong = reference.judge(C);
    ASSERT_FALSE(wrong.judgement.pass);
    EXPECT_EQ(wrong.judgement.worst.row * 19 + wrong.judgement.worst.column, static_cast<std::int64_t>(i));
    C[i] = honest;
  }
}

TEST(BenchReference, ALargeProductIsSampledAtItsCornersToo) {
  const Shape shape{700, 500, 400};  // more than 2^27 multiply-adds
  const SampledReference reference(shape, 5, 0, true);
  EXPECT_EQ(reference.rows().size(), 48U);
  EXPECT_EQ(reference.rows().front(), 0);
  EXPECT_EQ(reference.rows().back(), 699);
  std::vector<float> C = honest_rows(reference, shape, 5, 0);
  const JudgedOutput right = reference.judge(C);
  EXPECT_TRUE(right.judgement.pass);
  EXPECT_EQ(right.elements, 48 * 48);
  EXPECT_EQ(right.method, "sampled rows x columns");
  C.back() = std::nanf("");
  const JudgedOutput wrong = reference.judge(C);
  EXPECT_EQ(wrong.judgement.failure, "non_finite");
  EXPECT_EQ(wrong.judgement.worst.row, 699);
  EXPECT_EQ(wrong.judgement.worst.column, 499);
  EXPECT_EQ(SampledReference(shape, 5, 0, false).rows().size(), 8U);
}

TEST(BenchReference, ADroppedStepOfKIsSeenInALongSum) {
  const Shape shape{64, 64, 65536};
  const SampledReference reference(shape, 1, 0, false);
  std::vector<float> C = honest_rows(reference, shape, 1, 0);
  EXPECT_TRUE(reference.judge(C).judgement.pass);
  const std::uint64_t A = input_stream(1, 0, 0), B = input_stream(1, 0, 1);
  for (std::size_t i = 0; i < reference.rows().size(); ++i)
    for (std::int64_t j = 0; j < shape.N; ++j)
      C[i * 64 + static_cast<std::size_t>(j)] -= input_value(A, reference.rows()[i] * shape.K + shape.K - 1) *
                                                 input_value(B, (shape.K - 1) * shape.N + j);
  EXPECT_FALSE(reference.judge(C).judgement.pass);
}

TEST(BenchNvml, WithoutTheLibraryEverythingIsNone) {
  for (const char* library : {"/no/such/library.so", "libm.so.6"}) {
    const Nvml nvml("0000:00:00.0", library);
    EXPECT_NE(nvml.unavailable().find(library), std::string::npos);
    EXPECT_FALSE(nvml.conditions().clock_mhz || nvml.conditions().power_w || nvml.conditions().throttle);
    EXPECT_EQ(nvml.driver_version(), "");
    EXPECT_FALSE(nvml.power_limit_w());
  }
}

}  // namespace
}  // namespace tilewright
