// SPDX-License-Identifier: MIT
//
// The plan gate tells what it should, and admits what it cannot.
#include <gtest/gtest.h>

#include <algorithm>

#include "judge/gate.h"
#include "judge/inputs.h"

namespace tilewright {
namespace {

GateResult gate_of(const char* name, Shape shape, std::uint64_t seed = 1) {
  const Family& family = find_family(name);
  const Operands in = make_inputs(family, shape, seed);
  return gate(in.A, in.B, family.order_term, seed);
}

bool has(const std::vector<Fault>& faults, Fault fault) {
  return std::find(faults.begin(), faults.end(), fault) != faults.end();
}

std::string names(const std::vector<Fault>& faults) {
  std::string text;
  for (const Fault fault : faults) text += std::string(name_of(fault)) + " ";
  return text;
}

TEST(JudgeGate, UniformTellsEverythingAtEveryShape) {
  for (const Shape shape :
       {Shape{2, 2, 1}, Shape{17, 19, 23}, Shape{3, 3, 431}, Shape{1, 40, 64}, Shape{64, 64, 4096},
        Shape{300, 200, 100}, Shape{4, 4, 262144}, Shape{1, 1, 2}, Shape{1, 1, 4096}})
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      const GateResult result = gate_of("uniform", shape, seed);
      EXPECT_EQ(names(result.not_told), "") << to_string(shape) << " seed " << seed;
      EXPECT_EQ(result.not_applicable.empty(), shape.M > 1 && shape.N > 1);
      EXPECT_EQ(result.told.size() + result.not_applicable.size(), 6U);
    }
}

TEST(JudgeGate, OneByOne) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const GateResult result = gate_of("uniform", {1, 1, 1}, seed);
    EXPECT_EQ(names(untold(std::vector{result})), "") << seed;
    EXPECT_EQ(names(result.not_applicable), "transposed ");
  }
}

TEST(JudgeGate, ZerosTellNothing) {
  const GateResult result = gate_of("zeros", {17, 19, 23});
  EXPECT_TRUE(result.told.empty());
  EXPECT_EQ(untold(std::vector{result}).size(), 6U);
}

TEST(JudgeGate, OnesCannotTellATranspositionOrADowngrade) {
  const GateResult result = gate_of("ones", {17, 19, 23});
  EXPECT_EQ(names(result.told), "zero_result element_off_by_its_size missing_term ");
  EXPECT_EQ(names(result.not_told), "transposed tf32_inputs fp16_inputs ");
}

TEST(JudgeGate, CodedTellsIndicesButNotDowngrades) {
  for (const Shape shape : {Shape{17, 19, 23}, Shape{33, 32, 32}, Shape{4, 4, 262144}}) {
    const GateResult result = gate_of("coded", shape);
    EXPECT_TRUE(has(result.told, Fault::transposed) && has(result.told, Fault::missing_term))
        << to_string(shape);
    EXPECT_EQ(names(result.not_told), "tf32_inputs fp16_inputs ") << to_string(shape);
  }
}

// The error of float32 accumulation grows with K^1.5 there, that of rounded inputs with its root: a TF32
// product of very long positive sums really is as accurate, and the gate must say so rather than pretend.
TEST(JudgeGate, LongPositiveSumsHideTf32) {
  EXPECT_TRUE(has(gate_of("positive", {48, 48, 1024}).told, Fault::tf32_inputs));
  const GateResult longest = gate_of("positive", {4, 4, 262144});
  EXPECT_TRUE(has(longest.not_told, Fault::tf32_inputs));
  EXPECT_TRUE(has(untold(std::vector{longest}), Fault::tf32_inputs));
  EXPECT_TRUE(untold(std::vector{longest, gate_of("uniform", {4, 4, 262144})}).empty());
}

TEST(JudgeGate, FamiliesCombine) {
  const Shape shape{17, 19, 23};
  EXPECT_TRUE(untold(std::vector{gate_of("zeros", shape), gate_of("coded", shape), gate_of("uniform", shape)})
                  .empty());
  EXPECT_EQ(names(untold(std::vector{gate_of("zeros", shape), gate_of("coded", shape)})),
            "tf32_inputs fp16_inputs ");
  EXPECT_TRUE(untold({}).empty());
}

}  // namespace
}  // namespace tilewright
