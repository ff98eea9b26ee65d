// SPDX-License-Identifier: MIT
//
// judge/plan.h: a plan is every cell that was asked for, once, in an order that keeps equal references
// together; what cannot be run is skipped by a rule that is spelled out.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "judge/plan.h"
#include "judge/shape_matrix.h"
#include "tests/unit/error_of.h"
#include "tests/unit/plan_rungs.h"

namespace tilewright {
namespace {

PlanRequest request_of(std::vector<DeclaredShape> shapes, std::vector<std::string> inputs) {
  return {.kernels = {rung_named("one"), rung_named("two", 8)},
          .matrix = false,
          .declared = std::move(shapes),
          .inputs = std::move(inputs),
          .operands = {},
          .seed = 5};
}

using CellKey = std::tuple<Shape, std::string, std::size_t>;
CellKey key_of(const Cell& cell) { return {cell.shape, cell.inputs, cell.kernel}; }

TEST(PlanMake, IsKernelsTimesShapesTimesInputs) {
  const Plan plan = make_plan(
      request_of({{{5, 6, 7}, "fp32"}, {{1, 2, 3}, "fp32"}, {{4, 4, 4}, "fp32"}}, {"uniform", "ones"}));
  EXPECT_EQ(plan.cells.size(), 2U * 3 * 2);
  EXPECT_TRUE(plan.skipped.empty());
  EXPECT_EQ(plan.seed, 5U);
  std::set<CellKey> cells;
  for (const Cell& cell : plan.cells) cells.insert(key_of(cell));
  EXPECT_EQ(cells.size(), plan.cells.size()) << "a cell is there twice";
  for (const Shape shape : {Shape{5, 6, 7}, {1, 2, 3}, {4, 4, 4}})
    for (const char* inputs : {"uniform", "ones"})
      for (const std::size_t kernel : {0U, 1U}) EXPECT_EQ(cells.count({shape, inputs, kernel}), 1U);
}

TEST(PlanMake, IsSortedByShapeInputsAndKernel) {
  const Plan plan =
      make_plan(request_of({{{5, 6, 7}, "fp32"}, {{1, 2, 3}, "fp32"}}, {"uniform", "ones", "zeros"}));
  EXPECT_TRUE(std::is_sorted(plan.cells.begin(), plan.cells.end(),
                             [](const Cell& a, const Cell& b) { return key_of(a) < key_of(b); }));
  EXPECT_EQ(plan.cells.front().shape, (Shape{1, 2, 3}));
  EXPECT_EQ(plan.cells.front().inputs, "ones");
  EXPECT_EQ(plan.cells.front().kernel, 0U);
  EXPECT_EQ(plan.cells[1].kernel, 1U);
}

TEST(PlanMake, AShapeDeclaredTwiceIsOneShape) {
  EXPECT_EQ(make_plan(request_of({{{5, 6, 7}, "fp32"}, {{5, 6, 7}, "fp32"}}, {"uniform"})).cells.size(), 2U);
}

TEST(PlanMake, TheMatrixIsRoundEachKernelsOwnTile) {
  PlanRequest request = request_of({{{1000, 1, 1}, "fp32"}, {{17, 19, 23}, "fp32"}}, {"uniform"});
  request.matrix = true;
  const Plan plan = make_plan(request);
  for (const std::size_t kernel : {0U, 1U}) {
    std::set<Shape> expected{{1000, 1, 1}}, planned;
    for (const Shape& shape : shape_matrix(plan.kernels[kernel].tile)) expected.insert(shape);
    for (const Cell& cell : plan.cells)
      if (cell.kernel == kernel) planned.insert(cell.shape);
    EXPECT_EQ(planned, expected);
  }
}

TEST(PlanMake, WhatIsOutsideTheContractIsSkippedWithTheRule) {
  const Plan plan = make_plan(request_of(
      {{{30000, 64, 64}, "fp32"}, {{64, 64, 4097}, "fp32"}, {{64, 64, 64}, "bf16"}, {{64, 64, 64}, "fp32"}},
      {"uniform"}));
  EXPECT_EQ(plan.cells.size(), 2U);
  ASSERT_EQ(plan.skipped.size(), 6U);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(plan.skipped[i].kernel, i / 3);
  EXPECT_EQ(plan.skipped[0].shape, (Shape{30000, 64, 64}));
  EXPECT_EQ(plan.skipped[0].rule, "M '30000': must be an integer from 1 to 4096");
  EXPECT_EQ(plan.skipped[1].rule, "K '4097': must be an integer from 1 to 4096");
  EXPECT_EQ(plan.skipped[2].shape, (Shape{64, 64, 64}));
  EXPECT_EQ(plan.skipped[2].rule, "the case is of precision bf16, the kernel computes fp32");
}

TEST(PlanMake, GivenOperandsAreACellOfTheirOwn) {
  PlanRequest request = request_of({{{5, 6, 7}, "fp32"}}, {"uniform"});
  request.operands = make_inputs(find_family("uniform"), {3, 9, 4}, 1);
  const Plan plan = make_plan(request);
  ASSERT_EQ(plan.cells.size(), 4U);
  EXPECT_EQ(plan.cells[0].inputs, operand_inputs);
  EXPECT_EQ(plan.cells[0].shape, (Shape{3, 9, 4}));
  EXPECT_EQ(operands_of(plan, plan.cells[0]).A.values, request.operands->A.values);
  EXPECT_NE(operands_of(plan, plan.cells[2]).A.values, request.operands->A.values);
}

TEST(PlanMake, RefusesWhatIsNoPlan) {
  PlanRequest none = request_of({{{5, 6, 7}, "fp32"}}, {"uniform"});
  none.kernels.clear();
  expect_error([&] { make_plan(none); }, Code::bad_input, {"plan", "names no kernel"});
  expect_error(
      [] {
        make_plan(request_of({{{5, 6, 7}, "fp32"}}, {"unifrom"}));
      },
      Code::bad_input, {"'unifrom'", "did you mean 'uniform'"});
  PlanRequest large = request_of({}, {});
  large.operands = Operands{Matrix(2, 3), Matrix(3, 2)};
  large.operands->B.at(2, 1) = 1.5F;
  expect_error([&] { make_plan(large); }, Code::bad_input, {"B[2,1] '1.5'", "[-1, 1]"});
  large.operands = Operands{Matrix(2, 3), Matrix(4, 2)};
  expect_error([&] { make_plan(large); }, Code::bad_input, {"B rows '4'", "3"});
}

TEST(PlanMake, ACellsInputsAreTheFamilysWithThePlansSeed) {
  const Plan plan = make_plan(request_of({{{5, 6, 7}, "fp32"}, {{5, 6, 8}, "fp32"}}, {"halves", "uniform"}));
  CellInputs inputs(plan);
  for (const Cell& cell : plan.cells) {
    inputs.prepare(cell);
    const Operands expected = make_inputs(find_family(cell.inputs), cell.shape, 5);
    EXPECT_EQ(inputs.operands().A.values, expected.A.values) << cell.inputs;
    EXPECT_EQ(inputs.operands().B.values, expected.B.values) << cell.inputs;
    const Reference reference = make_reference(expected.A, expected.B, find_family(cell.inputs).order_term);
    EXPECT_EQ(inputs.reference().product, reference.product);
    EXPECT_EQ(inputs.reference().yardstick, reference.yardstick);
  }
}

}  // namespace
}  // namespace tilewright
