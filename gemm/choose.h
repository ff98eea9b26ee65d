// SPDX-License-Identifier: MIT
//
// Which rung computes a product, and the reason in words. Pure: it reads no file and asks no GPU, so every choice can
// be made again, and printed, on any machine. The rule is in docs/decisions/0012-how-auto-chooses.md.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/error.h"
#include "gemm/row_alignment.h"
#include "gemm/tuned_table.h"
#include "kernels/rung.h"

namespace tilewright {

struct ChoiceRequest {
  Problem problem{};
  std::string gpu;                                     // as the driver names it; empty where no GPU computes
  std::int64_t base_alignment = allocation_alignment;  // divides the addresses of A, B and C
};

// A rung that came into question.
struct Option {
  std::string rung;
  std::string why;  // "tuned on …", or why it cannot be launched
};

struct Choice {
  std::string rung;
  std::string reason;
  std::vector<Option> runners_up;   // in the order in which they would have come next
  std::vector<Option> passed_over;  // came before it, but cannot be launched
};

// Why a rung cannot be launched for this product here; empty when it can.
using Refusal = std::function<std::string(const Rung&)>;

// What `check` says when it throws Error(unsupported), as a Refusal says it.
template <class Check>
std::string refusal_of(Check check) {
  try {
    check();
  } catch (const Error& error) {
    if (error.code != Code::unsupported) throw;
    return error.rule;
  }
  return {};
}

inline Shape shape_of(const Problem& problem) { return {problem.M, problem.N, problem.K}; }

// `table` is the GPU's, or null. Throws Error(unsupported) when no rung can be launched.
Choice choose(const ChoiceRequest& request, const TunedTable* table, std::span<const Rung> available,
              const Refusal& refusal);

// How far a tuned shape is from a product: the length of (log2 M, log2 N, log2 K) and, for A's rows and for B's, one
// more axis on which aligned and not aligned are 1 apart.
double log_distance(Shape tuned, Shape asked, RowAlignment asked_alignment);

}  // namespace tilewright
