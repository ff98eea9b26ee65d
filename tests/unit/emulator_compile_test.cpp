// SPDX-License-Identifier: MIT
//
// Where a user's kernel may be and how it may be called: templates, namespaces, headers beside it, any
// folder.
#include "tests/unit/emulated_source.h"

namespace tilewright {
namespace {

class EmulatorCompile : public EmulatedSource {};

const Shape kShape{9, 7, 5};

TEST_F(EmulatorCompile, TheModuleHasOneRungAsDeclared) {
  const std::string path = put(direct_kernel());
  const std::unique_ptr<KernelModule> module = compile(path, {.block = {8, 2}, .tile_x = 16, .tile_y = 3});
  ASSERT_EQ(module->rungs().size(), 1U);
  const Rung& rung = module->rungs().front();
  EXPECT_STREQ(rung.name, "k");
  EXPECT_EQ(rung.source, path);
  EXPECT_EQ(rung.block.x, 8);
  EXPECT_EQ(rung.block.y, 2);
  EXPECT_EQ(rung.tile.BN, 16);
  EXPECT_EQ(rung.tile.BM, 3);
  EXPECT_EQ(rung.grid_order, GridOrder::columns_along_x);
  EXPECT_EQ(rung.predict, nullptr);
  EXPECT_NE(rung.kernel, nullptr);
}

TEST_F(EmulatorCompile, ATemplateOfTwoArguments) {
  const std::string text = "template <int X, int Y>\n" +
                           direct_kernel("if (blockDim.x != X || blockDim.y != Y) sum = -1;", "tiled");
  const KernelAs as{.name = "tiled<4, 2>", .block = {4, 2}, .tile_x = 4, .tile_y = 2};
  EXPECT_EQ(summary(run(text, kShape, as)), "PASS");
}

TEST_F(EmulatorCompile, ATemplateOfAType) {
  const std::string text =
      "template <typename T, bool ADD>\n" + direct_kernel("if (!ADD || sizeof(T) != 8) sum = -1;", "typed");
  EXPECT_EQ(summary(run(text, kShape, {.name = "typed<double, true>"})), "PASS");
}

TEST_F(EmulatorCompile, AKernelInANamespace) {
  const std::string text =
      "namespace my {\nnamespace deep {\ntemplate <int T>\n" + direct_kernel("", "tiled") + "}\n}\n";
  EXPECT_EQ(summary(run(text, kShape, {.name = "my::deep::tiled<4>"})), "PASS");
  EXPECT_EQ(summary(run("namespace {\n" + direct_kernel() + "}\n", kShape)), "PASS");
  EXPECT_EQ(summary(run("static " + direct_kernel(), kShape, {.name = "::k"})), "PASS");
}

TEST_F(EmulatorCompile, AHeaderBesideIt) {
  put("#pragma once\n__device__ inline float same(float x) { return x; }\n", "own/inner.h");
  put("#include \"own/inner.h\"\n", "outer.h");
  EXPECT_EQ(summary(run("#include \"outer.h\"\n" + direct_kernel("sum = same(sum);"), kShape)), "PASS");
}

TEST_F(EmulatorCompile, AnyPath) {
  for (const std::string name : {"a folder/my kernel.cu", "ünï/kérnel.cu", "x.y.cu", "kernel.cuh", "plain",
                                 "it's.cu", "a%sb.cu", "semi;colon.cu", "dollar$HOME.cu"}) {
    const std::string path = put(direct_kernel(), name);
    const Outcome outcome = run_file(path, kShape);
    EXPECT_EQ(summary(outcome), "PASS") << name;
    ASSERT_FALSE(outcome.product.lines.empty()) << name;
    EXPECT_EQ(outcome.product.lines.front().file, path);
  }
}

TEST_F(EmulatorCompile, ARelativePath) {
  const std::string path = put(direct_kernel(), "rel.cu");
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(std::filesystem::path(path).parent_path());
  const Outcome outcome = run_file("rel.cu", kShape);
  std::filesystem::current_path(before);
  EXPECT_EQ(summary(outcome), "PASS");
  EXPECT_EQ(outcome.product.lines.front().file, path);
}

TEST_F(EmulatorCompile, WhatElseIsInTheFileDoesNotMatter) {
  const std::string text =
      "#include <iostream>\n#include <vector>\n" + direct_kernel() + direct_kernel("", "other") +
      "#include <cstdlib>\nint main() { std::vector<float> v(3); return int(v.size()); }\n";
  EXPECT_EQ(summary(run(text, kShape)), "PASS");
  std::string windows = direct_kernel();
  for (std::size_t at = 0; (at = windows.find('\n', at)) != std::string::npos; at += 2)
    windows.replace(at, 1, "\r\n");
  EXPECT_EQ(summary(run(windows, kShape)), "PASS");
}

TEST_F(EmulatorCompile, WarningsOfTheUsersFileAreTheirOwnMatter) {
  EXPECT_EQ(summary(run(direct_kernel("int unused; int other = 0; if (other = column) sum += 0;"), kShape)),
            "PASS");
}

// Leaves nothing in the temporary folder and nothing beside the user's file.
TEST_F(EmulatorCompile, LeavesNoFiles) {
  const std::string temporary = folder_.file("tmp");
  std::filesystem::create_directory(temporary);
  const std::string path = put(direct_kernel(), "alone/user.cu");
  setenv("TMPDIR", temporary.c_str(), 1);
  const std::unique_ptr<KernelModule> module = compile(path);
  unsetenv("TMPDIR");
  EXPECT_TRUE(std::filesystem::is_empty(temporary));
  const std::filesystem::directory_iterator beside(std::filesystem::path(path).parent_path());
  EXPECT_EQ(std::distance(beside, std::filesystem::directory_iterator()), 1);
}

}  // namespace
}  // namespace tilewright
