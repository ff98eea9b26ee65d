// SPDX-License-Identifier: MIT
//
// The verdict vocabulary, and what came of one cell of a plan: one kernel, one shape, one set of inputs.
#pragma once

#include <optional>
#include <string>

#include "device/device.h"
#include "judge/verdict.h"

namespace tilewright {

struct Verdict {
  enum class Kind { pass, fail, unsupported, rejected, unavailable };
  Kind kind = Kind::pass;
  std::string detail;  // what failed, the rule, the reason; empty for pass

  std::string text() const;  // PASS, FAIL(race), UNSUPPORTED(M 1…4096), …
};

struct Outcome {
  Verdict verdict;
  std::optional<Judgement> judgement;  // none when the kernel did not finish
  Product product;
  std::optional<PredictedCounts> predicted;  // when the device counts and the rung predicts
  std::string error;                         // of the device, in one line
  int launches = 1;                          // of the same kernel on the same operands
  int differing_launches = 0;                // whose product is not the first one bit for bit
};

// Runs one kernel on A and B and judges what it did: the first of its findings decides, then the values, then
// whether it accessed exactly what it predicts, then whether all `launches` gave the same bits. Errors of a launch become
// verdicts; only bad_input is thrown.
Outcome run_and_judge(Device& device, const Rung& rung, const Matrix& A, const Matrix& B,
                      const Reference& reference, int launches = 1);

// What these findings alone say: PASS without any, else the kind that explains the others.
Verdict verdict_of(const std::vector<Finding>& findings);

bool counts_match(const Counts& counts, const PredictedCounts& predicted);

}  // namespace tilewright
