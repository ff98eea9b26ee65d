// SPDX-License-Identifier: MIT
//
// Half precision and bfloat16 in a kernel, computed by CUDA's own headers where there is a toolkit: values, rounding,
// accesses as wide as they are and on the line of the kernel, and what is left to the GPU refused by name.
#include <cmath>

#include "cli/kernel_choice.h"
#include "emulator/cuda/toolkit/round_to_odd.h"
#include "emulator/run/refuse.h"
#include "tests/unit/emulated_source.h"
#include "tests/unit/error_of.h"

namespace tilewright {
namespace {

// To bfloat16's eight bits, to nearest even.
double rounded(double value) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, 8)), exponent - 8);
}

TEST(EmulatorHalfRounding, IsDoneOnce) {
  const double last = std::ldexp(1.0, -7),
               half = last / 2;        // the last bit of 1.5, and what makes a tie of it
  const double a = 1.5, b = 1 + last;  // 1.5 + last + half, a tie between its neighbours
  EXPECT_EQ(a * b, 1.5 + last + half);
  for (const double little : {std::ldexp(1.0, -60), std::ldexp(1.0, -120)}) {
    EXPECT_EQ(rounded(fma_to_odd(a, b, little)), 1.5 + 2 * last);
    EXPECT_EQ(rounded(fma_to_odd(a, b, -little)), 1.5 + last);
    // Twice: to the tie, and then to its even neighbour, whatever the sum was.
    EXPECT_EQ(rounded(a * b - little), rounded(a * b + little));
  }
  EXPECT_EQ(rounded(fma_to_odd(a, b, 0)), 1.5 + 2 * last);  // the even one
  EXPECT_EQ(fma_to_odd(3, 5, 7), 22);
  EXPECT_EQ(fma_to_odd(INFINITY, 1, 1), INFINITY);
  EXPECT_TRUE(std::isnan(fma_to_odd(INFINITY, 0, 1)));
}

TEST(EmulatorHalfWords, TheKernelsLineOfAnInstruction) {
  const std::optional<RefusedWord> word = gpu_instruction(
      "In function '__half hexp(__half)',\n    inlined from '__half2 h2exp(__half2)' at "
      "/c/cuda_fp16.hpp:7:1,\n"
      "    inlined from 'void k(const float*)' at my.cu:24:8:\n/c/cuda_fp16.hpp:2931:5: error: call to 'x' "
      "declared "
      "with attribute error: TILEWRIGHT_GPU_INSTRUCTION\n");
  ASSERT_TRUE(word);
  EXPECT_EQ(word->file + ":" + std::to_string(word->line) + " " + word->word, "my.cu:24 h2exp");
  EXPECT_FALSE(gpu_instruction("my.cu:1:1: error: nothing of the kind\n"));
  EXPECT_FALSE(gpu_instruction("In function 'f':\nTILEWRIGHT_GPU_INSTRUCTION\n"));
}

class EmulatorHalf : public EmulatedSource {
 protected:
  void SetUp() override {
    if (find_cuda_include().empty()) GTEST_SKIP() << "no CUDA toolkit here: no cuda_fp16.h";
  }
  // One block of 64 threads over a C of 64 elements. Statements begin on line 5.
  Outcome run_block(const std::string& statements) {
    return run("#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n__global__ void k" + kSignature +
                   " {\n  const int t = threadIdx.x;\n" + statements + "\n}\n",
               {8, 8, 4}, {.block = {64, 1}, .tile_x = 8, .tile_y = 8, .cuda_include = find_cuda_include()});
  }
  void expect_ones(const std::string& statements) {
    const Outcome outcome = run_block(statements);
    EXPECT_TRUE(outcome.product.findings.empty()) << statements << summary(outcome);
    for (const float value : outcome.product.C) EXPECT_EQ(value, 1.0F) << statements;
  }
};

