// SPDX-License-Identifier: MIT
//
// Turns what the watchers of all workers noticed into a report: program counters become source lines,
// addresses become buffers and indices, and the order no longer tells which worker saw what.
#pragma once

#include <string>
#include <vector>

#include "core/shape.h"
#include "emulator/run/emulator.h"

namespace tilewright {

// Adds to the report what is wrong with the blocks of one kernel; false where one of them was stopped.
bool report_findings(EmulatorReport& report, const EmulatedLaunch& launch, const GlobalMemory& memory,
                     const std::vector<std::unique_ptr<Watcher>>& watchers,
                     const std::vector<AddressRange>& shared_of_watcher, std::size_t findings_per_line);

// Adds what shows only when the launch has ended: counters that are not zero, and elements of C that nobody wrote, within
// `computed`.
void report_left_behind(EmulatorReport& report, const EmulatedLaunch& launch, const GlobalMemory& memory,
                        const std::vector<Region>& computed, std::size_t findings_per_line);

Index3 index3(Extent3 extent, std::uint64_t linear);
std::string text_of(Index3 index);  // "(0, 1, 0)"

}  // namespace tilewright
