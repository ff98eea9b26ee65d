// SPDX-License-Identifier: MIT
//
// What can be said of a launch beforehand, by quantity of profile_readings.h: what the rung declares, what the model's
// formulas make of that, and, where the emulator ran the kernel, what it counted. All of them are of whole launches, at
// any shape.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/profile_agreement.h"
#include "cli/profile_readings.h"

namespace tilewright {

// What the model must know of the machine and of the compiled kernel.
struct LaunchedOn {
  std::string architecture;          // "sm_90"; occupancy is predicted of those that the model knows
  std::int64_t multiprocessors = 0;  // 0: not known
  std::optional<double> registers_per_thread = {};  // the compiler's choice, so measured
};

// Each element of A and B once, and each of C: what must cross DRAM's pins whatever the kernel does.
std::int64_t compulsory_read_bytes(Shape shape);
std::int64_t compulsory_write_bytes(Shape shape);

// Of the rung's own kernel.
Predictions predict_launch(const Rung& rung, Shape shape, const LaunchedOn& machine);

// Adds what the emulator counted.
void add_emulated(Predictions& predictions, const Prediction& emulated);

}  // namespace tilewright