TEST_F(EmulatorHalf, Arithmetic) {
  expect_ones(
      "const __half a = __float2half(1.5f), b = __int2half_rn(t); half c = a * b + a - b / "
      "__float2half(2.0f);\n"
      "c += a; c = -c; C[t] = float(c) == -(t + 3) && __hgt(a, __float2half(1.0f)) && a != b && __hlt(c, b) "
      "&&\n"
      "__half2float(__hfma(a, b, a)) == 1.5f * t + 1.5f && __heq(__hmax(a, b), t > 1 ? b : a);");
  expect_ones(
      "const __nv_bfloat16 a = __float2bfloat16(1.5f), b = __float2bfloat16(float(t)); nv_bfloat16 c = a + "
      "b;\n"
      "c -= a; C[t] = float(c) == t && __bfloat162float(__hfma(a, __float2bfloat16(2.0f), b)) == 3 + t;");
  expect_ones(
      "const half2 a = __floats2half2_rn(t, 2.0f), b = __hadd2(a, a), c = __hfma2(a, b, a);\n"
      "const float2 f = __half22float2(c); const __nv_bfloat162 d = __floats2bfloat162_rn(2.0f, t) * "
      "__float2bfloat162_rn(2.0f);\n"
      "C[t] = f.x == __half2float(__float2half(2.0f * t * t + t)) && f.y == 10 && __low2float(b) == 2 * t "
      "&&\n"
      "__bfloat162float(d.x) == 4 && __high2float(d) == 2 * t;");
}

TEST_F(EmulatorHalf, RoundsToNearestEven) {
  expect_ones(
      "C[t] = __half2float(__float2half(2049.0f)) == 2048 && __half2float(__float2half(2051.0f)) == 2052 &&\n"
      "__half2float(__hadd(__float2half(2048.0f), __float2half(1.0f))) == 2048 && "
      "__hisinf(__float2half(65520.f)) &&\n"
      "__half2float(__hfma(__float2half(2048.0f), __float2half(1.0f), __float2half(1.0f))) == 2048 &&\n"
      "__bfloat162float(__float2bfloat16(257.0f)) == 256 && __bfloat162float(__int2bfloat16_rn(259)) == "
      "260;");
}

TEST_F(EmulatorHalf, IsAccessedAsWideAsItIsOnTheKernelsLine) {
  const Outcome outcome = run_block(
      "__shared__ half h[64]; __shared__ half2 p[64]; __shared__ __nv_bfloat162 q[64]; __shared__ "
      "__nv_bfloat16 b[64];\n"
      "h[t] = __float2half(1.0f);\n"
      "p[t] = __half2half2(h[t]);\n"
      "q[t] = __float2bfloat162_rn(1.0f);\n"
      "b[t] = __ushort_as_bfloat16(0x3f80);\n"
      "__syncthreads(); p[t] += p[t]; __syncthreads();\n"  // what is known to be there is not read again
      "const half2 two = p[t];\n"
      "const __nv_bfloat162 one = q[t];\n"
      "C[t] = __low2float(two) - __high2float(one) + float(b[t]) - __half2float(h[t]);");
  EXPECT_TRUE(outcome.product.findings.empty()) << summary(outcome);
  std::string lines;
  for (const LineCount& line : outcome.product.lines)
    if (line.space == "shared")
      lines += std::to_string(line.line) + " " + std::string(line.op) + " " +
               std::to_string(line.count.accesses / 64) + "\n";
  EXPECT_EQ(
      lines,
      "6 write 1\n7 read 1\n7 write 1\n8 write 1\n9 write 1\n10 read 1\n10 write 1\n11 read 1\n12 read 1\n"
      "13 read 2\n");
}

TEST_F(EmulatorHalf, WhatOnlyTheGpuComputesIsRefused) {
  const std::pair<std::string, std::string> uses[] = {
      {"hexp", "C[t] =\n__half2float(hexp(__float2half(A[0])));"},
      {"hsqrt", "C[t] =\n__half2float(hsqrt(__float2half(A[0])));"},
      {"__hfma_relu", "const half h = __float2half(A[0]); C[t] =\n__half2float(__hfma_relu(h, h, h));"},
      {"atomicAdd", "__shared__ half2 s;\natomicAdd(&s, s);"},
      {"__shfl_xor_sync", "__nv_bfloat16 b(1.0f);\nC[t] = float(__shfl_xor_sync(~0u, b, 1));"}};
  for (const auto& [word, statements] : uses)
    expect_error([&, text = statements] { run_block(text); }, Code::bad_input,
                 {"user.cu:6 '" + word + "'", "does not offer yet"});
}

}  // namespace
}  // namespace tilewright
