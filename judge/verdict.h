// SPDX-License-Identifier: MIT
//
// PASS or FAIL of one result against one reference, and the numbers that say how accurate it is. Elements are
// measured in rounding units,
//
//     r_ij = |C_ij − c_ij| / (Y_ij + u |c_ij|),
//
// that is, against an absolute-plus-relative tolerance 6 (Y_ij + u |c_ij|) that depends on the inputs
// alone. Honest float32 summation in any order has rms r of at most 0.5, for any K; so rms r compares
// kernels across shapes.
//
// It looks at values only. Findings (unwritten outputs, races, changed inputs) are the devices' part.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "judge/reference.h"

namespace tilewright {

inline constexpr double max_r_limit = 6.0;
inline constexpr double rms_r_limit = 1.0;
inline constexpr std::size_t most_failing_listed = 5;

// The limit on the rms of `elements` values of r: 1 for many, 6 for one. An rms of few values scatters (one
// honest element in a hundred has r > 1), so the limit on the sum of squares is that of n elements at rms 1,
// one of them exchanged for an element at max_r_limit: n + 35. At 64 x 64 outputs that is rms 1.004.
double rms_limit(std::int64_t elements);

// Relative errors are reported where |c| is at least this many Y: there, an element at
// max_r_limit is 0.15 % off.
inline constexpr double away_from_zero = 4096.0;

struct JudgedElement {
  std::int64_t row = 0, column = 0;
  std::optional<float> got;  // none when it is NaN or infinite
  double expected = 0;
  std::optional<double> r;  // none when got is none, or when Y + u|c| is 0 and got is not c
};

// A statistic is taken over the elements that define it; the others fail, and are counted in `failing`. It is
// none when there are no such elements.
struct Judgement {
  bool pass = false;
  std::string failure;   // "" or "wrong_value" or "non_finite"
  bool bitwise = false;  // judged bit for bit, because reference.exact
  std::optional<double> max_r, rms_r;
  std::optional<double> mean_signed_r;       // mean of (C − c) / (Y + u|c|): truncation shows as a bias
  std::optional<double> max_abs_error;       // over finite elements
  std::optional<double> max_rel_error;       // over finite elements with |c| >= away_from_zero * Y, c != 0
  std::optional<double> max_gamma_fraction;  // of |C − c| / (γ_K Σ|p|), for comparison; never decides
  std::int64_t failing = 0;                  // elements; 0 when only the rms is too large
  std::int64_t non_finite = 0;               // of those, NaN or infinite
  JudgedElement worst;                       // an element without r if there is one, else the largest r
  std::vector<JudgedElement> worst_failing;  // up to five, worst first
};

// C is (M, N) row-major; any other size is bad_input. With regions, only their elements are judged.
Judgement judge(const Reference& reference, std::span<const float> C, std::span<const Region> regions = {});

}  // namespace tilewright
