// SPDX-License-Identifier: MIT
//
// A plan whose inputs could not tell a wrong kernel from an honest one is rejected by a sentence that says
// which fault, at which shape, and what to do.
#include <gtest/gtest.h>

#include "judge/plan.h"
#include "tests/unit/plan_rungs.h"

namespace tilewright {
namespace {

Plan plan_of(std::vector<Shape> shapes, std::vector<std::string> inputs,
             std::optional<Operands> operands = {}) {
  PlanRequest request{.kernels = {rung_named("one")},
                      .matrix = false,
                      .declared = {},
                      .inputs = std::move(inputs),
                      .operands = std::move(operands),
                      .seed = 1};
  for (const Shape shape : shapes) request.declared.push_back({shape, "fp32"});
  return make_plan(request);
}

// A · Aᵀ with values of full mantissas: the product equals its transpose.
Operands gram(std::int64_t rows, std::int64_t columns) {
  Operands operands = make_inputs(find_family("uniform"), {rows, rows, columns}, 7);
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t k = 0; k < columns; ++k) operands.B.at(k, i) = operands.A.at(i, k);
  return operands;
}

TEST(PlanRejection, ZerosAloneTellNothing) {
  EXPECT_EQ(plan_rejection(plan_of({{17, 19, 23}}, {"zeros"})),
            "at 17x19x23 the inputs (zeros) cannot tell these from an honest kernel: zero_result, "
            "element_off_by_its_size, missing_term, transposed, tf32_inputs, fp16_inputs; add uniform to the "
            "inputs");
}

TEST(PlanRejection, OnesAloneDoNotTellATranspositionOrADowngrade) {
  EXPECT_EQ(plan_rejection(plan_of({{17, 19, 23}}, {"ones"})),
            "at 17x19x23 the inputs (ones) cannot tell these from an honest kernel: transposed, tf32_inputs, "
            "fp16_inputs; add uniform to the inputs");
}

TEST(PlanRejection, IntegersAloneDoNotTellADowngrade) {
  const std::string text = plan_rejection(plan_of({{17, 19, 23}}, {"ones", "coded"}));
  EXPECT_EQ(text,
            "at 17x19x23 the inputs (coded, ones) cannot tell these from an honest kernel: tf32_inputs, "
            "fp16_inputs; "
            "add uniform to the inputs");
}

TEST(PlanRejection, UniformTellsEverything) {
  EXPECT_EQ(
      plan_rejection(plan_of({{17, 19, 23}, {1, 1, 1}, {1, 40, 3}, {40, 1, 3}, {3, 3, 431}}, {"uniform"})),
      "");
  EXPECT_EQ(plan_rejection(plan_of({{17, 19, 23}}, {"zeros", "ones", "uniform"})), "");
}

TEST(PlanRejection, EveryShapeHasToTell) {
  Plan plan = plan_of({{17, 19, 23}, {5, 5, 5}}, {"uniform", "zeros"});
  ASSERT_EQ(plan.cells.size(), 4U);
  EXPECT_EQ(plan_rejection(plan), "");
  ASSERT_EQ(plan.cells[0].shape, (Shape{5, 5, 5}));
  ASSERT_EQ(plan.cells[0].inputs, "uniform");
  plan.cells.erase(plan.cells.begin());  // zeros are left at 5x5x5
  EXPECT_EQ(plan_rejection(plan).rfind("at 5x5x5 the inputs (zeros)", 0), 0U) << plan_rejection(plan);
}

TEST(PlanRejection, AGramMatrixAloneDoesNotTellATransposition) {
  EXPECT_EQ(plan_rejection(plan_of({}, {}, gram(24, 8))),
            "at 24x24x8 the inputs (operands) cannot tell these from an honest kernel: transposed; add "
            "uniform to the "
            "inputs");
}

TEST(PlanRejection, AGramMatrixIsGoodBesideAShapeThatTells) {
  EXPECT_EQ(plan_rejection(plan_of({{17, 19, 23}}, {"uniform"}, gram(24, 8))), "");
}

TEST(PlanRejection, AVectorBesideAGramMatrixTellsNoTransposition) {
  for (const Shape shape : {Shape{1, 19, 23}, {19, 1, 23}})
    EXPECT_NE(plan_rejection(plan_of({shape}, {"uniform"}, gram(24, 8))), "") << to_string(shape);
}

TEST(PlanRejection, AGramMatrixBesideItsOwnShapeOfUniform) {
  EXPECT_EQ(plan_rejection(plan_of({{24, 24, 8}}, {"uniform"}, gram(24, 8))), "");
}

TEST(PlanRejection, OperandsThatTellEverythingNeedNoCompanion) {
  EXPECT_EQ(plan_rejection(plan_of({}, {}, make_inputs(find_family("uniform"), {24, 20, 8}, 3))), "");
}

TEST(PlanRejection, CompanionsHaveToTellThemselves) {
  const std::string text = plan_rejection(plan_of({{17, 19, 23}}, {"ones"}, gram(24, 8)));
  EXPECT_EQ(text.rfind("at 17x19x23 the inputs (ones)", 0), 0U) << text;
}

}  // namespace
}  // namespace tilewright
