// SPDX-License-Identifier: MIT
//
// cooperative_groups: a kernel that says its barriers, tiles and shuffles as
// groups is watched as one that says them in words.
#include "tests/unit/emulated_source.h"

namespace tilewright {
namespace {

class EmulatorGroups : public EmulatedSource {
 protected:
  // One block of 8 x 8 threads; statements stand on line 5.
  Outcome run_block(const std::string& statements) {
    return run(
        "#include <cooperative_groups.h>\nnamespace cg = "
        "cooperative_groups;\n__global__ void k" +
            kSignature +
            " {\n  cg::thread_block block = cg::this_thread_block(); "
            "const int t = block.thread_rank();\n" +
            statements + "\n}\n",
        {8, 8, 4}, {.block = {8, 8}, .tile_x = 8, .tile_y = 8});
  }
  void expect_ones(const std::string& statements) {
    const Outcome outcome = run_block(statements);
    EXPECT_TRUE(outcome.product.findings.empty()) << statements << summary(outcome);
    for (const float value : outcome.product.C) EXPECT_EQ(value, 1.0F) << statements;
  }
};

TEST_F(EmulatorGroups, TheBlock) {
  expect_ones(
      "__shared__ float s[64]; s[t] = t; block.sync(); cg::sync(block);\n"
      "C[t] = s[63 - t] == 63 - t && t == int(threadIdx.y * 8 + threadIdx.x) "
      "&& block.size() == 64 &&\n"
      "block.group_index().x == 0 && block.thread_index().y == threadIdx.y;");
}

TEST_F(EmulatorGroups, Tiles) {
  expect_ones(
      "auto tile = cg::tiled_partition<8>(block); float sum = t;\n"
      "for (int d = tile.size() / 2; d > 0; d /= 2) sum += "
      "tile.shfl_down(sum, d);\n"
      "sum = tile.shfl(sum, 0); const int first = t - t % 8;\n"
      "C[t] = sum == 8 * first + 28 && int(tile.thread_rank()) == t % "
      "8 && tile.shfl_xor(t, 3) == (t ^ 3)\n"
      "&& int(tile.meta_group_rank()) == t / 8 && tile.ballot(t & 1) "
      "== 0xaau && tile.any(t % 8 == 2);");
  expect_ones(
      "cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);\n"
      "auto half = cg::tiled_partition<16>(warp);\n"
      "C[t] = warp.shfl_up(t, 1) == (t % 32 == 0 ? t : t - 1) && half.shfl(t, "
      "15) == (t | 15);");
}

TEST_F(EmulatorGroups, ATileOrdersItself) {
  const std::string exchange =
      "auto tile = cg::tiled_partition<16>(block); "
      "__shared__ float s[64]; s[t] = 1; ";
  expect_ones(exchange + "tile.sync(); C[t] = s[t ^ 15];");
  EXPECT_EQ(run_block(exchange + "tile.sync(); C[t] = s[t ^ 16];").verdict.text(), "FAIL(race)");
}

TEST_F(EmulatorGroups, AThreadThatDoesNotComeIsNamedOnTheUsersLine) {
  for (const std::string sync : {"block.sync();", "cg::tiled_partition<32>(block).sync();"}) {
    // It waits elsewhere: at another barrier of the block.
    const Outcome outcome = run_block("C[t] = 0; if (t != 5)\n" + sync + " else __syncthreads();");
    ASSERT_FALSE(outcome.product.findings.empty()) << sync;
    EXPECT_EQ(outcome.product.findings.front().kind, FindingKind::barrier_divergence);
    EXPECT_EQ(outcome.product.findings.front().line, 6);
  }
}

}  // namespace
}  // namespace tilewright
