// SPDX-License-Identifier: MIT
//
// Bulk copies and their barriers (kernels/words/bulk_copy.h), misused in each way the emulator tells of, and used right
// beside it.
#include "tests/unit/emulated_source.h"

namespace tilewright {
namespace {

class EmulatorBulkCopy : public EmulatedSource {
 protected:
  // One block of 64 threads over A and B of 64 elements and a C of 64. `s` has room for both, `t` is the thread.
  std::string found(const std::string& statements) {
    outcome_ = run("#include \"" TILEWRIGHT_SOURCE_DIR
                   "/kernels/words/bulk_copy.h\"\nusing namespace tilewright;\n__global__ void k" +
                       kSignature +
                       " {\nalignas(128) __shared__ float s[128]; __shared__ BulkBarrier bar[2];\n"
                       "const int t = threadIdx.x; float value = 0;\n" +
                       statements + "\nC[t] = value;\n}\n",
                   {8, 8, 8}, {.block = {64, 1}, .tile_x = 8, .tile_y = 8});
    std::string kinds;
    for (const Finding& finding : outcome_.product.findings)
      if (kinds.find(name_of(finding.kind)) == std::string::npos)
        kinds += (kinds.empty() ? "" : " ") + std::string(name_of(finding.kind));
    return kinds;
  }
  bool said(const std::string& words) const {
    for (const Finding& finding : outcome_.product.findings)
      if (finding.message.find(words) != std::string::npos) return true;
    return false;
  }
  Outcome outcome_;
};

const std::string kBegin =
    "if (t == 0) { bulk_barrier_init(&bar[0], 1); bulk_barrier_init(&bar[1], 1); bulk_barrier_fence(); }\n"
    "__syncthreads();\n";
const std::string kStart =
    "if (t == 0) { bulk_barrier_expect(&bar[0], 256); bulk_copy(s, A, 256, &bar[0]); }\n";
const std::string kWait = "bulk_barrier_wait(&bar[0], 0);\n";

TEST_F(EmulatorBulkCopy, BringsWhatIsThereAndIsCounted) {
  EXPECT_EQ(found(kBegin + kStart + kWait + "value = s[t];"), "");
  EXPECT_EQ(outcome_.product.C, operands_.A.values);
  EXPECT_EQ(outcome_.product.counts->global_reads.elements, 64);
  EXPECT_EQ(outcome_.product.counts->global_reads.accesses, 16);
  EXPECT_EQ(outcome_.product.counts->shared_writes.elements, 64);
  EXPECT_EQ(outcome_.product.counts->shared_reads.elements, 64);
}

TEST_F(EmulatorBulkCopy, IsThereForWhoHasWaitedOnly) {
  EXPECT_EQ(found(kBegin + kStart + "value = s[t];" + kWait), "race");
  EXPECT_TRUE(said("has not waited for the copy's phase"));
  EXPECT_EQ(found(kBegin + kStart + "if (t == 9) s[3] = 1;" + kWait), "race");
  EXPECT_EQ(found(kBegin + kStart + "if (t != 5) " + kWait + "value = s[t];"), "race");
  EXPECT_EQ(found(kBegin + kStart + "if (t == 5) " + kWait + "__syncthreads(); value = s[t];"), "");
  EXPECT_EQ(found(kBegin + kStart + "if (t % 32 == 5) " + kWait + "__syncwarp(); value = s[t];"), "");
  EXPECT_EQ(found(kBegin + kStart + "if (t == 5) " + kWait + "__syncwarp(); value = s[t];"), "race");
  EXPECT_EQ(found(kBegin + kStart + "__syncthreads(); value = s[t];" + kWait), "race");
}

TEST_F(EmulatorBulkCopy, OfAPhaseThatHasEndedIsNoWait) {
  EXPECT_EQ(found(kBegin + kStart + "bulk_barrier_wait(&bar[0], 1); value = s[t];" + kWait), "race");
  EXPECT_EQ(found(kBegin + kStart + kWait + kWait + "value = s[t];"), "");
}

TEST_F(EmulatorBulkCopy, MayBeStartedByWhoRunsLast) {
  EXPECT_EQ(
      found(kBegin + "if (t == 63) { bulk_barrier_expect(&bar[0], 256); bulk_copy(s, A, 256, &bar[0]); }" +
            kWait + "value = s[t];"),
      "");
  // Before what it is expected by, and in two pieces of two threads.
  EXPECT_EQ(found(kBegin +
                  "if (t < 2) bulk_copy(s + 32 * t, A + 32 * t, 128, &bar[0]); __syncthreads();\n"
                  "if (t == 7) bulk_barrier_expect(&bar[0], 256);" +
                  kWait + "value = s[t];"),
            "");
}

TEST_F(EmulatorBulkCopy, GoesWhereTheBlockIsDone) {
  const std::string next =
      "if (t == 0) { bulk_barrier_expect(&bar[0], 256); bulk_copy(s, B, 256, &bar[0]); }\n";
  const std::string wait = "bulk_barrier_wait(&bar[0], 1); value += s[t];";
  EXPECT_EQ(found(kBegin + kStart + kWait + "value = s[t]; __syncthreads();" + next + wait), "");
  EXPECT_EQ(found(kBegin + kStart + kWait + "value = s[t];" + next + wait), "race");
  EXPECT_EQ(found(kBegin + kStart +
                  "if (t == 1) bulk_copy(s + 32, B, 128, &bar[1]); bulk_barrier_wait(&bar[1], 1);" + kWait),
            "race barrier_divergence");
}

TEST_F(EmulatorBulkCopy, FollowsStoresWithAProxyFenceBetween) {
  EXPECT_EQ(found(kBegin + "s[t] = 1; __syncthreads();" + kStart + kWait + "value = s[t];"), "race");
  EXPECT_TRUE(said("with no proxy fence between them"));
  EXPECT_EQ(found(kBegin + "s[t] = 1; bulk_proxy_fence(); __syncthreads();" + kStart + kWait), "");
  EXPECT_EQ(found(kBegin + "s[t] = 1; __syncthreads(); bulk_proxy_fence();" + kStart + kWait), "");
  EXPECT_EQ(
      found(kBegin + "bulk_proxy_fence(); __syncthreads(); s[t] = 1; __syncthreads();" + kStart + kWait),
      "race");
  EXPECT_EQ(found(kBegin + "if (t == 0) s[0] = 1;" + kStart + kWait), "race");
  EXPECT_EQ(found(kBegin + "if (t == 0) { s[0] = 1; bulk_proxy_fence(); }" + kStart + kWait), "");
}

TEST_F(EmulatorBulkCopy, ThatCannotEndIsSaidOnce) {
  const auto copy = [](int expected, int copied) {
    return "if (t == 0) { bulk_barrier_expect(&bar[1], " + std::to_string(expected) + "); bulk_copy(s, A, " +
           std::to_string(copied) + ", &bar[1]); }\nbulk_barrier_wait(&bar[1], 0);";
  };
  EXPECT_EQ(found(kBegin + copy(256, 256)), "");
  EXPECT_EQ(found(kBegin + copy(272, 256)), "barrier_divergence");
  EXPECT_TRUE(said("at the barrier bar[1] for ever: 0 arrivals are missing, 272 bytes are expected and 256"));
  EXPECT_EQ(outcome_.product.findings_total, 1);
  EXPECT_EQ(found(kBegin + copy(240, 256)), "barrier_divergence");
  EXPECT_EQ(found(kBegin + kWait), "barrier_divergence");
  EXPECT_TRUE(said("1 arrivals are missing"));
  // Half of the block waits here and the other half elsewhere.
  EXPECT_EQ(found(kBegin + "if (t < 32) " + kWait + "__syncthreads();"), "barrier_divergence");
  EXPECT_EQ(found(kBegin + "if (t % 2) " + kWait + "__syncwarp();"), "barrier_divergence");
}

TEST_F(EmulatorBulkCopy, CountsArrivals) {
  EXPECT_EQ(found(kBegin + "if (t < 2) bulk_barrier_expect(&bar[t], 0);" + kWait), "");
  EXPECT_EQ(found(kBegin + kStart + "if (t == 1) bulk_barrier_expect(&bar[0], 0);" + kWait),
            "barrier_divergence");
  EXPECT_TRUE(said("has all its arrivals"));
  EXPECT_EQ(
      found("if (t == 0) { bulk_barrier_init(bar, 64); bulk_barrier_fence(); } __syncthreads();\n"
            "bulk_barrier_expect(bar, 16 * (t < 16)); if (t < 16) bulk_copy(s + 4 * t, A + 4 * t, 16, bar);" +
            kWait + "value = s[t];"),
      "");
}

TEST_F(EmulatorBulkCopy, IsWaitedForBeforeTheBlockEnds) {
  EXPECT_EQ(found(kBegin + kStart), "barrier_divergence");
  EXPECT_TRUE(said("nobody has waited for when the block ends"));
  EXPECT_EQ(found(kBegin + kStart + "if (t == 40) " + kWait), "");
}

TEST_F(EmulatorBulkCopy, NeedsAnInitializedBarrier) {
  const std::string kind = "uninitialized_shared_read";
  EXPECT_EQ(found(kStart + kWait), kind);
  EXPECT_TRUE(said("the barrier bar[0], which no thread has initialized"));
  const std::string init = "if (t == 5) { bulk_barrier_init(&bar[0], 1); ";
  EXPECT_EQ(found(init + "bulk_barrier_fence(); }" + kStart + kWait), kind);
  EXPECT_EQ(found(init + "} __syncthreads();" + kStart + kWait), kind);
  EXPECT_TRUE(said("without bulk_barrier_fence and then __syncthreads"));
  EXPECT_EQ(found(init + "bulk_barrier_fence(); } __syncthreads();" + kStart + kWait), "");
  EXPECT_EQ(found("bulk_barrier_init(&bar[0], 1); bulk_barrier_fence(); __syncthreads();" + kStart + kWait),
            "race");
  EXPECT_EQ(found("BulkBarrier own; bulk_barrier_init(&own, 1);"), "out_of_bounds");
  EXPECT_EQ(found("bulk_barrier_init(reinterpret_cast<BulkBarrier*>(s + 1), 1);"), "misaligned_access");
}

TEST_F(EmulatorBulkCopy, IsOfMultiplesOf16BytesInsideOfItsBuffers) {
  const auto copy = [](const std::string& what) {
    return kBegin + "if (t == 0) { bulk_barrier_expect(&bar[0], 256); bulk_copy(" + what + ", &bar[0]); }\n";
  };
  EXPECT_EQ(found(copy("s, A, 248") + kWait), "misaligned_access");
  EXPECT_TRUE(
      said("copies 248 bytes to s[0]; both addresses and the bytes of a bulk copy are multiples of 16"));
  EXPECT_EQ(found(copy("s + 1, A, 240") + kWait), "misaligned_access");
  EXPECT_EQ(found(copy("s, A + 1, 240") + kWait), "misaligned_access");
  EXPECT_TRUE(said("bytes from A[1]"));
  EXPECT_EQ(found(copy("s, A + 4, 256") + kWait), "out_of_bounds");
  EXPECT_TRUE(said("reads A[64], outside its 64 elements"));
  EXPECT_EQ(found(copy("s + 1024, A, 256") + kWait), "out_of_bounds");
  EXPECT_EQ(found(copy("s, s + 64, 256") + kWait), "out_of_bounds");
}

// A block that is ended early leaves nothing to the next one: not its waiting threads, not its barriers.
TEST_F(EmulatorBulkCopy, AreCleanAfterABlockThatWasEnded) {
  const std::string text =
      "#include \"" TILEWRIGHT_SOURCE_DIR
      "/kernels/words/bulk_copy.h\"\nusing namespace tilewright;\n__global__ void k" +
      kSignature +
      " {\n__shared__ BulkBarrier bar; const int t = threadIdx.x;\n"
      "if (t == 0) { bulk_barrier_init(&bar, 1); bulk_barrier_fence(); }\n__syncthreads();\n"
      "if (t == 0 && blockIdx.x == 0) bulk_barrier_init(&bar, 1);\n"
      "if (t == 1) bulk_barrier_expect(&bar, 0);\nbulk_barrier_wait(&bar, 0);\n"
      "C[blockIdx.x * 8 + t % 8 + t / 8 * N] = blockIdx.x;\n}\n";
  outcome_ = run(text, {8, 32, 4}, {.block = {64, 1}, .tile_x = 8, .tile_y = 8});
  EXPECT_EQ(outcome_.product.findings_total, 1) << summary(outcome_);
  EXPECT_TRUE(said("initializes the barrier bar[0]"));
  EXPECT_EQ(outcome_.product.counts->global_writes.elements, 3 * 64);
}

// No warp asks for what a copy moves; and whoever comes to a wait first, a warp's lanes go on from it together.
TEST(BulkCopyRequests, AreThoseOfTheReadersInEveryOrder) {
  Catalog catalog;
  const Rung& rung =
      catalog.add(std::make_unique<KernelModule>(TILEWRIGHT_LIB_DIR "/mutants/honest_bulk_copy.so"));
  constexpr std::int64_t n = 32, warps = n * n / warp_lanes;
  const Operands operands = make_inputs(find_family("uniform"), {n, n, n}, 1);
  for (const Order order : {Order::forward, Order::reversed, Order::shuffled}) {
    EmulatorDevice device(catalog, {.thread_order = order, .see_warps = true});
    std::int64_t copied = 0, copy_requests = 0, reads = 0;
    for (const LineCount& line : multiply(device, rung, operands.A, operands.B).lines) {
      if (line.space == "global" && line.op == "read") copied += line.count.elements;
      if (line.space == "global" && line.op == "read") copy_requests += line.warps.requests;
      if (line.space == "shared" && line.op == "read") reads += line.warps.requests;
    }
    EXPECT_EQ(copied, 2 * n * n * n / 16);
    EXPECT_EQ(copy_requests, 0);
    EXPECT_EQ(reads, 2 * n * warps);
  }
}

}  // namespace
}  // namespace tilewright
