// SPDX-License-Identifier: MIT
#include "emulator/run/line_counts.h"

#include <map>
#include <string>
#include <tuple>

namespace tilewright {
namespace {

using LineKey = std::tuple<std::string, int, Space, bool>;  // file, line, space, whether it writes

struct Sum {
  std::int64_t accesses = 0, bytes = 0;
  WarpCounts warps, atomics;
};

using Sums = std::map<LineKey, Sum>;

void add(Sums& sums, const KernelModule& module, const Watcher& watcher, std::uint32_t number, Space space) {
  const Site& site = watcher.sites()[number];
  const std::int64_t accesses = space == Space::global ? site.global_accesses : site.shared_accesses;
  if (accesses == 0) return;
  const SourceLine line = module.line_of_call(site.pc);
  Sum& sum = sums[{line.file, line.line, space, site.write}];
  sum.accesses += accesses;
  sum.bytes += accesses * static_cast<std::int64_t>(site.bytes);
  sum.warps += watcher.warps().counts(number, space);
  if (site.atomic) sum.atomics += watcher.warps().counts(number, space);
}

Count& total_of(Counts& counts, Space space, bool write) {
  if (space == Space::global) return write ? counts.global_writes : counts.global_reads;
  return write ? counts.shared_writes : counts.shared_reads;
}

std::int64_t distinct_elements(const std::vector<std::unique_ptr<Watcher>>& watchers, std::uint32_t line,
                               Space space, bool write) {
  std::int64_t shared = 0;
  ElementSet global;  // blocks on different workers touch the same elements
  for (const auto& watcher : watchers) {
    const Reuse& reuse = watcher->warps().reuse();
    shared += reuse.shared_elements(line, write);
    global.add(reuse.global_elements(line, write));
  }
  return space == Space::shared ? shared : global.size();
}

}  // namespace

std::uint32_t LineIndex::number_of(std::uintptr_t return_address) {
  const SourceLine line = module_.line_of_call(return_address);
  return number_of(line.file, line.line);
}

std::uint32_t LineIndex::number_of(const std::string& file, int line) {
  const std::lock_guard hold(lock_);
  return numbers_.try_emplace({file, line}, static_cast<std::uint32_t>(numbers_.size())).first->second;
}

void count_lines(EmulatorReport& report, const KernelModule& module, LineIndex& index,
                 const std::vector<std::unique_ptr<Watcher>>& watchers) {
  Sums sums;
  for (const auto& watcher : watchers)
    for (std::uint32_t site = 1; site < watcher->sites().size(); ++site)
      for (const Space space : {Space::global, Space::shared}) add(sums, module, *watcher, site, space);
  // Elements follow from bytes only over everything: a line may move less than an element at a time.
  std::map<std::pair<Space, bool>, Sum> totals;
  for (const auto& [key, sum] : sums) {
    const auto& [file, line, space, write] = key;
    const std::int64_t elements = sum.bytes / static_cast<std::int64_t>(GlobalMemory::element_bytes);
    report.lines.push_back({file,
                            line,
                            space == Space::global ? "global" : "shared",
                            write ? "write" : "read",
                            {sum.accesses, elements},
                            sum.warps,
                            sum.atomics.requests,
                            sum.atomics.sectors,
                            distinct_elements(watchers, index.number_of(file, line), space, write)});
    totals[{space, write}].accesses += sum.accesses;
    totals[{space, write}].bytes += sum.bytes;
  }
  for (const auto& [key, sum] : totals)
    total_of(report.counts, key.first, key.second) = {
        sum.accesses, sum.bytes / static_cast<std::int64_t>(GlobalMemory::element_bytes)};
}

}  // namespace tilewright
