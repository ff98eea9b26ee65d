// SPDX-License-Identifier: MIT
//
// CUDA C++ as people write it: each word has its meaning and its exact count of accesses, in a file that is
// compiled as it is.
#include "tests/unit/emulated_source.h"

namespace tilewright {
namespace {

class EmulatorWords : public EmulatedSource {};

const Shape kShape{9, 10, 8};
constexpr std::int64_t kOutputs = 90, kTerms = 720;

TEST_F(EmulatorWords, NamesLikeRefusedOnesAreOrdinaryNames) {
  const std::string statement =
      "float half = 0, asm_count = 0, atomic_size = 0, cuda_like = 0, clock = 0; /* atomicAdd(asm) */ "
      "const char* text = \"atomicAdd <<< __syncwarp\"; sum += half + asm_count + atomic_size + cuda_like + "
      "clock + "
      "0 * text[0];  // __shfl_sync";
  EXPECT_EQ(summary(run(direct_kernel(statement), kShape)), "PASS");
}

TEST_F(EmulatorWords, HeadersAndQualifiersOfAUsualFile) {
  const std::string text =
      "#include <cuda_runtime.h>\n#include <cuda.h>\n#include <device_launch_parameters.h>\n#include "
      "<cstdio>\n"
      "#define TILE 4\n"
      "__constant__ float zero[2] = {0.0f, 0.0f};\n"
      "__host__ __device__ __forceinline__ float times(float a, float b) { return a * b; }\n"
      "__device__ float plus(float a, float b);\n"
      "extern \"C\" __global__ void __launch_bounds__(TILE* TILE, 2)\n"
      "    k(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int M, int N, "
      "int K) {\n"
      "  dim3 extent = blockDim;\n"
      "  const unsigned row = blockIdx.y * extent.y + threadIdx.y, column = blockIdx.x * extent.x + "
      "threadIdx.x;\n"
      "  if (row >= unsigned(M) || column >= unsigned(N)) return;\n"
      "  float sum = zero[0];\n"
      "#pragma unroll 4\n"
      "  for (int i = 0; i < K; ++i) sum = plus(sum, times(__ldg(&A[row * K + i]), __ldg(B + i * N + "
      "column)));\n"
      "  C[row * N + column] = sum + 0 * (extent.z + gridDim.z + warpSize);\n"
      "}\n"
      "__device__ float plus(float a, float b) { return a + b; }\n";
  const Outcome outcome = run(text, kShape);
  EXPECT_EQ(summary(outcome), "PASS");
  EXPECT_EQ(outcome.product.counts->global_reads.elements, 2 * kTerms);
  EXPECT_EQ(outcome.product.counts->global_writes.elements, kOutputs);
  EXPECT_EQ(outcome.product.counts->shared_reads.elements, 0);
}

TEST_F(EmulatorWords, BuiltInVariables) {
  // Each of them is wrong for some thread unless x, y and z, thread and block, extent and index are kept
  // apart.
  const std::string statement =
      "  if (gridDim.x != (N + 4) / 5 || gridDim.y != (M + 2) / 3 || gridDim.z != 1 || blockDim.x != 5 || "
      "blockDim.y != 3 || blockDim.z != 1 || threadIdx.z != 0 || blockIdx.z != 0 || warpSize != 32 || "
      "threadIdx.x >= 5 || threadIdx.y >= 3 || blockIdx.x >= gridDim.x || blockIdx.y >= gridDim.y) sum = -1;";
  EXPECT_EQ(summary(run(direct_kernel(statement), {10, 17, 4}, {.block = {5, 3}, .tile_x = 5, .tile_y = 3})),
            "PASS");
}

TEST_F(EmulatorWords, MinimaMaximaAndBits) {
  const std::string statement =
      "  if (min(3, 5) != 3 || max(3, 5) != 5 || min(3u, 5) != 3u || max(-2.5f, 1.0f) != 1.0f || "
      "min(-2.5, 1.0) != -2.5 || __float_as_uint(1.0f) != 0x3f800000u || __uint_as_float(0x40000000u) != "
      "2.0f || "
      "__float_as_int(-0.0f) != int(0x80000000u) || __fmaf_rn(2.0f, 3.0f, 4.0f) != 10.0f || fmaf(2, 3, 4) != "
      "10.0f) "
      "sum = -1;";
  EXPECT_EQ(summary(run(direct_kernel(statement), {3, 3, 3})), "PASS");
}

// C[i] = A[i] where K = N: four elements a thread, moved as one float4.
std::string copy_by_four(const std::string& move) {
  return "#include <string.h>\n__global__ void k" + kSignature +
         " {\n"
         "  const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);\n"
         "  if (blockIdx.y != 0 || i >= M * N) return;\n" +
         move + "\n}\n";
}

const KernelAs kCopy{.block = {8, 1}, .tile_x = 1, .tile_y = 1000};

TEST_F(EmulatorWords, AFloat4IsOneAccessOfFourElements) {
  const Outcome outcome =
      run(copy_by_four("reinterpret_cast<float4*>(C)[i / 4] = reinterpret_cast<const float4*>(A)[i / 4];"),
          {8, 12, 12}, kCopy);
  EXPECT_EQ(outcome.product.C, operands_.A.values);
  EXPECT_TRUE(outcome.product.findings.empty()) << summary(outcome);
  const Counts& counts = *outcome.product.counts;
  EXPECT_EQ(counts.global_reads.accesses, 24);
  EXPECT_EQ(counts.global_reads.elements, 96);
  EXPECT_EQ(counts.global_writes.accesses, 24);
  EXPECT_EQ(counts.global_writes.elements, 96);
}

TEST_F(EmulatorWords, PartsOfAFloat4AndFloat2) {
  const Outcome outcome =
      run(copy_by_four(
              "float4 v = __ldg(reinterpret_cast<const float4*>(A + i)); float4 w = make_float4(v.x, v.y, "
              "v.z, v.w);"
              "*reinterpret_cast<float2*>(C + i) = make_float2(w.x, w.y); C[i + 2] = w.z; C[i + 3] = w.w;"),
          {8, 12, 12}, kCopy);
  EXPECT_EQ(outcome.product.C, operands_.A.values);
  const Counts& counts = *outcome.product.counts;
  EXPECT_EQ(counts.global_reads.accesses, 24);
  EXPECT_EQ(counts.global_reads.elements, 96);
  EXPECT_EQ(counts.global_writes.accesses, 3 * 24);
  EXPECT_EQ(counts.global_writes.elements, 96);
}

TEST_F(EmulatorWords, AMisalignedFloat4IsAFinding) {
  const Outcome outcome = run(copy_by_four("if (i + 4 < M * N) *reinterpret_cast<float4*>(C + i) = "
                                           "*reinterpret_cast<const float4*>(A + i + 1);"),
                              {8, 12, 12}, kCopy);
  EXPECT_EQ(outcome.verdict.text(), "FAIL(misaligned_access)");
}

TEST_F(EmulatorWords, MemcpyIsWatched) {
  // Of a constant size the compiler makes loads and stores of it, of another one a call: both are counted.
  for (const std::string bytes : {"16", "4 * min(4, M * N - i)"}) {
    const Outcome outcome =
        run(copy_by_four("float t[4]; memcpy(t, A + i, " + bytes + "); memcpy(C + i, t, " + bytes + ");"),
            {8, 12, 12}, kCopy);
    EXPECT_EQ(outcome.product.C, operands_.A.values) << bytes;
    EXPECT_TRUE(outcome.product.findings.empty()) << summary(outcome);
    EXPECT_EQ(outcome.product.counts->global_reads.elements, 96) << bytes;
    EXPECT_EQ(outcome.product.counts->global_writes.elements, 96) << bytes;
  }
}

TEST_F(EmulatorWords, AMemcpyThatReadsAndWritesGlobalMemoryCountsAsBoth) {
  const Outcome outcome = run(copy_by_four("memcpy(C + i, A + i, 4 * min(4, K));"), {8, 12, 12}, kCopy);
  EXPECT_EQ(outcome.product.C, operands_.A.values);
  EXPECT_EQ(outcome.product.counts->global_reads.elements, 96);
  EXPECT_EQ(outcome.product.counts->global_writes.elements, 96);
}

TEST_F(EmulatorWords, MemcpyOutOfBoundsIsAFinding) {
  const Outcome outcome = run(copy_by_four("int bytes = 4 * min(8, K); float t[12]; memcpy(t, A + i, bytes);"
                                           "memcpy(C + i, t, 16);"),
                              {8, 12, 12}, kCopy);
  EXPECT_EQ(outcome.verdict.text(), "FAIL(out_of_bounds)");
  EXPECT_EQ(outcome.product.findings.front().buffer, "A");
  EXPECT_EQ(outcome.product.findings.front().index, 96);
}

TEST_F(EmulatorWords, AOneDimensionalBlock) {
  const std::string text = "template <int T>\n__global__ void tiled" + kSignature +
                           " {\n"
                           "  __shared__ float As[T * T], Bs[T][T + 1];\n"
                           "  const int x = threadIdx.x % T, y = threadIdx.x / T;\n"
                           "  const int row = blockIdx.y * T + y, column = blockIdx.x * T + x;\n"
                           "  float sum = 0.f;\n"
                           "  for (int k0 = 0; k0 < K; k0 += T) {\n"
                           "    As[y * T + x] = row < M && k0 + x < K ? A[row * K + k0 + x] : 0.f;\n"
                           "    Bs[y][x] = k0 + y < K && column < N ? B[(k0 + y) * N + column] : 0.f;\n"
                           "    __syncthreads();\n"
                           "    for (int k = 0; k < T; ++k) sum += As[y * T + k] * Bs[k][x];\n"
                           "    __syncthreads();\n"
                           "  }\n"
                           "  if (row < M && column < N) C[row * N + column] = sum;\n"
                           "}\n";
  const Outcome outcome =
      run(text, {17, 19, 23}, {.name = "tiled<16>", .block = {256, 1}, .tile_x = 16, .tile_y = 16});
  EXPECT_EQ(summary(outcome), "PASS");
  EXPECT_EQ(outcome.product.counts->global_reads.elements, 1656);
  EXPECT_EQ(outcome.product.counts->shared_reads.elements, 65536);
  EXPECT_EQ(outcome.product.counts->shared_writes.elements, 4096);
}

}  // namespace
}  // namespace tilewright
