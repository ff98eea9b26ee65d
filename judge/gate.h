// SPDX-License-Identifier: MIT
//
// The plan gate: before anything runs, would the judge tell these faults from an honest kernel on these very
// inputs? A plan whose inputs cannot tell them proves nothing by passing, and is rejected with the faults
// named. The faults are made as float64 products, so that only the fault itself, and no rounding of a kernel,
// is there to be seen.
//
// Inputs lie within the exercise contract, [-1, 1]. Each fault is judged by judge() itself, on a seeded
// sample of at most 48 rows and 48 columns at full K.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/shape.h"

namespace tilewright {

enum class Fault {
  zero_result,
  element_off_by_its_size,  // one element twice what it should be
  missing_term,             // one element without one of its K products
  transposed,               // C written column-major: flat position p holds c(p % M, p / M)
  tf32_inputs,
  fp16_inputs,
};

std::string_view name_of(Fault fault);

// Every fault is in exactly one list, in the order of the enumeration.
struct GateResult {
  std::vector<Fault> told;            // the judge would say FAIL
  std::vector<Fault> not_told;        // the judge would say PASS
  std::vector<Fault> not_applicable;  // transposed, when M or N is 1: row- and column-major are the same
};

// For the two faults of one element, "told" means told in at least two thirds of the sampled elements.
GateResult gate(const Matrix& A, const Matrix& B, bool order_term, std::uint64_t seed);

// The faults that apply and that no result tells: results of several families at one shape make one plan.
std::vector<Fault> untold(std::span<const GateResult> results);

}  // namespace tilewright
