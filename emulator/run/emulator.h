// SPDX-License-Identifier: MIT
//
// The emulator's front door: run one kernel of a loaded module over its whole grid, blocks spread over the cores, and
// say what it accessed and what is wrong with it. Counts and findings depend on the kernel, the operands and the
// settings' seed and orders, not on the number of cores; but of two blocks that touch one element of C, the one that
// happened to come second names the other.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/finding.h"
#include "core/shape.h"
#include "emulator/run/kernel_module.h"
#include "emulator/run/thread_scheduler.h"
#include "emulator/watch/global_memory.h"

namespace tilewright {

// A launch's grid may depend on how many multiprocessors there are. The emulator has none; it names as many as an H100 or
// an H200 has.
inline constexpr int nominal_multiprocessors = 132;

struct EmulatorSettings {
  Order thread_order = Order::forward;
  Order block_order = Order::forward;
  std::uint64_t seed = 1;
  int workers = 0;                // 0: one per core
  std::int64_t max_accesses = 0;  // by one block, branches included; 0: default_access_limit()
  std::size_t findings_per_line = 8;
  bool see_warps = false;  // also count requests, sectors, bank conflicts and reuse per line
  // Run only a few blocks of each class that access alike, and count for all (run/block_sample.h). Findings and values
  // are then those of the blocks that ran.
  bool sample_blocks = false;
  int multiprocessors = nominal_multiprocessors;
};

// The part of C that one block computes.
struct BlockTile {
  std::int64_t rows, columns;
  bool rows_along_x;  // else columns run along x of the grid
};

struct EmulatedLaunch {
  const KernelModule& module;
  KernelEntry kernel;
  std::string kernel_name;
  Extent3 grid, block;
  BlockTile tile;
  unsigned cluster = 1;      // blocks, along x
  bool overlaps = false;     // it may begin while the launch before it still runs
  bool block_a_tile = true;  // false: which part of C a block computes is the kernel's own affair
  std::int64_t dynamic_shared_bytes;
  std::int64_t M, N, K;
  std::optional<Tensors> tensors{};       // what the kernel's maps are of, if it has any
  const EmulatedLaunch* first = nullptr;  // of the same module: it ends before this one begins
};

struct EmulatorReport {
  Counts counts;
  std::vector<LineCount> lines;       // by file, line, space, operation
  std::vector<Finding> findings;      // by kind and line; at most findings_per_line of each
  std::int64_t findings_total = 0;    // all events
  std::vector<Region> computed;       // what of C was computed
  std::optional<BlockSample> sample;  // where a few blocks stood for all
};

// 10 million and 64 for each multiply-add of the product: no matrix product needs more in one block.
std::int64_t default_access_limit(std::int64_t M, std::int64_t N, std::int64_t K);

class Emulator {
 public:
  // `memory` holds A, B, C and, for a kernel with scratch, that, in this order. Refuses a block of more than 1024 threads.
  // Where there is a first kernel, counts and findings are of both; what follows one with findings is not run.
  EmulatorReport launch(const EmulatedLaunch& launch, GlobalMemory& memory, const EmulatorSettings& settings);

 private:
  struct Workshop;
  EmulatorReport launch_all(Workshop* first, Workshop& own);
  void run_blocks(Workshop& workshop);
  EmulatorReport launch_sampled(Workshop& workshop);
  std::size_t hire(std::uint64_t tasks, int workers, std::size_t of_group = 1);

  std::vector<std::unique_ptr<ThreadScheduler>> schedulers_;  // one a worker; kept for their fibers
};

}  // namespace tilewright
