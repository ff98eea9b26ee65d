// SPDX-License-Identifier: MIT
//
// Kernels written down in a test: put into a file, compiled as a user's file is, run by the emulator and
// judged.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "core/process.h"
#include "device/emulator_device.h"
#include "emulator/run/compile.h"
#include "judge/inputs.h"
#include "judge/outcome.h"

namespace tilewright {

inline const std::string kSignature = "(const float* A, const float* B, float* C, int M, int N, int K)";

// One thread an element. `statement` stands on line 6 of the text, between the sum and the store, and may
// change `sum`.
inline std::string direct_kernel(const std::string& statement = "", const std::string& name = "k") {
  return "__global__ void " + name + kSignature + " {\n" +
         "  const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + "
         "threadIdx.x;\n"
         "  if (row >= M || column >= N) return;\n"
         "  float sum = 0;\n"
         "  for (int i = 0; i < K; ++i) sum += A[row * K + i] * B[i * N + column];\n" +
         statement + "\n" +
         "  C[row * N + column] = sum;\n"
         "}\n";
}

struct KernelAs {
  std::string name = "k";
  Block block{4, 4};
  int tile_x = 4, tile_y = 4;
  std::int64_t dynamic_shared_bytes = 0;
  Signature signature = Signature::matmul;
  std::string cuda_include{};
};

class EmulatedSource : public testing::Test {
 protected:
  std::string put(const std::string& text, const std::string& name = "user.cu") const {
    const std::string path = folder_.file(name);
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  std::unique_ptr<KernelModule> compile(const std::string& path, const KernelAs& as = {}) const {
    return compile_kernel_file(
        {.path = path,
         .kernel = as.name,
         .block = as.block,
         .tile_x = as.tile_x,
         .tile_y = as.tile_y,
         .dynamic_shared_bytes = as.dynamic_shared_bytes,
         .signature = as.signature},
        {.compiler = "g++", .resources = TILEWRIGHT_SHARE_DIR, .cuda_include = as.cuda_include});
  }

  // On integers whose sums are exact, so that PASS means bit for bit.
  Outcome run_file(const std::string& path, Shape shape, const KernelAs& as = {},
                   EmulatorSettings settings = {}) {
    const Rung rung = catalog_.add(compile(path, as));
    EmulatorDevice device(catalog_, settings);
    const Family& family = find_family("coded");
    operands_ = make_inputs(family, shape, 1);
    return run_and_judge(device, rung, operands_.A, operands_.B,
                         make_reference(operands_.A, operands_.B, family.order_term));
  }

  Outcome run(const std::string& text, Shape shape, const KernelAs& as = {}) {
    return run_file(put(text), shape, as);
  }

  TemporaryFolder folder_;
  Catalog catalog_;
  Operands operands_;
};

// "PASS", or the verdict with the first thing that was found.
inline std::string summary(const Outcome& outcome) {
  std::string text = outcome.verdict.text();
  if (!outcome.product.findings.empty()) text += " " + outcome.product.findings.front().message;
  return text;
}

}  // namespace tilewright
