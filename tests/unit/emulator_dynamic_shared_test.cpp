// SPDX-License-Identifier: MIT
//
// Dynamic shared memory: extern __shared__ arrays of any name and type, all of one block of the size that the
// launch gives, watched as static shared memory is.
#include "emulator/run/dynamic_shared.h"
#include "tests/unit/emulated_source.h"

namespace tilewright {
namespace {

class EmulatorDynamicShared : public EmulatedSource {};

// The tiled product with both tiles in one dynamic array of 2 * T * T floats. `declaration` names it `tiles`.
std::string tiled(const std::string& declaration, const std::string& barrier = "__syncthreads();",
                  const std::string& outside = "") {
  return outside + "__global__ void k" + kSignature +
         " {\n"
         "  " +
         declaration +
         "\n"
         "  const int T = blockDim.x, x = threadIdx.x, y = threadIdx.y;\n"
         "  float* a = reinterpret_cast<float*>(tiles);\n"
         "  float* b = a + T * T;\n"
         "  const int row = blockIdx.y * T + y, column = blockIdx.x * T + x;\n"
         "  float sum = 0;\n"
         "  for (int k0 = 0; k0 < K; k0 += T) {\n"
         "    a[y * T + x] = row < M && k0 + x < K ? A[row * K + k0 + x] : 0.f;\n"
         "    b[y * T + x] = k0 + y < K && column < N ? B[(k0 + y) * N + column] : 0.f;\n"
         "    __syncthreads();\n"
         "    for (int i = 0; i < T; ++i) sum += a[y * T + i] * b[i * T + x];\n"
         "    " +
         barrier +
         "\n"
         "  }\n"
         "  if (row < M && column < N) C[row * N + column] = sum;\n"
         "}\n";
}

KernelAs with_bytes(std::int64_t bytes) { return {.dynamic_shared_bytes = bytes}; }

TEST_F(EmulatorDynamicShared, OfAnyNameAndType) {
  for (const std::string declaration :
       {"extern __shared__ float tiles[];", "extern __shared__ char tiles[];",
        "extern __shared__ __align__(16) unsigned char tiles[];", "__shared__ extern double tiles[];",
        "extern\n__shared__ float4 tiles[];"}) {
    const Outcome outcome = run(tiled(declaration), {9, 10, 7}, with_bytes(128));
    EXPECT_EQ(summary(outcome), "PASS") << declaration;
    EXPECT_EQ(outcome.product.counts->shared_writes.elements, 9 * 2 * 2 * 16);
    EXPECT_EQ(outcome.product.counts->shared_reads.elements, 9 * 2 * 2 * 64);
  }
}

TEST_F(EmulatorDynamicShared, DeclaredOutsideTheKernel) {
  EXPECT_EQ(summary(run(tiled("", "__syncthreads();", "extern __shared__ float tiles[];\n"), {9, 10, 7},
                        with_bytes(128))),
            "PASS");
  EXPECT_EQ(summary(run(tiled("using mine::tiles;", "__syncthreads();",
                              "namespace mine { extern __shared__ float tiles[]; }\n"),
                        {9, 10, 7}, with_bytes(128))),
            "PASS");
}

// All names are one memory, behind the static arrays.
TEST_F(EmulatorDynamicShared, TwoNamesAreOneMemory) {
  const std::string statement =
      "  extern __shared__ float first[]; extern __shared__ int second[]; __shared__ float fixed[16];\n"
      "  const int t = threadIdx.y * 4 + threadIdx.x; fixed[t] = 7; first[t] = 1.0f;\n"
      "  if (second[t] != 0x3f800000 || fixed[t] != 7 || first - fixed < 16) sum = -1;";
  EXPECT_EQ(summary(run(direct_kernel(statement), {8, 8, 8}, with_bytes(64))), "PASS");
}

TEST_F(EmulatorDynamicShared, ARaceIsFound) {
  const Outcome outcome =
      run(tiled("extern __shared__ float tiles[];", "/* no barrier */"), {9, 10, 7}, with_bytes(128));
  EXPECT_EQ(outcome.verdict.text(), "FAIL(race)");
  EXPECT_EQ(outcome.product.findings.front().buffer, "tiles");
}

TEST_F(EmulatorDynamicShared, PastItsSizeIsOutOfBounds) {
  for (const std::int64_t bytes : {0, 64, 120, 124, 127}) {
    const Outcome outcome = run(tiled("extern __shared__ float tiles[];"), {9, 10, 7}, with_bytes(bytes));
    EXPECT_EQ(outcome.verdict.text(), "FAIL(out_of_bounds)") << bytes;
    const Finding& finding = outcome.product.findings.front();
    EXPECT_EQ(finding.buffer, "tiles") << bytes << finding.message;
    EXPECT_EQ(finding.index, bytes / 4) << finding.message;
  }
}

TEST_F(EmulatorDynamicShared, WithStaticMemoryIsHeldAgainstTheLimit) {
  const std::string statement =
      "extern __shared__ float tiles[]; __shared__ float fixed[8]; tiles[0] = fixed[0] = 1;";
  const std::string verdict =
      run(direct_kernel(statement), {8, 8, 8}, with_bytes(232448 - 31)).verdict.text();
  EXPECT_NE(verdict.find("per block, static and dynamic: it asks for 232449, CUDA allows 232448"),
            std::string::npos)
      << verdict;
}

TEST_F(EmulatorDynamicShared, DeclaredButNotUsedNeedsNoSize) {
  const std::unique_ptr<KernelModule> module =
      compile(put(direct_kernel("extern __shared__ float tiles[];")));
  EXPECT_EQ(module->shared_memory().bytes, 0U);
}

TEST_F(EmulatorDynamicShared, IsAsLargeAsItWasAsked) {
  const std::string statement = "extern __shared__ float tiles[]; tiles[0] = 1; sum += tiles[0] - 1;";
  const std::unique_ptr<KernelModule> module = compile(put(direct_kernel(statement)), with_bytes(1000));
  EXPECT_EQ(module->shared_memory().bytes, 1000U);
  EXPECT_EQ(module->shared_memory().base % 1024, 0U);
  EXPECT_EQ(module->rungs().front().dynamic_shared_bytes, 1000);
  ASSERT_EQ(module->shared_variables().size(), 1U);
  EXPECT_EQ(module->shared_variables().front().name, "tiles");
}

}  // namespace
}  // namespace tilewright
