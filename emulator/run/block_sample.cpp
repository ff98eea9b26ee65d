// SPDX-License-Identifier: MIT
#include "emulator/run/block_sample.h"

#include <algorithm>
#include <map>
#include <random>
#include <tuple>

#include "core/error.h"
#include "emulator/run/report.h"

namespace tilewright {
namespace {

constexpr std::int64_t sector_elements = 8;  // float32, of a 32-byte sector

// What two blocks of a class have in common.
auto likeness(const EmulatedLaunch& launch, std::uint64_t block) {
  const Region region = region_of_block(launch, block);
  const auto phase = [](std::int64_t element) { return element % sector_elements; };
  return std::tuple(region.rows, region.columns, phase(region.row * launch.K), phase(region.column),
                    phase(region.row * launch.N + region.column));
}

bool alike(const LineCount& a, const LineCount& b) {
  const auto of = [](const LineCount& line) {
    return std::tie(line.file, line.line, line.space, line.op, line.count, line.warps);
  };
  return of(a) == of(b);
}

void require_alike(const EmulatedLaunch& launch, const BlockClass& blocks, const EmulatorReport* reports) {
  const std::vector<LineCount>& first = reports[0].lines;
  for (std::size_t i = 1; i < blocks.sampled.size(); ++i) {
    const std::vector<LineCount>& other = reports[i].lines;
    const std::size_t shorter = std::min(first.size(), other.size());
    std::size_t at = 0;
    while (at < shorter && alike(first[at], other[at])) ++at;
    if (at == first.size() && at == other.size()) continue;
    // Both lists are in order: the earlier line is the one that only one of the blocks came to, or both differently.
    const auto place = [](const LineCount& line) { return std::tie(line.file, line.line); };
    const bool in_first = at < first.size() && (at == other.size() || place(first[at]) <= place(other[at]));
    const LineCount& line = in_first ? first[at] : other[at];
    throw Error(Code::unsupported, "--sample-blocks", launch.kernel_name,
                "blocks " + text_of(index3(launch.grid, blocks.sampled.front())) + " and " +
                    text_of(index3(launch.grid, blocks.sampled[i])) + " should access alike, but differ at " +
                    line.file + ":" + std::to_string(line.line) +
                    "; a few blocks cannot stand for all, run it without");
  }
}

void add_times(Count& sum, const Count& of_one, std::int64_t times) {
  sum.accesses += of_one.accesses * times;
  sum.elements += of_one.elements * times;
}

void add_times(Counts& sum, const Counts& of_one, std::int64_t times) {
  add_times(sum.global_reads, of_one.global_reads, times);
  add_times(sum.global_writes, of_one.global_writes, times);
  add_times(sum.shared_reads, of_one.shared_reads, times);
  add_times(sum.shared_writes, of_one.shared_writes, times);
}

void add_times(LineCount& sum, const LineCount& of_one, std::int64_t times) {
  add_times(sum.count, of_one.count, times);
  sum.warps += of_one.warps.times(times);
  sum.atomic_requests += of_one.atomic_requests * times;
  sum.atomic_sectors += of_one.atomic_sectors * times;
  // What blocks load in common is counted once in the whole grid; each has shared memory of its own.
  if (sum.space == "shared" && of_one.distinct_elements)
    sum.distinct_elements = sum.distinct_elements.value_or(0) + *of_one.distinct_elements * times;
}

}  // namespace

Region region_of_block(const EmulatedLaunch& launch, std::uint64_t block) {
  const Index3 at = index3(launch.grid, block);
  const std::int64_t row = (launch.tile.rows_along_x ? at.x : at.y) * launch.tile.rows;
  const std::int64_t column = (launch.tile.rows_along_x ? at.y : at.x) * launch.tile.columns;
  return {row, column, std::min(launch.tile.rows, launch.M - row),
          std::min(launch.tile.columns, launch.N - column)};
}

std::vector<BlockClass> classes_of_blocks(const EmulatedLaunch& launch, std::uint64_t seed) {
  std::map<decltype(likeness(launch, 0)), std::vector<std::uint32_t>> members;
  for (std::uint32_t block = 0; block < launch.grid.count(); ++block)
    members[likeness(launch, block)].push_back(block);
  std::mt19937_64 random(seed);
  std::vector<BlockClass> classes;
  for (const auto& [key, blocks] : members) {
    BlockClass& one = classes.emplace_back();
    one.members = static_cast<std::int64_t>(blocks.size());
    one.sampled = {blocks.front()};
    if (blocks.size() > 2) one.sampled.push_back(blocks[1 + random() % (blocks.size() - 2)]);
    if (blocks.size() > 1) one.sampled.push_back(blocks.back());
  }
  return classes;
}

EmulatorReport extrapolate(const EmulatedLaunch& launch, const std::vector<BlockClass>& classes,
                           const std::vector<EmulatorReport>& of_block, bool must_agree) {
  EmulatorReport whole;
  BlockSample& sample = whole.sample.emplace();
  sample.blocks = static_cast<std::int64_t>(launch.grid.count());
  std::map<std::tuple<std::string, int, std::string_view, std::string_view>, LineCount> lines;
  const EmulatorReport* reports = of_block.data();
  for (const BlockClass& blocks : classes) {
    if (must_agree) require_alike(launch, blocks, reports);
    const EmulatorReport& one = *reports;
    reports += blocks.sampled.size();
    add_times(whole.counts, one.counts, blocks.members);
    for (const LineCount& line : one.lines) {
      LineCount& sum = lines[{line.file, line.line, line.space, line.op}];
      if (sum.line == 0)
        sum = {.file = line.file, .line = line.line, .space = line.space, .op = line.op, .count = {}};
      add_times(sum, line, blocks.members);
    }
    BlockSample::Class& ran = sample.classes.emplace_back();
    ran.members = blocks.members;
    for (const std::uint32_t block : blocks.sampled) ran.ran.push_back(index3(launch.grid, block));
  }
  for (const auto& [key, line] : lines) whole.lines.push_back(line);
  return whole;
}

}  // namespace tilewright
