// SPDX-License-Identifier: MIT
//
// What a device or the emulator has to say against a kernel: findings, and the counts of what it accessed.
// Findings are data; text is made from them elsewhere.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

enum class FindingKind {
  race,
  uninitialized_shared_read,
  uninitialized_output_read,
  uninitialized_scratch_read,
  out_of_bounds,
  misaligned_access,
  barrier_divergence,
  double_write,
  unwritten_output,
  counter_not_zero,  // of scratch, after the launch: the next one would begin with it
  input_modified,
  launch_not_waited_for,  // global memory was touched while the launch before may still run
  shared_memory_gone,     // a block of the cluster may have left when another reads its shared memory
  access_limit,           // the kernel ran away and was stopped
  fault,                  // the kernel itself crashed: a trap, an assertion, a stack overflow
};

std::string_view name_of(FindingKind kind);

struct Index3 {
  std::int64_t x = 0, y = 0, z = 0;
  bool operator==(const Index3&) const = default;
};

struct Finding {
  FindingKind kind = FindingKind::fault;
  std::string kernel;
  std::string file;  // empty where no source line is known (findings of a GPU's red zones)
  int line = 0;
  std::optional<Index3> block, thread;
  std::optional<Index3> other_thread;  // the other side of a race, a second writer, or who left the barrier
  int other_line = 0;
  std::string buffer;      // "A", "C", or the name of a shared array
  std::int64_t index = 0;  // element of the buffer; negative or past its end when out of bounds
  std::string message;     // one sentence for people
  std::int64_t total = 1;  // events of this kind on this line, including those not listed
};

struct Count {
  std::int64_t accesses = 0;
  std::int64_t elements = 0;  // of the buffer's element type; a 16-byte access of float32 is four
  bool operator==(const Count&) const = default;
};

struct Counts {
  Count global_reads, global_writes, shared_reads, shared_writes;
};

// What the hardware would make of a line's accesses, warp by warp; see emulator/watch/warp_view.h.
struct WarpCounts {
  std::int64_t requests = 0;
  std::int64_t lanes = 0;           // active, over all requests; requests * 32 without divergence
  std::int64_t sectors = 0;         // of global memory, 32 bytes each
  std::int64_t ideal_sectors = 0;   // that would hold the distinct bytes asked for
  std::int64_t wavefronts = 0;      // of shared memory
  std::int64_t bank_conflicts = 0;  // wavefronts beyond the one that each phase of a request needs
  std::int64_t most_ways = 0;       // distinct words asked of one bank in one phase, at worst

  bool operator==(const WarpCounts&) const = default;
  WarpCounts& operator+=(const WarpCounts& other);
  WarpCounts times(std::int64_t n) const;  // of n blocks alike
};

struct LineCount {
  std::string file;
  int line = 0;
  std::string_view space;  // "global" or "shared"
  std::string_view op;     // "read" or "write"
  Count count;
  // The rest is zero unless the emulator was asked to see warps.
  WarpCounts warps{};
  std::int64_t atomic_requests = 0, atomic_sectors = 0;  // of these, by atomics, which hardware counts apart
  // See emulator/watch/reuse.h. None where a few blocks stood for all: what blocks share cannot be told from a few.
  std::optional<std::int64_t> distinct_elements{};

  // How often an element that the line touches is touched, on average.
  std::optional<double> reuse() const {
    if (!distinct_elements || *distinct_elements == 0) return {};
    return static_cast<double>(count.elements) / static_cast<double>(*distinct_elements);
  }
};

// Which blocks ran for all of the grid: a few of each class of blocks that access alike.
struct BlockSample {
  struct Class {
    std::int64_t members = 0;
    std::vector<Index3> ran;
  };
  std::int64_t blocks = 0;  // of the grid
  std::vector<Class> classes;
};

}  // namespace tilewright
