// SPDX-License-Identifier: MIT
//
// Reuse per line, and the few blocks that stand for all: what is asked of them, and when they do not.
#include "tests/unit/emulated_source.h"

namespace tilewright {
namespace {

class EmulatorSample : public EmulatedSource {
 protected:
  static EmulatorSettings seeing(bool sample_blocks) {
    EmulatorSettings settings;
    settings.see_warps = true;
    settings.sample_blocks = sample_blocks;
    return settings;
  }

  Outcome sampled(const std::string& text, Shape shape) {
    return run_file(put(text), shape, {}, seeing(true));
  }
};

std::optional<double> reuse_of(const Outcome& outcome, int line, std::string_view space,
                               std::string_view op) {
  for (const LineCount& count : outcome.product.lines)
    if (count.line == line && count.space == space && count.op == op) return count.reuse();
  return {};
}

TEST_F(EmulatorSample, ReuseIsElementsOverDistinctElements) {
  // Each element of A is read by all 12 columns, each of B by all 8 rows: (8*K*12 * 2) / (8*K + K*12) reads.
  const Outcome outcome = run_file(put(direct_kernel()), {8, 12, 5}, {}, seeing(false));
  ASSERT_EQ(outcome.verdict.text(), "PASS") << summary(outcome);
  EXPECT_EQ(reuse_of(outcome, 5, "global", "read"), 2.0 * 8 * 12 / (8 + 12));
  EXPECT_EQ(reuse_of(outcome, 7, "global", "write"), 1.0);
}

TEST_F(EmulatorSample, ReuseOfSharedMemoryBeginsAnewAtEachBarrier) {
  // 16 threads read word 0 twice between two barriers: 16 elements, 1 distinct, each time.
  const std::string text =
      "__global__ void k" + kSignature +
      " {\n"
      "  __shared__ float s[16];\n"
      "  const int t = threadIdx.y * 4 + threadIdx.x, row = blockIdx.y * 4 + threadIdx.y, "
      "column = blockIdx.x * 4 + threadIdx.x;\n"
      "  float sum = 0;\n"
      "  for (int i = 0; i < 2; ++i) {\n"
      "    s[t] = 0;\n"
      "    __syncthreads();\n"
      "    sum += s[0];\n"
      "    __syncthreads();\n"
      "  }\n"
      "  if (row >= M || column >= N) return;\n"
      "  for (int i = 0; i < K; ++i) sum += A[row * K + i] * B[i * N + column];\n"
      "  C[row * N + column] = sum;\n"
      "}\n";
  for (const bool sample_blocks : {false, true}) {
    const Outcome outcome = run_file(put(text), {8, 8, 3}, {}, seeing(sample_blocks));
    ASSERT_EQ(outcome.verdict.text(), "PASS") << summary(outcome);
    EXPECT_EQ(reuse_of(outcome, 8, "shared", "read"), 16.0);
    EXPECT_EQ(reuse_of(outcome, 6, "shared", "write"), 1.0);
  }
}

TEST_F(EmulatorSample, DoesNotClaimReuseBetweenBlocksThatDidNotRun) {
  const Outcome outcome = sampled(direct_kernel(), {16, 16, 5});
  ASSERT_EQ(outcome.verdict.text(), "PASS") << summary(outcome);
  EXPECT_FALSE(reuse_of(outcome, 5, "global", "read"));
}

TEST_F(EmulatorSample, BlocksThatDoNotAccessAlikeCannotStandForAll) {
  const std::string uneven = direct_kernel("  for (int i = 0; i < int(blockIdx.x); ++i) sum += 0 * A[i];");
  const Outcome outcome = sampled(uneven, {16, 16, 5});
  EXPECT_EQ(outcome.verdict.kind, Verdict::Kind::unsupported) << summary(outcome);
  EXPECT_NE(outcome.verdict.detail.find("user.cu:6"), std::string::npos) << outcome.verdict.detail;
  EXPECT_EQ(run_file(put(uneven), {16, 16, 5}, {}, seeing(false)).verdict.text(), "PASS");
}

TEST_F(EmulatorSample, StillFindsWhatIsWrongInABlockThatRan) {
  const Outcome wrong = sampled(direct_kernel("  sum += 1;"), {16, 16, 5});
  EXPECT_EQ(wrong.verdict.text(), "FAIL(wrong_value)");
  const Outcome beyond = sampled(direct_kernel("  sum += 0 * B[K * N + 1000];"), {16, 16, 5});
  EXPECT_EQ(beyond.verdict.text(), "FAIL(out_of_bounds)");
  const std::string silent = direct_kernel("  if (row == 0 && column == 0) return;");
  EXPECT_EQ(sampled(silent, {16, 16, 5}).verdict.text(), "FAIL(unwritten_output)");
}

TEST_F(EmulatorSample, AnElementOfABlockThatDidNotRunIsNotUnwritten) {
  const Outcome outcome = sampled(direct_kernel(), {40, 40, 5});
  EXPECT_EQ(outcome.verdict.text(), "PASS") << summary(outcome);
  ASSERT_TRUE(outcome.product.sample);
  EXPECT_EQ(outcome.product.sample->blocks, 100);
  std::size_t ran = 0;
  for (const BlockSample::Class& one : outcome.product.sample->classes) ran += one.ran.size();
  EXPECT_LT(ran, 100U);
}

}  // namespace
}  // namespace tilewright
