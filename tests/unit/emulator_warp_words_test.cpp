// SPDX-License-Identifier: MIT
//
// The words by which lanes of a warp meet: what they give, that they order the lanes they name and no others,
// and that a lane which waits for one that never comes is a finding.
#include "tests/unit/emulated_source.h"

namespace tilewright {
namespace {

class EmulatorWarpWords : public EmulatedSource {
 protected:
  // One block of 64 threads, two warps; each thread t computes `value` and stores it to C[t].
  std::vector<float> values(const std::string& statements) {
    outcome_ = run("__global__ void k" + kSignature + " {\n  const int t = threadIdx.x, lane = t % 32;\n" +
                       "  float value = 0;\n" + statements + "\n  C[t] = value;\n}\n",
                   {8, 8, 4}, {.block = {64, 1}, .tile_x = 8, .tile_y = 8});
    return outcome_.product.C;
  }
  std::string found(const std::string& statements) {
    values(statements);
    std::string kinds;
    for (const Finding& finding : outcome_.product.findings)
      if (kinds.find(name_of(finding.kind)) == std::string::npos)
        kinds += (kinds.empty() ? "" : " ") + std::string(name_of(finding.kind));
    return kinds;
  }
  template <class Expected>
  void expect_values(const std::string& statements, Expected expected) {
    const std::vector<float> C = values(statements);
    EXPECT_TRUE(outcome_.product.findings.empty()) << statements << summary(outcome_);
    for (int t = 0; t < 64; ++t) EXPECT_EQ(C[static_cast<std::size_t>(t)], expected(t, t % 32)) << statements;
  }
  Outcome outcome_;
};

TEST_F(EmulatorWarpWords, Shuffles) {
  expect_values(
      "float a = t; int b = 2 * t; unsigned c = t; double d = t;\n"
      "a = __shfl_sync(0xffffffffu, a, 5); b = __shfl_up_sync(~0u, b, 1); c = __shfl_down_sync(~0u, c, 3);\n"
      "d = __shfl_xor_sync(~0u, d, 1); value = a + 100 * b + 10000 * c; if (d != (t ^ 1)) value = -1;",
      [](int t, int lane) {
        return float(t - lane + 5 + 200 * (lane == 0 ? t : t - 1) + 10000 * (lane + 3 < 32 ? t + 3 : t));
      });
}

TEST_F(EmulatorWarpWords, ShufflesOfNarrowSegments) {
  expect_values(
      "float a = __shfl_sync(~0u, float(t), 9, 8), b = __shfl_up_sync(~0u, float(t), 2, 8),\n"
      "c = __shfl_down_sync(~0u, float(t), 2, 8), d = __shfl_xor_sync(~0u, float(t), 12, 8);\n"
      "value = a + 64 * b + 4096 * c + 262144 * d;",
      [](int t, int lane) {
        const int in = lane % 8, first = t - in;
        const int d = (lane ^ 12) < lane - in + 8 ? t - lane + (lane ^ 12) : t;
        return float(first + 1 + 64 * (in < 2 ? t : t - 2) + 4096 * (in + 2 < 8 ? t + 2 : t) + 262144 * d);
      });
}

TEST_F(EmulatorWarpWords, Votes) {
  expect_values(
      "const unsigned odd = __ballot_sync(~0u, t & 1); value = odd == 0xaaaaaaaau;\n"
      "value += 2 * __any_sync(~0u, lane == 7) + 4 * __all_sync(~0u, lane < 32) + 8 * __any_sync(~0u, t < 0) "
      "+\n"
      "16 * __all_sync(~0u, lane != 3);",
      [](int, int) { return 7.0F; });
}

TEST_F(EmulatorWarpWords, AReductionByShuffles) {
  expect_values(
      "value = t; for (int d = 16; d > 0; d /= 2) value += __shfl_down_sync(~0u, value, d);\n"
      "value = __shfl_sync(~0u, value, 0);",
      [](int t, int lane) { return float(32 * (t - lane) + 496); });
}

// Half a warp at a time, in a branch that the other half does not take.
TEST_F(EmulatorWarpWords, AMaskNamesWhoTakesPart) {
  expect_values(
      "if (lane < 16) value = __shfl_sync(0x0000ffffu, float(t), 3);\n"
      "else value = __shfl_sync(0xffff0000u, float(t), 20);",
      [](int t, int lane) { return float(t - lane + (lane < 16 ? 3 : 20)); });
}

TEST_F(EmulatorWarpWords, ABlockSmallerThanAWarpHasTheLanesItHas) {
  EXPECT_EQ(summary(run(direct_kernel("__syncwarp(); sum += __shfl_xor_sync(~0u, 0.0f, 1);"), {8, 8, 4})),
            "PASS");
}

TEST_F(EmulatorWarpWords, SyncwarpOrdersAnExchangeThroughSharedMemory) {
  const std::string shared = "__shared__ float s[64]; s[t] = t; ";
  expect_values(shared + "__syncwarp(); value = s[t ^ 1]; __syncwarp(); s[t] = 0;",
                [](int t, int) { return float(t ^ 1); });
  expect_values(shared + "__shfl_sync(~0u, 0, 0); value = s[t ^ 31];",
                [](int t, int) { return float(t ^ 31); });
  EXPECT_EQ(found(shared + "value = s[t ^ 1];").find("race") != std::string::npos, true);
  EXPECT_EQ(found(shared + "__syncwarp(); value = s[t ^ 1]; s[t] = 0;"), "race");
}

TEST_F(EmulatorWarpWords, SyncwarpDoesNotOrderTwoWarps) {
  EXPECT_NE(found("__shared__ float s[64]; s[t] = t; __syncwarp(); value = s[t ^ 32];").find("race"),
            std::string::npos);
  EXPECT_EQ(found("__shared__ float s[64]; s[t] = t; __syncthreads(); value = s[t ^ 32]; __syncwarp(); "
                  "s[t] = 0;"),
            "race");
  // The reader of the other warp is not forgotten for those of the writer's own.
  EXPECT_EQ(found("__shared__ float s; if (t == 0) s = 1; __syncthreads(); if (t == 40 || t < 3) value = s; "
                  "__syncwarp(); if (t == 0) s = 2;"),
            "race");
  EXPECT_EQ(found("__shared__ float s; if (t == 0) s = 1; __syncthreads(); if (t < 32) value = s; "
                  "__syncwarp(); if (t == 0) s = 2;"),
            "");
}

TEST_F(EmulatorWarpWords, APartOfAWarpIsOrderedByItself) {
  const std::string halves =
      "const unsigned half = lane < 16 ? 0xffffu : 0xffff0000u; __shared__ float s[64]; ";
  EXPECT_EQ(found(halves + "s[t] = t; __syncwarp(half); value = s[t ^ 8];"), "");
  EXPECT_NE(found(halves + "s[t] = t; __syncwarp(half); value = s[t ^ 16];").find("race"), std::string::npos);
  // Lane 0 learns of lane 31 through lane 15: order is handed on.
  EXPECT_EQ(found(halves + "if (t == 31) s[0] = 1; if (lane >= 15) __syncwarp(0xffff8000u); "
                           "if (lane < 16) __syncwarp(0x0000ffffu); if (t == 0) value = s[0];"),
            "");
}

TEST_F(EmulatorWarpWords, OrdersGlobalMemoryToo) {
  EXPECT_EQ(found("C[t] = t; __syncwarp(); value = C[t ^ 1]; __syncwarp();"), "");
  EXPECT_NE(found("C[t] = t; __syncwarp(); value = C[t ^ 32];").find("race"), std::string::npos);
}

TEST_F(EmulatorWarpWords, ALaneThatNeverComesIsAFinding) {
  for (const std::string statements : {"if (lane != 9) __syncwarp(); else __syncthreads();",
                                       "if (lane == 9) __any_sync(~0u, 1); else __shfl_sync(~0u, 1, 0);"}) {
    EXPECT_NE(found(statements).find("barrier_divergence"), std::string::npos) << statements;
    EXPECT_EQ(outcome_.product.findings.front().line, 4) << statements;
    EXPECT_TRUE(outcome_.product.findings.front().other_thread.has_value());
  }
}

// As on the GPU: a word waits for the lanes that have not left the kernel.
TEST_F(EmulatorWarpWords, ALaneThatHasLeftIsNotWaitedFor) {
  const std::string leave = "C[t] = 7; if (lane == 9) return; ";
  for (const std::string word : {"__syncwarp();", "if (lane < 5) __syncwarp();",
                                 "value = 7 * __any_sync(~0u, 1) - 7;", "value = __shfl_sync(~0u, 0.0f, 8);"})
    expect_values(leave + word + " value += 7;", [](int, int) { return 7.0F; });
  // Who has left has met nobody: its accesses are not ordered before those of the others.
  EXPECT_NE(found("__shared__ float s; if (lane == 9) { C[t] = 0; if (t == 9) s = 1; return; } __syncwarp(); "
                  "if (t == 0) value = s;")
                .find("race"),
            std::string::npos);
}

TEST_F(EmulatorWarpWords, AValueOfALaneThatHasLeftIsAFinding) {
  EXPECT_EQ(found("if (lane == 9) { C[t] = 0; return; } value = __shfl_down_sync(~0u, 1.0f, 1);"),
            "barrier_divergence");
  ASSERT_EQ(outcome_.product.findings.size(), 2U);  // lane 8 of two warps
  EXPECT_EQ(outcome_.product.findings.front().thread->x, 8);
  EXPECT_EQ(outcome_.product.findings.front().other_thread->x, 9);
  EXPECT_NE(summary(outcome_).find("takes the value of thread (9, 0, 0), which has left"), std::string::npos)
      << summary(outcome_);
  EXPECT_TRUE(std::isnan(outcome_.product.C[8]));
}

TEST_F(EmulatorWarpWords, AValueOfALaneThatIsNotThereIsNaN) {
  const std::vector<float> C = values("if (lane < 16) value = __shfl_sync(0xffffu, 1.0f, 20);");
  EXPECT_TRUE(std::isnan(C[0]));
}

}  // namespace
}  // namespace tilewright
