// SPDX-License-Identifier: MIT
//
// emulator/run/refuse.h on preprocessed text: words are found at their line, whatever stands around them, and
// what only looks like one of them is left alone.
#include <gtest/gtest.h>

#include "emulator/run/refuse.h"

namespace tilewright {
namespace {

KernelFileScan scan(const std::string& text) {
  return scan_kernel_file("# 1 \"user.cu\"\n" + text, "/own/folder");
}

std::string refused(const std::string& text) {
  const KernelFileScan result = scan(text);
  return result.refused
             ? result.refused->file + ":" + std::to_string(result.refused->line) + " " + result.refused->word
             : "";
}

TEST(EmulatorScan, NamesEachWordAtItsLine) {
  for (const std::string word : {"atomicAdd_block",
                                 "atomicExch_block",
                                 "atomicAdd_system",
                                 "__shfl_down",
                                 "__shfl",
                                 "__match_any_sync",
                                 "__reduce_add_sync",
                                 "__pipeline_memcpy_async",
                                 "cudaMalloc",
                                 "cudaMemcpy",
                                 "cudaDeviceSynchronize",
                                 "asm",
                                 "__asm__",
                                 "__nanosleep",
                                 "__trap",
                                 "__dp4a",
                                 "__managed__",
                                 "__cluster_dims__",
                                 "__ldcg",
                                 "__stcs",
                                 "__cvta_generic",
                                 "tex2D",
                                 "surf2Dread",
                                 "__syncthreads_or",
                                 "__activemask"})
    EXPECT_EQ(refused("void f() {\n  int x;\n  " + word + "(1);\n}\n"), "user.cu:3 " + word);
}

TEST(EmulatorScan, NamesWhatIsNotAWord) {
  EXPECT_EQ(refused("\nk<<<grid, block>>>(1);\n"), "user.cu:2 a kernel launch <<<...>>> (host code)");
}

TEST(EmulatorScan, TheFirstOfSeveral) {
  EXPECT_EQ(refused("a\natomicAdd_block(1);\nasm(0);\n"), "user.cu:2 atomicAdd_block");
}

TEST(EmulatorScan, LeavesAloneWhatOnlyLooksLikeThem) {
  for (const std::string word : {"half",
                                 "asm_count",
                                 "my_asm",
                                 "atomic_size",
                                 "atomic",
                                 "atomicity",
                                 "cuda_like",
                                 "cuda",
                                 "cudart",
                                 "clock",
                                 "tex",
                                 "texture",
                                 "surface",
                                 "__syncthreads",
                                 "__syncwarp",
                                 "__shfl_sync",
                                 "__shfl_down_sync",
                                 "__ballot_sync",
                                 "nanosleep",
                                 "syncwarp",
                                 "atomicAdd",
                                 "atomicCAS",
                                 "atomicMax",
                                 "clock64",
                                 "__noinline__",
                                 "__threadfence",
                                 "shfl",
                                 "a << b << c",
                                 "x < 1 && y > 2",
                                 "a<b<c>>",
                                 "thread_local float s[4]",
                                 "extern float s[4]",
                                 "extern thread_local float s[]"})
    EXPECT_EQ(refused("int f() { return " + word + "; }\n"), "") << word;
}

TEST(EmulatorScan, SkipsLiterals) {
  EXPECT_EQ(refused("const char* s = \"atomicAdd <<< asm\";\n"), "");
  EXPECT_EQ(refused("const char* s = \"a \\\" asm\"; char c = '\"'; char d = '\\''; int asm_count;\n"), "");
  EXPECT_EQ(refused("const char* s = \"text\"; asm(1);\n"), "user.cu:1 asm");
  EXPECT_EQ(refused("char c = '\"'; asm(1);\n"), "user.cu:1 asm");
  EXPECT_EQ(refused("const char* s = \"\\\\\"; asm(1);\n"), "user.cu:1 asm");
}

TEST(EmulatorScan, FollowsLineMarkers) {
  EXPECT_EQ(refused("\n# 40 \"own.h\" 1\nint x;\natomicAdd_block(1);\n"), "own.h:41 atomicAdd_block");
  EXPECT_EQ(refused("# 1 \"own.h\" 1\nint x;\n# 12 \"user.cu\" 2\n\nasm(1);\n"), "user.cu:13 asm");
  EXPECT_EQ(refused("# 7 \"a folder/user 2.cu\"\nasm(1);\n"), "a folder/user 2.cu:7 asm");
}

TEST(EmulatorScan, DoesNotJudgeSystemHeadersAndItsOwn) {
  EXPECT_EQ(refused("# 1 \"/usr/include/x.h\" 1 3\nasm(1);\n# 2 \"user.cu\" 2\nint x;\n"), "");
  EXPECT_EQ(refused("# 1 \"/usr/include/x.h\" 1 3 4\nasm(1);\n"), "");
  EXPECT_EQ(refused("# 1 \"/own/folder/cuda/prelude.h\" 1\nasm(1);\n"), "");
  EXPECT_EQ(refused("# 1 \"<command-line>\"\nasm(1);\n"), "");
  EXPECT_EQ(refused("#pragma asm\nint x;\n"), "");
}

// A folder whose name merely begins like the emulator's own is a user's.
TEST(EmulatorScan, JudgesAFolderThatIsNamedAlmostAsItsOwn) {
  EXPECT_EQ(refused("# 1 \"/own/folder2/user.cu\"\nasm(1);\n"), "/own/folder2/user.cu:1 asm");
}

TEST(EmulatorScan, ListsTheKernels) {
  using Names = std::vector<std::string>;
  const std::string global = "tilewright_global_function";
  EXPECT_EQ(scan(global + " void one(int);\n" + global + "\nvoid\ntwo (int) { f(1); }\n").kernels,
            (Names{"one", "two"}));
  EXPECT_EQ(scan("template <int T> static " + global + " void tiled(int) {}\nvoid helper(int) {}\n").kernels,
            (Names{"tiled"}));
  EXPECT_EQ(scan("extern \"C\" " + global + " void c_name(int);\n").kernels, (Names{"c_name"}));
  EXPECT_EQ(scan("void helper(int);\n").kernels, Names{});
  EXPECT_EQ(scan("").kernels, Names{});
}

TEST(EmulatorScan, KnowsTheToolkitsHeaders) {
  for (const char* name : {"mma.h", "cuda_fp16.h", "cuda_bf16.h", "cooperative_groups.h", "cuda/barrier",
                           "cooperative_groups/memcpy_async.h", "cublas_v2.h", "cutlass/gemm.h",
                           "cub/cub.cuh", "thrust/sort.h", "curand_kernel.h"})
    EXPECT_TRUE(is_cuda_header(name)) << name;
  for (const char* name : {"tile.h", "my_mma.h", "vector", "kernels/rung.h", ""})
    EXPECT_FALSE(is_cuda_header(name));
}

}  // namespace
}  // namespace tilewright
