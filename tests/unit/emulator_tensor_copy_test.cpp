// SPDX-License-Identifier: MIT
//
// Tensor copies (kernels/words/tensor_copy.h): what arrives of a box that lies in the matrix, across its edges and outside of
// it, what that counts, and each way to misuse one beside the right one.
#include "tests/unit/emulated_source.h"

namespace tilewright {
namespace {

class EmulatorTensorCopy : public EmulatedSource {
 protected:
  // One block of 64 threads; A, B and C have 8 x 8 elements. `s` has room for 128, `t` is the thread, `copy` starts the copy
  // of A's box of rows x columns that begins in column x and row y.
  std::string found(int rows, int columns, const std::string& statements) {
    outcome_ =
        run("#include \"" TILEWRIGHT_SOURCE_DIR
            "/kernels/words/tensor_copy.h\"\nusing namespace tilewright;\n__global__ void k" +
                kSignature +
                " {\nalignas(128) __shared__ float s[128]; __shared__ BulkBarrier bar;\n"
                "const int t = threadIdx.x; float value = 0;\n"
                "const TensorMap map = emulated_map({A, 8, 8, 8, " +
                std::to_string(rows) + ", " + std::to_string(columns) +
                "});\n"
                "const auto copy = [&](float* to, int x, int y, int bytes) {\n"
                "if (t == 0) { bulk_barrier_expect(&bar, bytes); tensor_copy(to, map, x, y, &bar); } };\n"
                "if (t == 0) { bulk_barrier_init(&bar, 1); bulk_barrier_fence(); } __syncthreads();\n" +
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
  // The box that begins in column x and row y brings this, and reads what of it lies in the matrix.
  void expect_box(int rows, int columns, int x, int y) {
    SCOPED_TRACE(std::to_string(x) + ", " + std::to_string(y));
    EXPECT_EQ(found(rows, columns,
                    "copy(s, " + std::to_string(x) + ", " + std::to_string(y) + ", " +
                        std::to_string(4 * rows * columns) + "); bulk_barrier_wait(&bar, 0); if (t < " +
                        std::to_string(rows * columns) + ") value = s[t];"),
              "");
    std::int64_t inside = 0;
    for (int i = 0; i < rows * columns; ++i) {
      const int row = y + i / columns, column = x + i % columns;
      const bool there = row >= 0 && row < 8 && column >= 0 && column < 8;
      inside += there ? 1 : 0;
      const float expected = there ? operands_.A.values[static_cast<std::size_t>(row * 8 + column)] : 0.0F;
      EXPECT_EQ(outcome_.product.C[static_cast<std::size_t>(i)], expected) << i;
    }
    EXPECT_EQ(outcome_.product.counts->global_reads.elements, inside);
    EXPECT_EQ(outcome_.product.counts->shared_writes.elements, rows * columns);
  }
  Outcome outcome_;
};

const std::string kWait = "bulk_barrier_wait(&bar, 0);";

TEST_F(EmulatorTensorCopy, BringsABoxWithZerosWhereItLiesOutside) {
  expect_box(8, 8, 0, 0);
  expect_box(4, 4, 4, 2);
  expect_box(3, 8, 0, 5);
  expect_box(8, 8, -4, 5);
  expect_box(8, 8, 4, -6);
  expect_box(2, 12, -4, 7);
  expect_box(4, 4, 8, 0);
  expect_box(4, 4, 0, -4);
  expect_box(4, 4, -100, 100);
}

TEST_F(EmulatorTensorCopy, IsThereForWhoHasWaitedOnly) {
  EXPECT_EQ(found(8, 8, "copy(s, 0, 0, 256); value = s[t];" + kWait), "race");
  EXPECT_TRUE(said("has not waited for the copy's phase"));
  EXPECT_EQ(found(8, 8, "copy(s, 0, 0, 256); if (t == 5) " + kWait + "__syncthreads(); value = s[t];"), "");
  EXPECT_EQ(found(8, 8, "copy(s, 0, 0, 256);"), "barrier_divergence");
}

TEST_F(EmulatorTensorCopy, GoesWhereTheBlockIsDone) {
  const std::string first = "copy(s, 0, 0, 256);" + kWait + "value += s[t];";
  const std::string next = "copy(s, 4, 4, 256); bulk_barrier_wait(&bar, 1); value += s[t];";
  EXPECT_EQ(found(8, 8, first + "__syncthreads();" + next), "");
  EXPECT_EQ(found(8, 8, first + next), "race");
  EXPECT_EQ(found(8, 8, "s[t] = 1; __syncthreads(); copy(s, 0, 0, 256);" + kWait), "race");
  EXPECT_TRUE(said("with no proxy fence between them"));
  EXPECT_EQ(found(8, 8, "s[t] = 1; bulk_proxy_fence(); __syncthreads(); copy(s, 0, 0, 256);" + kWait), "");
}

TEST_F(EmulatorTensorCopy, CompletesTheBytesOfTheWholeBox) {
  EXPECT_EQ(found(8, 8, "copy(s, 4, 0, 256);" + kWait), "");
  EXPECT_EQ(found(8, 8, "copy(s, 4, 0, 128);" + kWait), "barrier_divergence");
  EXPECT_TRUE(said("128 bytes are expected and 256 are copied"));
}

TEST_F(EmulatorTensorCopy, NeedsAnAlignedPlaceWithRoom) {
  EXPECT_EQ(found(4, 4, "copy(s + 32, 0, 0, 64);" + kWait), "");
  EXPECT_EQ(found(4, 4, "copy(s + 16, 0, 0, 64);" + kWait), "misaligned_access");
  EXPECT_TRUE(said("its place begins at a multiple of 128 bytes"));
  EXPECT_EQ(found(8, 12, "copy(s, 0, 0, 384);" + kWait), "");
  EXPECT_EQ(found(8, 12, "copy(s + 64, 0, 0, 384);" + kWait), "out_of_bounds");
}

TEST_F(EmulatorTensorCopy, NeedsRowsOfWholeUnits) {
  EXPECT_EQ(found(4, 6, "copy(s, 0, 0, 96);" + kWait), "misaligned_access");
  EXPECT_TRUE(said("with rows of 24 bytes"));
}

TEST_F(EmulatorTensorCopy, BeginsAtAWholeUnitOfARow) {
  for (const char* const column : {"-5", "-1", "1", "2", "3", "6", "101"}) {
    EXPECT_EQ(found(4, 4, std::string("copy(s, ") + column + ", 0, 64);" + kWait), "misaligned_access");
    EXPECT_TRUE(said(std::string("which begins in column ") + column + ","));
  }
  for (const char* const column : {"-8", "-4", "4", "8", "100"})
    EXPECT_EQ(found(4, 4, std::string("copy(s, ") + column + ", 3, 64);" + kWait), "") << column;
}

TEST_F(EmulatorTensorCopy, HasItsParametersWord) {
  const std::string text =
      "__global__ void k(const float* A, const float* B, float* C, const __grid_constant__ int M, int N, int "
      "K) "
      "{ C[threadIdx.x] = M; }\n";
  const Outcome outcome = run(text, {8, 8, 8}, {.block = {64, 1}, .tile_x = 8, .tile_y = 8});
  EXPECT_EQ(outcome.product.findings_total, 0);
  EXPECT_EQ(outcome.product.C, std::vector<float>(64, 8.0F));
}

}  // namespace
}  // namespace tilewright
