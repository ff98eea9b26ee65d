// SPDX-License-Identifier: MIT
//
// From a user's .cu file to a loaded kernel module, with the host compiler alone: no CUDA toolkit is needed.
// The file is compiled unmodified; what CUDA C++ offers and the emulator does not is refused by name.
#pragma once

#include <memory>
#include <string>

#include "emulator/run/kernel_module.h"

namespace tilewright {

struct EmulatorToolchain {
  std::string compiler;   // a g++ of version 12 or later
  std::string resources;  // the folder that holds cuda/ (prelude.h, include/, toolkit/) and kernels/rung.h
  std::string callbacks = {};  // the shared library that holds the emulator; empty: the program itself does
  std::string cuda_include =
      {};  // the folder of CUDA's own cuda_fp16.h and cuda_bf16.h; empty: there is none
};

// matmul: (const float* A, const float* B, float* C, int M, int N, int K).
// sgemm: (int M, int N, int K, float alpha, const float* A, const float* B, float beta, float* C), launched with
// alpha = 1 and beta = 0; A and B may be without const.
enum class Signature { matmul, sgemm };

struct KernelFile {
  std::string path;
  std::string kernel;  // as in C++: tiled<16>, my::kernel
  Block block{0, 0};
  int tile_x = 0, tile_y = 0;  // grid = ⌈N/tile_x⌉ × ⌈M/tile_y⌉
  std::int64_t dynamic_shared_bytes = 0;
  Signature signature = Signature::matmul;
};

// The module has one rung, named as the kernel. Throws bad_input for a file that is missing, does not
// compile, uses what the emulator lacks, or has no such kernel of the signature; unavailable when it includes a header
// that only a CUDA toolkit has, and there is none.
std::unique_ptr<KernelModule> compile_kernel_file(const KernelFile& file, const EmulatorToolchain& toolchain);

}  // namespace tilewright
