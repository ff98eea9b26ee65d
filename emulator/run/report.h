// SPDX-License-Identifier: MIT
//
// Turns what the watchers of all workers noticed into a report: program counters become source lines,
// addresses become buffers and indices, and the order no longer tells which worker saw what.
#pragma once

#include <vector>

#include "emulator/run/emulator.h"

namespace tilewright {

EmulatorReport make_report(const EmulatedLaunch& launch, const GlobalMemory& memory,
                           const std::vector<std::unique_ptr<Watcher>>& watchers,
                           const std::vector<AddressRange>& shared_of_watcher, std::size_t findings_per_line);

}  // namespace tilewright
