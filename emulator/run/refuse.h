// SPDX-License-Identifier: MIT
//
// Looks through a preprocessed kernel file for CUDA C++ that the emulator does not offer, so that it can be
// refused by its name and line instead of by a host compiler that has never heard of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

struct RefusedWord {
  std::string file;
  int line = 0;
  std::string word;  // as a person would name it: "atomicAdd_block", "a kernel launch <<<…>>>"
};

struct KernelFileScan {
  std::optional<RefusedWord> refused;  // the first
  std::vector<std::string> kernels;    // the names of the functions declared __global__
  std::vector<int> kernel_lines;       // where their parameter lists begin, each in its own file
};

// `preprocessed` is the output of g++ -E with line markers. Text from system headers and from files below
// `own_folder` (the emulator's prelude) is not judged.
KernelFileScan scan_kernel_file(std::string_view preprocessed, std::string_view own_folder);

// Whether this is the name of a header of the CUDA toolkit.
bool is_cuda_header(std::string_view name);
// Whether it is one that the emulator offers where the toolkit is (cuda/toolkit).
bool is_half_precision_header(std::string_view name);
// Whether a file of a source line is one of those, or what they are made of.
bool is_half_precision_source(std::string_view file);

// The function of such a header that is an instruction of the GPU and nothing else, and where it is called, in what the
// compiler says when it meets one.
std::optional<RefusedWord> gpu_instruction(std::string_view compiler_output);

}  // namespace tilewright
