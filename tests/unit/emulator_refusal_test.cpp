// SPDX-License-Identifier: MIT
//
// compile_kernel_file refuses what the emulator lacks by its name, and everything else that is wrong with a
// user's file in one line that names the user's own file and line.
#include <vector>

#include "tests/unit/emulated_source.h"
#include "tests/unit/error_of.h"

namespace tilewright {
namespace {

class EmulatorRefusal : public EmulatedSource {
 protected:
  void expect_refused(const std::string& path, const std::vector<std::string>& parts,
                      const KernelAs& as = {}) const {
    expect_error([&] { compile(path, as); }, Code::bad_input, parts);
  }
  void expect_text_refused(const std::string& text, const std::vector<std::string>& parts,
                           const KernelAs& as = {}) const {
    expect_refused(put(text), parts, as);
  }
};

const std::string kLacking = "is CUDA C++ that the emulator does not offer yet";

TEST_F(EmulatorRefusal, NamesTheWordAndTheUsersLine) {
  for (const auto& [statement, word] :
       std::vector<std::pair<std::string, std::string>>{{"atomicAdd_block(&C[0], sum);", "atomicAdd_block"},
                                                        {"sum += __shfl_down(sum, 1);", "__shfl_down"},
                                                        {"sum += __activemask();", "__activemask"},
                                                        {"asm volatile(\"bar.sync 0;\");", "asm"},
                                                        {"__asm__ volatile(\"bar.sync 0;\");", "__asm__"}})
    expect_text_refused(direct_kernel(statement), {"user.cu:6 '" + word + "'", kLacking});
}

TEST_F(EmulatorRefusal, NamesHostCode) {
  expect_text_refused(direct_kernel() + "void host(float* A) {\n  k<<<1, 256>>>(A, A, A, 1, 1, 1);\n}\n",
                      {"user.cu:10", "'a kernel launch <<<...>>> (host code)'", kLacking});
  expect_text_refused(direct_kernel() + "void host(void* p) { cudaMalloc(&p, 4); }\n",
                      {"user.cu:9", "'cudaMalloc'", kLacking});
}

TEST_F(EmulatorRefusal, NamesWhatAMacroHides) {
  expect_text_refused("#define ADD(p, x) atomicAdd_block(p, x)\n" + direct_kernel("ADD(&C[0], sum);"),
                      {"user.cu:7 'atomicAdd_block'", kLacking});
}

TEST_F(EmulatorRefusal, NamesAWordInTheUsersOwnHeader) {
  put("#pragma once\n\n__device__ inline void add(float* p) { atomicAdd_block(p, 1.0f); }\n", "own.h");
  expect_text_refused("#include \"own.h\"\n" + direct_kernel("add(C);"),
                      {"own.h:3 'atomicAdd_block'", kLacking});
}

TEST_F(EmulatorRefusal, NamesTheToolkitsHeaders) {
  for (const std::string header : {"mma.h", "cuda_fp8.h", "cooperative_groups/reduce.h", "cuda/pipeline"})
    expect_text_refused("\n#include <" + header + ">\n" + direct_kernel(),
                        {"user.cu:2", "'#include <" + header + ">'", kLacking});
}

TEST_F(EmulatorRefusal, HalfPrecisionWithoutAToolkitIsUnavailable) {
  for (const std::string header : {"cuda_fp16.h", "cuda_bf16.h"})
    expect_error([&] { compile(put("\n#include <" + header + ">\n" + direct_kernel())); }, Code::unavailable,
                 {"user.cu:2", "'#include <" + header + ">'", "no CUDA toolkit"});
}

TEST_F(EmulatorRefusal, AHeaderThatIsNotThereIsTheCompilersMatter) {
  expect_text_refused("#include \"mine.h\"\n" + direct_kernel(), {"does not compile", "user.cu:1", "mine.h"});
}

TEST_F(EmulatorRefusal, ASyntaxErrorHasTheUsersFileAndLine) {
  const std::string path = put(direct_kernel("sum += ;"));
  const std::optional<Error> error = error_of([&] { compile(path); });
  ASSERT_TRUE(error);
  const std::string message = error->what();
  EXPECT_EQ(error->code, Code::bad_input);
  EXPECT_NE(message.find(path + ":6:"), std::string::npos) << message;
  EXPECT_NE(message.find("does not compile"), std::string::npos) << message;
  EXPECT_EQ(message.find("registration.cpp"), std::string::npos) << message;
  EXPECT_NE(error->details.find(path + ":6:"), std::string::npos) << error->details;
}

TEST_F(EmulatorRefusal, AnUnknownNameHasTheUsersFileAndLine) {
  expect_text_refused(direct_kernel("sum += undeclared;"), {"user.cu:6:", "undeclared"});
}

TEST_F(EmulatorRefusal, AnotherSignature) {
  const std::string rule = "(const float* A, const float* B, float* C, int M, int N, int K)";
  for (const std::string parameters :
       {"(const float* A, const float* B, float* C, int M, int N)",
        "(float* A, float* B, float* C, int M, int N, int K)",
        "(const float* A, const float* B, float* C, long M, long N, long K)",
        "(const double* A, const double* B, double* C, int M, int N, int K)", "()",
        "(const float* A, const float* B, const float* C, int M, int N, int K)"})
    expect_text_refused("__global__ void k" + parameters + " {}\n", {"--kernel 'k'", "signature", rule});
  expect_text_refused("__global__ int k" + kSignature + " { return 0; }\n",
                      {"--kernel 'k'", "signature", rule});
}

TEST_F(EmulatorRefusal, AKernelThatIsNotThere) {
  const std::string both = direct_kernel() + "template <int T>\n" + direct_kernel("", "tiled") +
                           "__device__ float helper(float x) { return x; }\n";
  expect_text_refused(both, {"--kernel 'tilde<16>'", "did you mean tiled?"}, {.name = "tilde<16>"});
  expect_text_refused(both, {"--kernel 'none'", "has these kernels: k, tiled"}, {.name = "none"});
  expect_text_refused(both, {"--kernel 'helper'", "has these kernels: k, tiled"}, {.name = "helper"});
  expect_text_refused(both, {"--kernel 'til<16>'", "has these kernels: k, tiled"}, {.name = "til<16>"});
  expect_text_refused("void f() {}\n", {"--kernel 'k'", "has no __global__ function"});
}

TEST_F(EmulatorRefusal, TemplateArgumentsThatDoNotFit) {
  const std::string text = "template <int T>\n" + direct_kernel("", "tiled");
  for (const std::string name : {"tiled", "tiled<16, 8>", "tiled<float>", "tiled<", "tiled<16>>", "tiled<>"})
    expect_text_refused(text, {}, {.name = name});
}

TEST_F(EmulatorRefusal, ANameThatIsMoreThanAName) {
  const std::string path = put(direct_kernel());
  for (const std::string name : {"",    "k;",  "k()",    "k); system(\"touch hacked\"",
                                 "k\"", "k\n", "k\\",    "k/**/",
                                 "k{}", "k#",  "`k`",    "$k",
                                 "k+1", "&k",  "*k",     "k=0",
                                 "k'",  "k.x", "kärnel", "k|k"}) {
    const std::optional<Error> error = error_of([&] { compile(path, {.name = name}); });
    ASSERT_TRUE(error) << name;
    EXPECT_EQ(error->code, Code::bad_input);
    EXPECT_EQ(error->argument, "--kernel");
    EXPECT_EQ(error->value, name);
    EXPECT_NE(error->rule.find("must be the name of a kernel"), std::string::npos) << error->rule;
  }
}

TEST_F(EmulatorRefusal, AFileThatIsNone) {
  const std::string missing = folder_.file("missing.cu");
  expect_refused(missing, {"kernel file '" + missing + "'", "is not a file"});
  std::filesystem::create_directory(folder_.file("folder.cu"));
  expect_refused(folder_.file("folder.cu"), {"folder.cu'", "is not a file"});
  expect_text_refused("", {"kernel file '" + folder_.file("user.cu") + "'", "is empty"});
  expect_text_refused("\n", {"has no __global__ function"});
  expect_text_refused(std::string("\x7f"
                                  "ELF\x02\x01\x00\xff\xfe",
                                  9),
                      {"user.cu"});
  expect_refused(put(direct_kernel(), "a\"b.cu"), {"may not hold a quote"});
  expect_refused(put(direct_kernel(), "a\\b.cu"), {"backslash"});
}

TEST_F(EmulatorRefusal, ACompilerThatIsNotThereIsUnavailable) {
  const KernelFile file{
      .path = put(direct_kernel()), .kernel = "k", .block = {4, 4}, .tile_x = 4, .tile_y = 4};
  expect_error(
      [&] { compile_kernel_file(file, {.compiler = "no-such-g++", .resources = TILEWRIGHT_SHARE_DIR}); },
      Code::unavailable, {"no-such-g++", "is not installed", "g++ 12"});
  expect_error(
      [&] { compile_kernel_file(file, {.compiler = "/no/such/g++", .resources = TILEWRIGHT_SHARE_DIR}); },
      Code::unavailable, {"/no/such/g++"});
}

}  // namespace
}  // namespace tilewright
