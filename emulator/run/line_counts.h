// SPDX-License-Identifier: MIT
//
// From the counts per program counter that each worker kept to counts per source line of the whole launch.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "emulator/run/emulator.h"

namespace tilewright {

// Numbers the source lines of a module, for all workers alike.
class LineIndex {
 public:
  explicit LineIndex(const KernelModule& module) : module_(module) {}
  std::uint32_t number_of(std::uintptr_t return_address);
  std::uint32_t number_of(const std::string& file, int line);

 private:
  const KernelModule& module_;
  std::mutex lock_;
  std::map<std::pair<std::string, int>, std::uint32_t> numbers_;
};

// Fills report.counts and report.lines.
void count_lines(EmulatorReport& report, const KernelModule& module, LineIndex& index,
                 const std::vector<std::unique_ptr<Watcher>>& watchers);

}  // namespace tilewright
