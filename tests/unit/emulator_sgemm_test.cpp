// SPDX-License-Identifier: MIT
//
// Kernels of the signature (M, N, K, alpha, A, B, beta, C), as BLAS has it: alpha is 1 and beta 0, and C is
// not to be read then.
#include "tests/unit/emulated_source.h"
#include "tests/unit/error_of.h"

namespace tilewright {
namespace {

class EmulatorSgemm : public EmulatedSource {};

std::string sgemm(const std::string& store, const std::string& input = "const float*") {
  return "\ntemplate <int T>\n__global__ void k(int M, int N, int K, float alpha, " + input + " A, " + input +
         " B, float beta, float* C) {\n"
         "  __shared__ float a[T][T], b[T][T];\n"
         "  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y, column = blockIdx.x * T + "
         "x;\n"
         "  float sum = 0;\n"
         "  for (int k0 = 0; k0 < K; k0 += T) {\n"
         "    a[y][x] = row < M && k0 + x < K ? A[row * K + k0 + x] : 0;\n"
         "    b[y][x] = k0 + y < K && column < N ? B[(k0 + y) * N + column] : 0;\n"
         "    __syncthreads();\n"
         "    for (int i = 0; i < T; ++i) sum += a[y][i] * b[i][x];\n"
         "    __syncthreads();\n"
         "  }\n"
         "  if (row < M && column < N) " +
         store + "\n}\n";
}

const KernelAs kSgemm{.name = "k<4>", .signature = Signature::sgemm};

TEST_F(EmulatorSgemm, IsJudgedAsAProduct) {
  for (const std::string input : {"const float*", "float*"}) {
    const Outcome outcome = run(sgemm("C[row * N + column] = alpha * sum;", input), {9, 10, 7}, kSgemm);
    EXPECT_EQ(summary(outcome), "PASS");
    EXPECT_EQ(outcome.product.counts->global_writes.elements, 90);
  }
}

TEST_F(EmulatorSgemm, ThatReadsCIsCaught) {
  const Outcome outcome =
      run(sgemm("C[row * N + column] = alpha * sum + beta * C[row * N + column];"), {9, 10, 7}, kSgemm);
  EXPECT_EQ(outcome.verdict.text(), "FAIL(uninitialized_output_read)");
  EXPECT_EQ(outcome.product.findings.front().line, 14);
}

TEST_F(EmulatorSgemm, WhatItDoesNotWriteIsOnTheKernelsLine) {
  const Outcome outcome = run(sgemm("if (row > 0) C[row * N + column] = alpha * sum;"), {9, 10, 7}, kSgemm);
  EXPECT_EQ(outcome.verdict.text(), "FAIL(unwritten_output)");
  EXPECT_EQ(outcome.product.findings.front().file, folder_.file("user.cu"));
  EXPECT_EQ(outcome.product.findings.front().line, 3);
}

// Its own static shared memory counts, not that of the function which calls it.
TEST_F(EmulatorSgemm, ItsStaticSharedMemoryIsKnown) {
  const std::unique_ptr<KernelModule> module = compile(put(sgemm("C[row * N + column] = sum;")), kSgemm);
  EXPECT_EQ(module->static_shared_bytes(entry_of(module->rungs().front())), 2 * 4 * 4 * 4);
  const Outcome large =
      run(sgemm("C[row * N + column] = sum;"), {9, 10, 7}, {.name = "k<80>", .signature = Signature::sgemm});
  // 2 * 80 * 80 floats.
  EXPECT_NE(large.verdict.text().find("static shared memory per block: it asks for 51200, CUDA allows 49152"),
            std::string::npos)
      << large.verdict.text();
}

TEST_F(EmulatorSgemm, AnotherSignatureIsRefused) {
  expect_error([&] { compile(put(direct_kernel()), {.signature = Signature::sgemm}); }, Code::bad_input,
               {"--kernel 'k'", "float alpha"});
  expect_error([&] { compile(put(sgemm(";")), {.name = "k<4>"}); }, Code::bad_input, {"--kernel 'k<4>'"});
}

}  // namespace
}  // namespace tilewright
