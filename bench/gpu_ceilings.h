// SPDX-License-Identifier: MIT
//
// What this GPU does at most, and what the measuring itself costs: found by the program at the start of every run, so
// that no ceiling is a number from a data sheet.
#pragma once

#include "bench/gpu_stand.h"

namespace tilewright::gpu {

// The best of many launches each, the chip awake.
Ceilings measure_ceilings(Workplace& place, int multiprocessors);

// The median of many.
Calibration calibrate(Workplace& place);

}  // namespace tilewright::gpu
