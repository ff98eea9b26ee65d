// SPDX-License-Identifier: MIT
//
// Judging under the library's contract, which takes any float. An element of C is one of three kinds, by its operands:
//
//   special       some product is infinite or NaN: then every order of summation gives the same class. One NaN (0·∞
//                 is one), or +∞ beside −∞, gives NaN; else the infinity. The class must match.
//   undetermined  Σ|p| of its finite products reaches what float32 holds: whether a partial sum overflows depends on
//                 the order, which the contract leaves to the kernel. It is not judged, and counted. (A NaN stays one.)
//   ordinary      everything else: judged against the float64 product, as in judge/verdict.h.
#pragma once

#include <optional>
#include <span>

#include "judge/reference.h"
#include "judge/verdict.h"

namespace tilewright {

struct AnyJudgement {
  std::optional<Judgement> ordinary;  // none without ordinary elements
  std::int64_t special = 0, undetermined = 0;
  std::int64_t special_wrong = 0;
  std::optional<JudgedElement> first_wrong;  // of the special ones; `expected` is NaN or an infinity

  bool pass() const { return special_wrong == 0 && (!ordinary || ordinary->pass); }
  // "" or "wrong_value" or "non_finite"
  std::string failure() const;
};

// C is (M, N) row-major. Throws as make_reference does, but takes elements that are not finite.
AnyJudgement judge_any(const Matrix& A, const Matrix& B, std::span<const float> C);

}  // namespace tilewright
