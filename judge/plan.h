// SPDX-License-Identifier: MIT
//
// What is going to be checked, as a value: every cell is known, counted and printed before anything runs. A
// plan whose inputs could not tell a broken kernel from an honest one is rejected before it runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "judge/inputs.h"
#include "judge/reference.h"
#include "kernels/rung.h"

namespace tilewright {

// One line of a file of declared shapes, such as tests/data/shapes.json.
struct DeclaredShape {
  Shape shape;
  std::string precision;  // "fp32", "bf16", …
};

struct PlanRequest {
  std::vector<Rung> kernels;
  bool matrix = true;                   // the shape matrix round each kernel's own tile
  std::vector<DeclaredShape> declared;  // for every kernel
  std::vector<std::string> inputs;      // names of families
  std::optional<Operands> operands;     // real matrices, checked beside the families
  std::uint64_t seed = 1;
  int launches = 1;  // of each cell
};

// The name that stands for PlanRequest::operands in a cell.
inline constexpr const char* operand_inputs = "operands";

struct Cell {
  std::size_t kernel;  // in Plan::kernels
  Shape shape;
  std::string inputs;
};

struct SkippedCell {
  std::size_t kernel;
  Shape shape;
  std::string rule;
};

struct Plan {
  std::vector<Rung> kernels;
  std::vector<Cell> cells;  // by shape, inputs and kernel, so that neighbours share a reference
  std::vector<SkippedCell> skipped;
  std::uint64_t seed = 1;
  int launches = 1;
  std::optional<Operands> operands;
};

// Throws bad_input when it asks for an unknown family, no kernel, or operands outside the exercise contract.
// A shape outside that contract, or of another precision, becomes a skipped cell with the rule.
Plan make_plan(const PlanRequest& request);

// Empty when the plan can tell every fault of the gate at every shape (for given operands: when they or some
// other cell of the plan can). Otherwise the sentence that says which it cannot, and where.
std::string plan_rejection(const Plan& plan);

// Inputs and reference of a cell; kept until a cell of another shape or family comes.
class CellInputs {
 public:
  explicit CellInputs(const Plan& plan) : plan_(plan) {}
  void prepare(const Cell& cell);
  const Operands& operands() const { return operands_; }
  const Reference& reference() const { return reference_; }

 private:
  const Plan& plan_;
  std::optional<Cell> prepared_;
  Operands operands_;
  Reference reference_;
};

// The inputs a cell runs on, without its reference.
Operands operands_of(const Plan& plan, const Cell& cell);

}  // namespace tilewright
