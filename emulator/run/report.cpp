// SPDX-License-Identifier: MIT
#include "emulator/run/report.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "emulator/run/bulk_text.h"

namespace tilewright {

Index3 index3(Extent3 extent, std::uint64_t linear) {
  return {static_cast<std::int64_t>(linear % extent.x),
          static_cast<std::int64_t>(linear / extent.x % extent.y),
          static_cast<std::int64_t>(linear / extent.x / extent.y)};
}

std::string text_of(Index3 index) {
  return "(" + std::to_string(index.x) + ", " + std::to_string(index.y) + ", " + std::to_string(index.z) +
         ")";
}

namespace {

constexpr std::uint64_t element_bytes = GlobalMemory::element_bytes;

std::string_view signal_text(int signal) {
  switch (signal) {
    case SIGFPE:
      return "an integer division by zero";
    case SIGABRT:
      return "a failed assertion";
    case SIGILL:
      return "an illegal instruction";
    default:
      return "an invalid address or a stack overflow";
  }
}

// Makes findings of one launch's events.
class Reporter {
 public:
  Reporter(const EmulatedLaunch& launch, const GlobalMemory& memory) : launch_(launch), memory_(memory) {}

  Finding finding_of(const Event& event, AddressRange shared) const {
    Finding finding;
    finding.kind = event.kind;
    finding.kernel = launch_.kernel_name;
    const SourceLine line = launch_.module.line_of_call(event.actor.pc);
    finding.file = line.file;
    finding.line = line.line;
    finding.block = index3(launch_.grid, event.actor.block);
    finding.thread = index3(launch_.block, event.actor.thread);
    if (event.other) {
      finding.other_thread = index3(launch_.block, event.other->thread);
      if (event.other->pc != 0) finding.other_line = launch_.module.line_of_call(event.other->pc).line;
    }
    if (event.bytes != 0) locate(finding, event, shared);
    if (is_about_barrier(event.bulk)) finding.index /= 2;  // counted in barriers, which are two elements long
    finding.message = message_of(finding, event);
    return finding;
  }

  // What shows only when all blocks have ended, on the line where the kernel begins: elements of C that nobody wrote,
  // counters that are not zero again.
  std::vector<Finding> left_behind(const std::vector<Region>& computed, std::size_t cap,
                                   std::int64_t& total) const {
    std::vector<Finding> findings;
    for (const GlobalBuffer& buffer : memory_.buffers()) {
      Leftovers leftovers{.kind = FindingKind::unwritten_output, .buffer = buffer, .cap = cap};
      if (buffer.role == Role::output) {
        for (const std::uint64_t element : elements_of(computed))
          if (Writer(buffer.writers[element].load(std::memory_order_relaxed)).nobody())
            note(leftovers, element, "no thread writes ", "");
      } else if (buffer.role == Role::scratch) {
        leftovers.kind = FindingKind::counter_not_zero;
        const auto* counters = reinterpret_cast<const std::uint32_t*>(buffer.base);
        for (std::uint64_t element = 0; element < buffer.zeroed; ++element)
          if (counters[element] != 0)
            note(leftovers, element, "the launch leaves ",
                 " at " + std::to_string(counters[element]) + ": the next one needs a counter of zero");
      }
      for (Finding& finding : leftovers.findings) {
        finding.total = leftovers.total;
        findings.push_back(std::move(finding));
      }
      total += leftovers.total;
    }
    return findings;
  }

 private:
  struct Leftovers {
    FindingKind kind;
    const GlobalBuffer& buffer;
    std::size_t cap;
    std::vector<Finding> findings{};
    std::int64_t total = 0;
  };

  void note(Leftovers& leftovers, std::uint64_t element, const char* before, const std::string& after) const {
    ++leftovers.total;
    if (leftovers.findings.size() >= leftovers.cap) return;
    const SourceLine line = launch_.module.line_at(launch_.kernel.address());
    Finding& finding = leftovers.findings.emplace_back();
    finding.kind = leftovers.kind;
    finding.kernel = launch_.kernel_name;
    finding.file = line.file;
    finding.line = line.line;
    finding.buffer = leftovers.buffer.name;
    finding.index = static_cast<std::int64_t>(element);
    finding.message = before + element_text(finding) + after;
  }

