// SPDX-License-Identifier: MIT
//
// A vector that a function returns, stored at once: the compiler lets the call write to memory, and still each store is
// one access, on the line that says it.
#include "tests/unit/emulated_source.h"

namespace tilewright {
namespace {

class EmulatorVectorAssignment : public EmulatedSource {
 protected:
  // 16 threads; `store` stands on line 5, and the barrier, or none, on line 6.
  Outcome stored(const std::string& store, const std::string& barrier) {
    return run(
        "__device__ float4 four(float x) { return make_float4(x, x, x, x); }\n__global__ void k" +
            kSignature +
            " {\n"
            "  __shared__ float4 s[16];\n"
            "  const int t = threadIdx.y * 4 + threadIdx.x, row = blockIdx.y * 4 + threadIdx.y, column = "
            "blockIdx.x * 4 + threadIdx.x;\n  " +
            store + "\n  " + barrier +
            "\n"
            "  float sum = s[15 - t].x;\n"
            "  if (row >= M || column >= N) return;\n"
            "  for (int i = 0; i < K; ++i) sum += A[row * K + i] * B[i * N + column];\n"
            "  C[row * N + column] = sum;\n"
            "}\n",
        {8, 8, 3});
  }
};

TEST_F(EmulatorVectorAssignment, IsOneAccessOnTheLineThatSaysIt) {
  for (const char* store : {"s[t] = make_float4(0, 0, 0, 0);", "s[t] = four(0);",
                            "s[t] = float4{0, 0, 0, 0};", "*reinterpret_cast<float4*>(&s[t].x) = four(0);"}) {
    const Outcome outcome = stored(store, "__syncthreads();");
    EXPECT_EQ(outcome.verdict.text(), "PASS") << store << ": " << summary(outcome);
    EXPECT_EQ(outcome.product.counts->shared_writes.accesses, 4 * 16) << store;
    EXPECT_EQ(outcome.product.counts->shared_writes.elements, 4 * 16 * 4) << store;
    for (const LineCount& line : outcome.product.lines)
      if (line.space == "shared" && line.op == "write") {
        EXPECT_EQ(line.line, 5) << store;
        EXPECT_NE(line.file.find("user.cu"), std::string::npos) << line.file;
      }
  }
}

TEST_F(EmulatorVectorAssignment, RacesAsAnyOther) {
  const Outcome outcome = stored("s[t] = four(0);", "");
  EXPECT_EQ(outcome.verdict.text(), "FAIL(race)") << summary(outcome);
}

}  // namespace
}  // namespace tilewright
