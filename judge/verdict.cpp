// SPDX-License-Identifier: MIT
//
// One pass over the elements: measure, classify, accumulate. Every comparison is written so
// that NaN fails it.
#include "judge/verdict.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"

namespace tilewright {
namespace {

struct Measured {
  JudgedElement element;
  bool failing;
  double badness;  // only ranks elements; infinite where r does not exist, and so never published
};

class Tally {
 public:
  explicit Tally(const Reference& reference) : reference_(reference) { judgement_.bitwise = reference.exact; }

  void add(std::int64_t row, std::int64_t column, float got) {
    const auto at = static_cast<std::size_t>(row * reference_.shape.N + column);
    const Measured measured = measure(at, row, column, got);
    if (std::isfinite(got))
      add_errors(at, static_cast<double>(got) - reference_.product[at], measured.element.r);
    else
      ++judgement_.non_finite;
    if (!any_ || measured.badness > worst_badness_) {
      judgement_.worst = measured.element;
      worst_badness_ = measured.badness;
      any_ = true;
    }
    if (measured.failing) add_failing(measured);
  }

  Judgement finish() {
    if (defined_ > 0) {
      judgement_.rms_r = std::sqrt(sum_r_squared_ / static_cast<double>(defined_));
      judgement_.mean_signed_r = sum_signed_r_ / static_cast<double>(defined_);
    }
    for (const Measured& measured : listed_) judgement_.worst_failing.push_back(measured.element);
    const bool within_rms =
        judgement_.bitwise || !judgement_.rms_r || *judgement_.rms_r <= rms_limit(defined_);
    judgement_.pass = judgement_.failing == 0 && within_rms;
    if (!judgement_.pass) judgement_.failure = judgement_.non_finite > 0 ? "non_finite" : "wrong_value";
    return std::move(judgement_);
  }

 private:
  Measured measure(std::size_t at, std::int64_t row, std::int64_t column, float got) const {
    const double c = reference_.product[at];
    Measured measured{{row, column, {}, c, {}}, true, std::numeric_limits<double>::infinity()};
    if (!std::isfinite(got)) return measured;
    measured.element.got = got;
    const double error = std::fabs(static_cast<double>(got) - c);
    const double scale = reference_.yardstick[at] + float32_unit * std::fabs(c);
    if (!(scale > 0.0) && error != 0.0) return measured;  // all products are 0: nothing but 0 is right
    const double r = scale > 0.0 ? error / scale : 0.0;
    measured.element.r = r;
    measured.badness = r;
    // Equality of values, not of encodings: -0 and +0 are one value. Which of them a sum of zeros
    // gives depends on whether it starts from +0 or from its first product, and the contract leaves
    // that to the kernel.
    measured.failing = reference_.exact ? !(got == static_cast<float>(c)) : !(r <= max_r_limit);
    return measured;
  }

  static void raise(std::optional<double>& most, double value) {
    most = std::max(most.value_or(value), value);
  }

  void add_errors(std::size_t at, double signed_error, std::optional<double> r) {
    const double c = std::fabs(reference_.product[at]), error = std::fabs(signed_error);
    raise(judgement_.max_abs_error, error);
    if (c > 0.0 && c >= away_from_zero * reference_.yardstick[at]) raise(judgement_.max_rel_error, error / c);
    const double gamma_bound = reference_.gamma_bound[at];
    if (gamma_bound > 0.0 || error == 0.0)
      raise(judgement_.max_gamma_fraction, error == 0.0 ? 0.0 : error / gamma_bound);
    if (!r) return;
    raise(judgement_.max_r, *r);
    ++defined_;
    sum_r_squared_ += *r * *r;
    sum_signed_r_ += std::copysign(*r, signed_error);
  }

  // Keeps the worst few in order; of equally bad ones, those that came first.
  void add_failing(const Measured& measured) {
    ++judgement_.failing;
    if (listed_.size() == most_failing_listed && !(measured.badness > listed_.back().badness)) return;
    if (listed_.size() == most_failing_listed) listed_.pop_back();
    const auto place = std::find_if(listed_.begin(), listed_.end(),
                                    [&](const Measured& other) { return measured.badness > other.badness; });
    listed_.insert(place, measured);
  }

  const Reference& reference_;
  Judgement judgement_;
  std::vector<Measured> listed_;
  bool any_ = false;
  double worst_badness_ = 0.0;
  std::int64_t defined_ = 0;
  double sum_r_squared_ = 0.0, sum_signed_r_ = 0.0;
};

}  // namespace

double rms_limit(std::int64_t elements) {
  const double n = static_cast<double>(std::max<std::int64_t>(elements, 1));
  const double one_at_the_limit = max_r_limit * max_r_limit - rms_r_limit * rms_r_limit;
  return std::sqrt(rms_r_limit * rms_r_limit + one_at_the_limit / n);
}

Judgement judge(const Reference& reference, std::span<const float> C, std::span<const Region> regions) {
  const Shape shape = reference.shape;
  if (C.size() != reference.product.size())
    throw bad_input("C", std::to_string(C.size()) + " elements",
                    "must hold " + std::to_string(shape.M) + " x " + std::to_string(shape.N));
  const Region all{0, 0, shape.M, shape.N};
  if (regions.empty()) regions = {&all, 1};
  Tally tally(reference);
  for (const Region& region : regions)
    for (std::int64_t row = region.row; row < region.row + region.rows; ++row)
      for (std::int64_t column = region.column; column < region.column + region.columns; ++column)
        tally.add(row, column, C[static_cast<std::size_t>(row * shape.N + column)]);
  return tally.finish();
}

}  // namespace tilewright
