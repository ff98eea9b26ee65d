// SPDX-License-Identifier: MIT
//
// Whether a time can be one: below what the clock resolves, or above what the machine can do, it is a mistake of the
// measurement and no record of speed.
#pragma once

#include <string>

#include "bench/stand.h"

namespace tilewright {

// Decimal, from useful work: 2MNK, and each operand moved once.
double tflops(Shape shape, double microseconds);
double compulsory_gbps(Shape shape, double microseconds);

// Empty, or what is wrong: "below resolution", "above the measured ceiling". `launches` is of a batch.
std::string impossibility(Shape shape, double microseconds, std::int64_t launches, const TimingPlan& plan,
                          const Ceilings& ceilings, const Calibration& calibration);

}  // namespace tilewright
