// SPDX-License-Identifier: MIT
//
// From the counts per program counter that each worker kept to counts per source line of the whole launch.
#pragma once

#include <memory>
#include <vector>

#include "emulator/run/emulator.h"

namespace tilewright {

// Fills report.counts and report.lines.
void count_lines(EmulatorReport& report, const KernelModule& module,
                 const std::vector<std::unique_ptr<Watcher>>& watchers);

}  // namespace tilewright
