// SPDX-License-Identifier: MIT
//
// Which kernel, and how the emulator runs it: what check, trace and the Python module let their users say.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/installation.h"
#include "device/catalog.h"
#include "emulator/run/emulator.h"

namespace CLI {
class App;
}

namespace tilewright {

// NAME or FILE.cu with the options that a file needs.
struct KernelChoice {
  std::vector<std::string> names;
  std::string kernel, block, tile, compiler = "g++";
  std::int64_t dynamic_shared_bytes = 0;
  std::string signature = "matmul";
  bool takes_auto = false;  // whether `auto` may be one of the names

  void add_options(CLI::App& command);
  // Loads the ladder into the catalog. Returns the rungs of that name (all of them without names), or the
  // file's kernel, compiled and added to the catalog; `auto` as auto_kernel() of gemm/auto.h.
  std::vector<Rung> resolve(const Installation& installation, Catalog& catalog) const;
};

// The folder of CUDA's own headers, for the half-precision types: where $CUDA_HOME says and, without it, beside nvcc or
// where the toolkit puts itself. Empty when there is none.
std::string find_cuda_include();

struct EmulatorChoice {
  std::string order = "forward";
  std::int64_t max_accesses = 0;
  void add_options(CLI::App& command);
  EmulatorSettings settings(std::uint64_t seed) const;
};

}  // namespace tilewright
