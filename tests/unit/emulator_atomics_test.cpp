// SPDX-License-Identifier: MIT
//
// atomicAdd on shared memory and on C: its value, its counts, and what it races with; and the words that a
// thread says alone.
#include "tests/unit/emulated_source.h"

namespace tilewright {
namespace {

class EmulatorAtomics : public EmulatedSource {
 protected:
  // One block of 64 threads over a C of 64 elements; statements begin on line 3.
  std::string found(const std::string& statements) {
    outcome_ = run("__global__ void k" + kSignature + " {\n  const int t = threadIdx.x; float value = 0;\n" +
                       statements + "\n}\n",
                   {8, 8, 4}, {.block = {64, 1}, .tile_x = 8, .tile_y = 8});
    std::string kinds;
    for (const Finding& finding : outcome_.product.findings)
      if (kinds.find(name_of(finding.kind)) == std::string::npos)
        kinds += (kinds.empty() ? "" : " ") + std::string(name_of(finding.kind));
    return kinds;
  }
  Outcome outcome_;
};

TEST_F(EmulatorAtomics, AddInSharedMemory) {
  EXPECT_EQ(found("__shared__ float s; __shared__ int i; __shared__ unsigned u; __shared__ double d;\n"
                  "__shared__ unsigned long long l; if (t == 0) { s = 0; i = 5; u = 0; d = 0.5; l = 1; }\n"
                  "__syncthreads(); atomicAdd(&s, 1.0f); atomicAdd(&i, -1); atomicAdd(&u, 2u);\n"
                  "atomicAdd(&d, 1.0); atomicAdd(&l, 1ull); __syncthreads();\n"
                  "C[t] = s == 64 && i == -59 && u == 128 && d == 64.5 && l == 65;"),
            "");
  for (const float value : outcome_.product.C) EXPECT_EQ(value, 1.0F);
  EXPECT_EQ(outcome_.product.counts->shared_reads.accesses, (5 + 5) * 64);
  EXPECT_EQ(outcome_.product.counts->shared_writes.accesses, 5 + 5 * 64);
}

TEST_F(EmulatorAtomics, GivesWhatWasThere) {
  EXPECT_EQ(found("__shared__ int next; if (t == 0) next = 0; __syncthreads(); C[atomicAdd(&next, 1)] = 7;"),
            "");
}

TEST_F(EmulatorAtomics, OfEachKindInSharedMemory) {
  EXPECT_EQ(
      found(
          "__shared__ int lo, hi; __shared__ unsigned none, all, parity; __shared__ unsigned long long big;\n"
          "if (t == 0) { lo = 9; hi = -9; none = ~0u; all = 0; parity = 0; big = 5; } __syncthreads();\n"
          "atomicMin(&lo, t - 20); atomicMax(&hi, t - 20); atomicAnd(&none, ~(1u << t % 32));\n"
          "atomicOr(&all, 1u << t % 32); atomicXor(&parity, 1u << t % 32); atomicMax(&big, 7ull * t);\n"
          "__syncthreads(); C[t] = lo == -20 && hi == 43 && none == 0 && all == ~0u && parity == 0 && "
          "big == 441;"),
      "");
  for (const float value : outcome_.product.C) EXPECT_EQ(value, 1.0F);
  EXPECT_EQ(outcome_.product.counts->shared_writes.accesses, 6 + 6 * 64);
}

// A float's maximum by atomicCAS, as people write it; one thread after another draws a number and gives it back.
TEST_F(EmulatorAtomics, CompareAndSwapAndExchange) {
  EXPECT_EQ(
      found(
          "__shared__ float most; __shared__ unsigned drawn; __shared__ float last;\n"
          "if (t == 0) { most = 0; drawn = 100; last = -1; } __syncthreads();\n"
          "int* place = reinterpret_cast<int*>(&most); int old = __float_as_int(0.0f), seen;\n"
          "do { seen = old; old = atomicCAS(place, seen, __float_as_int(fmaxf(t, __int_as_float(seen)))); }\n"
          "while (old != seen); const unsigned mine = atomicSub(&drawn, 1u);\n"
          "const float before = atomicExch(&last, float(t)); __syncthreads();\n"
          "C[t] = most == 63 && drawn == 36 && mine > 36 && before != t && last >= 0;"),
      "");
  for (const float value : outcome_.product.C) EXPECT_EQ(value, 1.0F);
}

TEST_F(EmulatorAtomics, RaceWithPlainAccesses) {
  const std::string begin = "__shared__ float s; if (t == 0) s = 0; __syncthreads(); ";
  const std::string end = " __syncthreads(); C[t] = value;";
  EXPECT_EQ(found(begin + "atomicAdd(&s, 1.0f); value = s;" + end), "race");
  EXPECT_EQ(found(begin + "value = s; atomicAdd(&s, 1.0f);" + end), "race");
  EXPECT_EQ(found(begin + "if (t == 9) s = 1; else atomicAdd(&s, 1.0f);" + end), "race");
  EXPECT_EQ(found("__shared__ float s; if (t == 0) s = 0; atomicAdd(&s, 1.0f);" + end), "race");
  EXPECT_EQ(found(begin + "atomicAdd(&s, 1.0f); __syncthreads(); if (t == 9) s = 1;" + end), "");
}

TEST_F(EmulatorAtomics, OfUnwrittenSharedMemory) {
  EXPECT_EQ(found("__shared__ float s; atomicAdd(&s, 1.0f); C[t] = 0;"), "uninitialized_shared_read");
}

TEST_F(EmulatorAtomics, SeveralWritersOfCAreNoDoubleWrite) {
  EXPECT_EQ(found("C[t] = 0; __syncthreads(); atomicAdd(&C[t / 2], 1.0f);"), "");
  EXPECT_EQ(outcome_.product.C[0], 2.0F);
  EXPECT_EQ(outcome_.product.counts->global_writes.elements, 128);
  EXPECT_EQ(outcome_.product.counts->global_reads.elements, 64);
  EXPECT_EQ(found("C[t] = 0; atomicAdd(&C[t ^ 1], 1.0f);").find("race") == std::string::npos, false);
  EXPECT_EQ(found("atomicAdd(&C[t], 1.0f);"), "uninitialized_output_read");
  EXPECT_EQ(found("C[t] = 0; __syncthreads(); atomicAdd(&C[t ^ 1], 1.0f); C[t] = 1;"), "race double_write");
}

TEST_F(EmulatorAtomics, OutOfBoundsAndOnAnInput) {
  EXPECT_EQ(found("C[t] = 0; __syncthreads(); if (t == 0) atomicAdd(C + 64, 1.0f);"), "out_of_bounds");
  EXPECT_EQ(found("C[t] = 0; if (t == 0) atomicAdd(const_cast<float*>(A), 1.0f);"), "input_modified");
}

TEST_F(EmulatorAtomics, WordsOfOneThread) {
  EXPECT_EQ(found("const long long begin = clock64(); __threadfence(); __threadfence_block(); "
                  "__threadfence_system(); C[t] = clock64() > begin;"),
            "");
  EXPECT_EQ(outcome_.product.C[5], 1.0F);
}

TEST_F(EmulatorAtomics, LambdasTemplatesAndDeviceFunctions) {
  const std::string text =
      "#include <algorithm>\n__constant__ float table[4] = {0, 1, 2, 3};\n"
      "template <class F> __device__ __noinline__ float apply(F f, float x) { return f(x); }\n"
      "struct Scale { float by; __device__ float operator()(float x) const { return x * by; } };\n"
      "template <int T, typename Real> __global__ void k" +
      kSignature +
      " {\n"
      "  const int row = blockIdx.y * T + threadIdx.y, column = blockIdx.x * T + threadIdx.x;\n"
      "  if (row >= M || column >= N) return;\n"
      "  Real sum = table[0];\n"
      "  auto term = [&](int i) { return apply(Scale{B[i * N + column]}, A[row * K + i]) * table[1]; };\n"
      "  for (int i = 0; i < K; ++i) sum += term(i);\n"
      "  C[row * N + column] = sum;\n"
      "}\n";
  EXPECT_EQ(summary(run(text, {9, 10, 8}, {.name = "k<4, float>"})), "PASS");
}

}  // namespace
}  // namespace tilewright
