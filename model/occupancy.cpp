// SPDX-License-Identifier: MIT
#include "model/occupancy.h"

#include <algorithm>

#include "core/error.h"
#include "core/nearest.h"
#include "model/exact.h"

namespace tilewright {
namespace {

constexpr std::int64_t kib = 1024;

constexpr Architecture known[] = {
    {"sm_80", 32, 64, 164 * kib, 163 * kib},
    {"sm_86", 16, 48, 100 * kib, 99 * kib},
    {"sm_89", 24, 48, 100 * kib, 99 * kib},
    {"sm_90", 32, 64, 228 * kib, 227 * kib},
};

// The same for all of them.
constexpr std::int64_t warp_threads = 32, most_threads_per_block = 1024, most_registers_per_thread = 255;
constexpr std::int64_t registers_per_sm = 64 * kib, registers_per_block = 64 * kib;
constexpr std::int64_t sub_partitions = 4;         // each has a quarter of the registers for its own warps
constexpr std::int64_t register_unit = 256;        // per warp
constexpr std::int64_t shared_unit = 128;          // bytes
constexpr std::int64_t reserved_shared = 1 * kib;  // per block, the system's own

std::int64_t rounded_up(std::int64_t value, std::int64_t unit) { return tiles_over(value, unit) * unit; }

void require_launchable(const Architecture& architecture, BlockResources block) {
  require_positive("registers", block.registers_per_thread);
  require_positive("threads", block.threads);
  if (block.shared_bytes < 0)
    throw bad_input("shared bytes", std::to_string(block.shared_bytes), "must be an integer of at least 0");
  require_at_most("registers", block.registers_per_thread, most_registers_per_thread,
                  "a thread has at most 255 registers");
  require_at_most("threads", block.threads, most_threads_per_block, "a block has at most 1024 threads");
  require_at_most("shared bytes", block.shared_bytes, architecture.shared_bytes_per_block,
                  std::string(architecture.name) + " gives a block at most " +
                      std::to_string(architecture.shared_bytes_per_block) + " bytes");
}

}  // namespace

std::span<const Architecture> architectures() { return known; }

const Architecture& find_architecture(std::string_view name) {
  std::vector<std::string> names;
  for (const Architecture& architecture : known) {
    if (name == architecture.name) return architecture;
    names.emplace_back(architecture.name);
  }
  std::string all;
  for (const std::string& each : names) all += (all.empty() ? "" : ", ") + each;
  throw bad_input("architecture", std::string(name),
                  "not known; did you mean " + nearest(name, names) + "? Known: " + all);
}

Occupancy occupancy(const Architecture& architecture, BlockResources block) {
  require_launchable(architecture, block);
  const std::int64_t warps = tiles_over(block.threads, warp_threads);
  const std::int64_t warp_registers = rounded_up(block.registers_per_thread * warp_threads, register_unit);
  const std::int64_t block_registers = warp_registers * rounded_up(warps, sub_partitions);
  if (block_registers > registers_per_block)
    throw bad_input("registers", std::to_string(block.registers_per_thread),
                    "times " + std::to_string(block.threads) + " threads take " +
                        std::to_string(block_registers) + " registers; a block has at most 65536");
  // A warp's registers lie in one sub-partition, so a remainder in each is lost.
  const std::int64_t resident_warps = registers_per_sm / sub_partitions / warp_registers * sub_partitions;
  const std::int64_t shared = rounded_up(block.shared_bytes + reserved_shared, shared_unit);
  Occupancy result{.blocks_per_sm = 0,
                   .warps_per_sm = 0,
                   .occupancy = 0,
                   .blocks_by_warps = architecture.warps_per_sm / warps,
                   .blocks_by_count = architecture.blocks_per_sm,
                   .blocks_by_registers = resident_warps / warps,
                   .blocks_by_shared = architecture.shared_bytes_per_sm / shared,
                   .limited_by = {}};
  result.blocks_per_sm = std::min(
      {result.blocks_by_warps, result.blocks_by_count, result.blocks_by_registers, result.blocks_by_shared});
  result.warps_per_sm = result.blocks_per_sm * warps;
  result.occupancy =
      static_cast<double>(result.warps_per_sm) / static_cast<double>(architecture.warps_per_sm);
  if (result.blocks_by_warps == result.blocks_per_sm) result.limited_by.emplace_back("warps");
  if (result.blocks_by_count == result.blocks_per_sm) result.limited_by.emplace_back("blocks");
  if (result.blocks_by_registers == result.blocks_per_sm) result.limited_by.emplace_back("registers");
  if (result.blocks_by_shared == result.blocks_per_sm) result.limited_by.emplace_back("shared");
  return result;
}

}  // namespace tilewright
