// SPDX-License-Identifier: MIT
//
// Which kernel: a rung by name, or a kernel of a user's file.
#include "cli/kernel_choice.h"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>

#include "core/error.h"
#include "core/process.h"
#include "core/shape.h"
#include "emulator/run/compile.h"
#include "emulator/run/dynamic_shared.h"
#include "gemm/auto.h"

namespace tilewright {
namespace {

bool is_file(const std::string& name) {
  return name.find('/') != std::string::npos || (name.size() > 3 && name.substr(name.size() - 3) == ".cu");
}

CLI::Validator dynamic_shared_size() {
  return CLI::Validator(
      [](const std::string& text) {
        const bool number =
            !text.empty() && text.size() <= 6 && text.find_first_not_of("0123456789") == std::string::npos;
        return number && std::stoll(text) <= most_shared_bytes
                   ? std::string()
                   : "'" + text + "' must be bytes, from 0 to " + std::to_string(most_shared_bytes);
      },
      "", "BYTES");
}

KernelFile kernel_file(const std::string& path, const KernelChoice& choice) {
  const auto need = [&](const std::string& option, const std::string& value, const std::string& example) {
    if (value.empty()) throw bad_input(option, "", "is needed with a kernel file, such as " + example);
  };
  need("--kernel", choice.kernel, "--kernel 'tiled<16>'");
  need("--block", choice.block, "--block 16x16");
  need("--tile", choice.tile, "--tile 16x16 (the columns and rows of C that one block computes)");
  std::vector<std::int64_t> block = parse_extents(choice.block, 2, "--block");
  const std::vector<std::int64_t> tile = parse_extents(choice.tile, 2, "--tile");
  if (block.size() == 1) block.push_back(1);
  if (tile.size() != 2)
    throw bad_input("--tile", choice.tile, "is two integers, columns x rows, such as 16x16");
  constexpr std::int64_t most_threads = 1024, most_tile = 1 << 20;
  if (block[0] > most_threads || block[1] > most_threads || block[0] * block[1] > most_threads)
    throw bad_input("--block", choice.block, "a block has at most 1024 threads");
  if (tile[0] > most_tile || tile[1] > most_tile)
    throw bad_input("--tile", choice.tile, "is at most 1048576 a side");
  return {.path = path,
          .kernel = choice.kernel,
          .block = {static_cast<int>(block[0]), static_cast<int>(block[1])},
          .tile_x = static_cast<int>(tile[0]),
          .tile_y = static_cast<int>(tile[1]),
          .dynamic_shared_bytes = choice.dynamic_shared_bytes,
          .signature = choice.signature == "sgemm" ? Signature::sgemm : Signature::matmul};
}

}  // namespace

std::string find_cuda_include() {
  namespace fs = std::filesystem;
  std::vector<fs::path> toolkits;
  if (const char* home = std::getenv("CUDA_HOME"); home != nullptr && *home != '\0') {
    toolkits = {home};
  } else {
    const std::string nvcc = find_program("nvcc");
    if (!nvcc.empty()) toolkits.push_back(fs::weakly_canonical(nvcc).parent_path().parent_path());
    toolkits.emplace_back("/usr/local/cuda");
  }
  std::error_code failure;
  for (const fs::path& toolkit : toolkits)
    if (fs::is_regular_file(toolkit / "include/cuda_fp16.h", failure)) return (toolkit / "include").string();
  return {};
}

void KernelChoice::add_options(CLI::App& command) {
  const std::string group = "A kernel of your own (FILE.cu)";
  command.add_option("--kernel", kernel, "its name in the file: tiled, 'tiled<16>', my::tiled")->group(group);
  command.add_option("--block", block, "threads of a block, XxY")->group(group);
  command
      .add_option("--tile", tile, "columns x rows of C that one block computes; grid = ceil(N/X) x ceil(M/Y)")
      ->group(group);
  command
      .add_option("--signature", signature,
                  "matmul: (A, B, C, M, N, K); sgemm: (M, N, K, alpha, A, B, beta, C), with alpha 1 and beta "
                  "0, for which BLAS does not read C")
      ->check(CLI::IsMember({"matmul", "sgemm"}))
      ->group(group)
      ->capture_default_str();
  command
      .add_option("--dynamic-shared", dynamic_shared_bytes,
                  "bytes of dynamic shared memory a block has (extern __shared__ T name[];)")
      ->check(dynamic_shared_size())
      ->group(group)
      ->capture_default_str();
  command.add_option("--compiler", compiler, "the host compiler, g++ 12 or later")
      ->group(group)
      ->capture_default_str();
}

std::vector<Rung> KernelChoice::resolve(const Installation& installation, Catalog& catalog) const {
  std::vector<Rung> chosen;
  catalog.load_folder(installation.rungs());
  if (names.empty()) return catalog.rungs();
  for (const std::string& name : names) {
    if (takes_auto && name == auto_kernel().name) {
      chosen.push_back(auto_kernel());
    } else if (!is_file(name)) {
      chosen.push_back(catalog.find(name));
    } else {
      if (names.size() > 1)
        throw bad_input("kernel file", name, "is checked alone, not beside other kernels");
      const EmulatorToolchain toolchain{.compiler = compiler,
                                        .resources = installation.resources(),
                                        .callbacks = installation.callbacks,
                                        .cuda_include = find_cuda_include()};
      chosen.push_back(catalog.add(compile_kernel_file(kernel_file(name, *this), toolchain)));
    }
  }
  if (!is_file(names.front()) && !(kernel.empty() && block.empty() && tile.empty() &&
                                   dynamic_shared_bytes == 0 && signature == "matmul"))
    throw bad_input("--kernel, --block, --tile, --dynamic-shared, --signature", "",
                    "belong to a kernel file; a rung knows its own");
  return chosen;
}

void EmulatorChoice::add_options(CLI::App& command) {
  const std::string group = "The emulator";
  command
      .add_option("--order", order, "in which order threads and blocks run: forward, reversed or shuffled")
      ->check(CLI::IsMember({"forward", "reversed", "shuffled"}))
      ->group(group)
      ->capture_default_str();
  command
      .add_option("--max-accesses", max_accesses,
                  "stop a kernel one of whose blocks makes more accesses and branches (default 10^7 + "
                  "64*M*N*K, M and N rounded up to tiles)")
      ->check(CLI::Validator(
          [](const std::string& text) {
            const bool number = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
            return number && text != "0" ? std::string() : "'" + text + "' must be an integer of at least 1";
          },
          "", "POSITIVE"))
      ->group(group);
}

EmulatorSettings EmulatorChoice::settings(std::uint64_t seed) const {
  EmulatorSettings settings;
  settings.seed = seed;
  settings.max_accesses = max_accesses;
  settings.thread_order = order == "forward"    ? Order::forward
                          : order == "reversed" ? Order::reversed
                                                : Order::shuffled;
  settings.block_order = settings.thread_order;
  return settings;
}

}  // namespace tilewright