  std::vector<std::uint64_t> elements_of(const std::vector<Region>& regions) const {
    std::vector<std::uint64_t> elements;
    for (const Region& region : regions)
      for (std::int64_t row = region.row; row < region.row + region.rows; ++row)
        for (std::int64_t column = region.column; column < region.column + region.columns; ++column)
          elements.push_back(static_cast<std::uint64_t>(row * launch_.N + column));
    return elements;
  }

  void locate(Finding& finding, const Event& event, AddressRange shared) const {
    constexpr std::int64_t near_shared = 64 << 10;
    const auto from_shared = static_cast<std::int64_t>(event.address - shared.base);
    if (AddressRange{memory_.base(), memory_.bytes()}.holds(event.address)) {
      const GlobalBuffer& buffer = memory_.nearest(event.address);
      finding.buffer = buffer.name;
      finding.index = floor_div(static_cast<std::int64_t>(event.address - buffer.base));
    } else if (shared.base != 0 && from_shared > -near_shared &&
               from_shared < static_cast<std::int64_t>(shared.bytes) + near_shared) {
      const SharedVariable* variable =
          launch_.module.shared_variable_at(static_cast<std::uint64_t>(from_shared));
      finding.buffer = variable != nullptr ? variable->name : "shared memory";
      finding.index =
          floor_div(from_shared - (variable != nullptr ? static_cast<std::int64_t>(variable->offset) : 0));
    } else {
      finding.buffer = "no buffer";
      finding.index = 0;
    }
  }

  static std::int64_t floor_div(std::int64_t bytes) {
    constexpr auto size = static_cast<std::int64_t>(element_bytes);
    return bytes >= 0 ? bytes / size : -((-bytes + size - 1) / size);
  }

  std::string element_text(const Finding& finding) const {
    std::string text = finding.buffer + "[" + std::to_string(finding.index) + "]";
    if (finding.buffer == "C" && finding.index >= 0 && finding.index < launch_.M * launch_.N)
      text += " (row " + std::to_string(finding.index / launch_.N) + ", column " +
              std::to_string(finding.index % launch_.N) + ")";
    return text;
  }

  std::string message_of(const Finding& finding, const Event& event) const {
    std::string who = "thread " + text_of(*finding.thread) + " of block " + text_of(*finding.block);
    const std::string access = std::string(event.write ? " writes " : " reads ");
    const std::string element = element_text(finding);
    std::string other = finding.other_thread ? "thread " + text_of(*finding.other_thread) : "another thread";
    if (finding.other_line != 0) other += " (line " + std::to_string(finding.other_line) + ")";
    if (event.bulk != BulkTrouble::none)
      return tilewright::text_of(event, {.who = who, .element = element, .other = other});
    if (event.shared_of) return who + " reads " + element + neighbour_text(event, other);
    switch (event.kind) {
      case FindingKind::race:
        if (event.other && event.other->block != event.actor.block && finding.buffer == "scratch")
          return who + access + element + ", which " + other_writer(event) +
                 " wrote; no fence, atomic on a counter and fence order the two";
        return who + access + element + ", which " + other + " also accesses, with no barrier between them";
      case FindingKind::uninitialized_shared_read:
        return who + " reads " + element + ", which no thread of the block has written";
      case FindingKind::uninitialized_output_read:
        return who + " reads " + element + " before anyone has written it";
      case FindingKind::uninitialized_scratch_read:
        return who + " reads " + element + ", which no thread of this launch has written";
      case FindingKind::out_of_bounds:
        return who + access + out_of_bounds_text(finding, event);
      case FindingKind::misaligned_access:
        return who + access + std::to_string(event.bytes) + " bytes at " + element +
               ", which is not aligned to " + std::to_string(event.bytes) + " bytes";
      case FindingKind::barrier_divergence:
        if (event.detail != 0) return who + " takes the value of " + other + ", which has left the kernel";
        return who + " waits at the barrier, while " + other +
               (finding.other_line != 0 ? " waits at another one" : " has left the kernel");
      case FindingKind::double_write:
        return who + " writes " + element + ", which " + other_writer(event) + " wrote already";
      case FindingKind::input_modified:
        return who + " writes " + element + ", an input";
      case FindingKind::launch_not_waited_for:
        return who + access + element +
               " before it has waited for the launch before, which may still run (wait_for_launch_before)";
      case FindingKind::access_limit:
        return who +
               " was stopped: its block made more accesses and branches than the limit allows "
               "(--max-accesses)";
      case FindingKind::fault:
        return who + " crashed: " + std::string(signal_text(event.detail));
      case FindingKind::shared_memory_gone:  // has its text already
      case FindingKind::unwritten_output:
      case FindingKind::counter_not_zero:
        break;  // have no event
    }
    return who;
  }

