// SPDX-License-Identifier: MIT
//
// How many blocks of a kernel one SM holds, and which resource stops the next one: warps, blocks, registers
// or shared memory. Limits and granularities of each architecture are the one table `architectures()`.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

inline constexpr std::string_view occupancy_assumptions[] = {
    "limits from the CUDA C++ Programming Guide, technical specifications per compute capability; allocation "
    "granularities from the toolkit's cuda_occupancy.h",
    "the SM gives all the shared memory it can to blocks; 1 KiB of it per block is the system's own",
    "resident blocks only: no statement about speed, and no clusters",
};

// CUDA C++ Programming Guide, "Compute Capabilities", table "Technical Specifications per Compute Capability".
struct Architecture {
  const char* name;
  std::int64_t blocks_per_sm, warps_per_sm;
  std::int64_t shared_bytes_per_sm, shared_bytes_per_block;  // the block's with opt-in
};

std::span<const Architecture> architectures();

// Throws bad_input naming the nearest known architecture and listing all of them.
const Architecture& find_architecture(std::string_view name);

struct BlockResources {
  std::int64_t registers_per_thread;
  std::int64_t threads;
  std::int64_t shared_bytes;  // static and dynamic, of one block
};

struct Occupancy {
  std::int64_t blocks_per_sm;
  std::int64_t warps_per_sm;
  double occupancy;  // resident warps over the most an SM can hold
  // The most blocks that each resource alone would allow.
  std::int64_t blocks_by_warps, blocks_by_count, blocks_by_registers, blocks_by_shared;
  std::vector<std::string> limited_by;  // "warps", "blocks", "registers", "shared": all that bind
};

// Throws bad_input on a block that cannot be launched at all: threads, registers or shared memory beyond what
// one block may have.
Occupancy occupancy(const Architecture& architecture, BlockResources block);

}  // namespace tilewright
