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

// Adds to the report what is wrong with the launch. An element of C that nobody wrote is a finding within `computed`.
void report_findings(EmulatorReport& report, const EmulatedLaunch& launch, const GlobalMemory& memory,
                     const std::vector<std::unique_ptr<Watcher>>& watchers,
                     const std::vector<AddressRange>& shared_of_watcher, const std::vector<Region>& computed,
                     std::size_t findings_per_line);

Index3 index3(Extent3 extent, std::uint64_t linear);
std::string text_of(Index3 index);  // "(0, 1, 0)"

}  // namespace tilewright