  std::string other_writer(const Event& event) const {
    if (!event.other) return "the first kernel";
    return "thread " + text_of(index3(launch_.block, event.other->thread)) + " of block " +
           text_of(index3(launch_.grid, event.other->block));
  }

  std::string neighbour_text(const Event& event, const std::string& writer) const {
    const std::string block = " of block " + text_of(index3(launch_.grid, *event.shared_of));
    if (event.kind == FindingKind::uninitialized_shared_read)
      return block + ", which no thread of that block has written";
    if (event.kind == FindingKind::shared_memory_gone)
      return block + ", which may have left by then: no barrier of the cluster follows";
    return block + ", which " + writer + " writes there, with no barrier of the cluster between them";
  }

  std::string out_of_bounds_text(const Finding& finding, const Event& event) const {
    for (const GlobalBuffer& buffer : memory_.buffers())
      if (buffer.name == finding.buffer)
        return finding.buffer + "[" + std::to_string(finding.index) + "], outside its " +
               std::to_string(buffer.bytes / element_bytes) + " elements";
    if (finding.buffer == "no buffer")
      return "address " + std::to_string(event.address) + ", which belongs to no buffer";
    return finding.buffer + "[" + std::to_string(finding.index) + "], outside the shared memory of its block";
  }

  const EmulatedLaunch& launch_;
  const GlobalMemory& memory_;
};

using Place = std::tuple<FindingKind, std::string, int>;  // kind, file, line

struct Gathered {
  std::vector<std::pair<std::uint64_t, Finding>>
      findings;  // with their block's rank, for an order that no worker changes
  std::int64_t total = 0;
};

std::map<Place, Gathered> gather(const Reporter& reporter,
                                 const std::vector<std::unique_ptr<Watcher>>& watchers,
                                 const std::vector<AddressRange>& shared) {
  std::map<Place, Gathered> places;
  for (std::size_t i = 0; i < watchers.size(); ++i) {
    for (const auto& [key, bucket] : watchers[i]->log().buckets()) {
      for (const Event& event : bucket.events) {
        Finding finding = reporter.finding_of(event, shared[i]);
        Gathered& place = places[{finding.kind, finding.file, finding.line}];
        // The total of a bucket is counted once, with its first event.
        if (&event == &bucket.events.front()) place.total += bucket.total;
        place.findings.emplace_back(event.actor.rank, std::move(finding));
      }
    }
  }
  return places;
}

}  // namespace

bool report_findings(EmulatorReport& report, const EmulatedLaunch& launch, const GlobalMemory& memory,
                     const std::vector<std::unique_ptr<Watcher>>& watchers,
                     const std::vector<AddressRange>& shared_of_watcher, std::size_t findings_per_line) {
  const Reporter reporter(launch, memory);
  for (auto& [place, gathered] : gather(reporter, watchers, shared_of_watcher)) {
    std::stable_sort(gathered.findings.begin(), gathered.findings.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    if (gathered.findings.size() > findings_per_line) gathered.findings.resize(findings_per_line);
    for (auto& [block, finding] : gathered.findings) {
      finding.total = gathered.total;
      report.findings.push_back(std::move(finding));
    }
    report.findings_total += gathered.total;
  }
  return std::none_of(watchers.begin(), watchers.end(),
                      [](const auto& watcher) { return watcher->any_block_abandoned(); });
}

void report_left_behind(EmulatorReport& report, const EmulatedLaunch& launch, const GlobalMemory& memory,
                        const std::vector<Region>& computed, std::size_t findings_per_line) {
  std::int64_t total = 0;
  for (Finding& finding : Reporter(launch, memory).left_behind(computed, findings_per_line, total))
    report.findings.push_back(std::move(finding));
  report.findings_total += total;
}

}  // namespace tilewright
