// SPDX-License-Identifier: MIT
#include "bench/possible.h"

#include <algorithm>

namespace tilewright {
namespace {

// The ceilings are measurements as well.
constexpr double ceiling_slack = 1.03;

}  // namespace

double tflops(Shape shape, double microseconds) {
  return 2.0 * static_cast<double>(shape.multiply_adds()) / (microseconds * 1e6);
}

double compulsory_gbps(Shape shape, double microseconds) {
  const std::int64_t elements = shape.M * shape.K + shape.K * shape.N + shape.M * shape.N;
  return 4.0 * static_cast<double>(elements) / (microseconds * 1e3);
}

std::string impossibility(Shape shape, double microseconds, std::int64_t launches, const TimingPlan& plan,
                          const Ceilings& ceilings, const Calibration& calibration) {
  if (plan.boundary == Boundary::end_to_end) {
    if (!(microseconds > calibration.single_launch_us)) return "below resolution";
  } else {
    // One launch between two events is known to within what two events without it take.
    const double least = launches == 1 ? calibration.single_launch_us : calibration.empty_launch_us;
    if (!(microseconds > least && microseconds * static_cast<double>(launches) > calibration.event_pair_us))
      return "below resolution";
  }
  if (!(tflops(shape, microseconds) <= ceilings.fma_tflops * ceiling_slack))
    return "above the measured ceiling";
  // Warm operands come out of caches, which are faster than memory.
  const double memory_gbps = std::max(ceilings.copy_gbps, ceilings.read_gbps);
  if (plan.cache != Cache::warm && !(compulsory_gbps(shape, microseconds) <= memory_gbps * ceiling_slack))
    return "above the measured ceiling";
  return {};
}

}  // namespace tilewright
