// SPDX-License-Identifier: MIT
#include "judge/plan.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include "core/error.h"
#include "judge/contract.h"
#include "judge/gate.h"
#include "judge/shape_matrix.h"

namespace tilewright {
namespace {

constexpr const char* rung_precision = "fp32";

// Why the kernel is not run at this shape; empty when it is.
std::string rule_against(const DeclaredShape& declared) {
  if (declared.precision != rung_precision)
    return "the case is of precision " + declared.precision + ", the kernel computes " + rung_precision;
  try {
    require_exercise_shape(declared.shape);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

bool order_term(const std::string& inputs) {
  // What order real operands come in is not known, so their yardstick looks at it.
  return inputs == operand_inputs || find_family(inputs).order_term;
}

// The most sensitive family first: most often it tells every fault, and the others need no look.
std::vector<std::string> sensitive_first(const std::set<std::string>& inputs) {
  std::vector<std::string> ordered(inputs.begin(), inputs.end());
  std::stable_partition(ordered.begin(), ordered.end(), [](const std::string& name) {
    return name != operand_inputs && !find_family(name).integer;
  });
  std::stable_partition(ordered.begin(), ordered.end(),
                        [](const std::string& name) { return name == "uniform"; });
  return ordered;
}

std::vector<Fault> untold_at(const Plan& plan, Shape shape, const std::set<std::string>& inputs) {
  std::vector<GateResult> results;
  std::vector<Fault> left;
  for (const std::string& name : sensitive_first(inputs)) {
    const Operands operands = operands_of(plan, Cell{0, shape, name});
    results.push_back(gate(operands.A, operands.B, order_term(name), plan.seed));
    left = untold(results);
    if (left.empty()) break;
  }
  return left;
}

std::string rejection_text(Shape shape, const std::set<std::string>& inputs,
                           const std::vector<Fault>& faults) {
  std::string text = "at " + to_string(shape) + " the inputs (";
  for (const std::string& name : inputs) text += (name == *inputs.begin() ? "" : ", ") + name;
  text += ") cannot tell these from an honest kernel: ";
  for (const Fault& fault : faults)
    text += (&fault == &faults.front() ? "" : ", ") + std::string(name_of(fault));
  return text + "; add uniform to the inputs";
}

}  // namespace

Operands operands_of(const Plan& plan, const Cell& cell) {
  if (cell.inputs == operand_inputs) return *plan.operands;
  return make_inputs(find_family(cell.inputs), cell.shape, plan.seed);
}

Plan make_plan(const PlanRequest& request) {
  if (request.kernels.empty()) throw bad_input("plan", "", "names no kernel");
  Plan plan;
  for (const Rung& kernel : request.kernels) {
    const auto same = [&](const Rung& other) { return std::string_view(other.name) == kernel.name; };
    if (std::none_of(plan.kernels.begin(), plan.kernels.end(), same)) plan.kernels.push_back(kernel);
  }
  plan.seed = request.seed;
  plan.launches = request.launches;
  plan.operands = request.operands;
  const std::set<std::string> families(request.inputs.begin(), request.inputs.end());
  for (const std::string& name : families) find_family(name);
  for (std::size_t kernel = 0; kernel < plan.kernels.size(); ++kernel) {
    std::set<Shape> shapes;
    if (request.matrix)
      for (const Shape& shape : shape_matrix(plan.kernels[kernel].tile)) shapes.insert(shape);
    for (const DeclaredShape& declared : request.declared) {
      if (std::string rule = rule_against(declared); !rule.empty())
        plan.skipped.push_back({kernel, declared.shape, std::move(rule)});
      else
        shapes.insert(declared.shape);
    }
    for (const Shape& shape : shapes)
      for (const std::string& inputs : families) plan.cells.push_back({kernel, shape, inputs});
    if (plan.operands) {
      require_exercise_inputs(plan.operands->A, plan.operands->B);
      const Shape shape{plan.operands->A.rows, plan.operands->B.columns, plan.operands->A.columns};
      plan.cells.push_back({kernel, shape, operand_inputs});
    }
  }
  if (plan.cells.empty() && plan.skipped.empty())
    throw bad_input("plan", "", "is empty: it needs at least one shape and one family of inputs");
  std::stable_sort(plan.cells.begin(), plan.cells.end(), [](const Cell& a, const Cell& b) {
    return std::tie(a.shape, a.inputs, a.kernel) < std::tie(b.shape, b.inputs, b.kernel);
  });
  return plan;
}

std::string plan_rejection(const Plan& plan) {
  std::map<Shape, std::set<std::string>> inputs_at;
  for (const Cell& cell : plan.cells) inputs_at[cell.shape].insert(cell.inputs);
  std::vector<Fault> untold_by_operands;
  Shape operand_shape{};
  bool told_elsewhere =
      false;  // some shape of generated inputs, with more than one row and column, tells everything
  for (const auto& [shape, inputs] : inputs_at) {
    const std::vector<Fault> faults = untold_at(plan, shape, inputs);
    const bool has_operands = inputs.count(operand_inputs) != 0;
    if (faults.empty())
      told_elsewhere = told_elsewhere || (shape.M > 1 && shape.N > 1);
    else if (has_operands) {
      untold_by_operands = faults;
      operand_shape = shape;
    } else
      return rejection_text(shape, inputs, faults);
  }
  // Real matrices are what they are: a Gram matrix equals its transpose. Then another cell has to tell.
  if (!untold_by_operands.empty() && !told_elsewhere)
    return rejection_text(operand_shape, inputs_at.at(operand_shape), untold_by_operands);
  return {};
}

void CellInputs::prepare(const Cell& cell) {
  if (prepared_ && prepared_->shape == cell.shape && prepared_->inputs == cell.inputs) return;
  operands_ = operands_of(plan_, cell);
  reference_ = make_reference(operands_.A, operands_.B, order_term(cell.inputs));
  prepared_ = cell;
}

}  // namespace tilewright
