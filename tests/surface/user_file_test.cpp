// SPDX-License-Identifier: MIT
//
// What is wrong with a user's kernel file or with how it is called: status 2 and a line that names it. Only
// what the compiler says stands above that line.
#include "tests/surface/command.h"

namespace tilewright {
namespace {

class SurfaceUserFile : public Command {
 protected:
  static Arguments trace(const std::string& file, const std::string& kernel = "tiled<16>",
                         const std::string& block = "16x16", const std::string& tile = "16x16") {
    return {"trace", file, "--kernel", kernel, "--block", block, "--tile", tile, "--shape", "5x5x5"};
  }
};

TEST_F(SurfaceUserFile, NeedsKernelBlockAndTile) {
  const std::string file = copy_data("tiled.cu", "tiled.cu");
  expect_refused({"trace", file, "--shape", "5x5x5"}, {"--kernel", "is needed"});
  expect_refused({"trace", file, "--shape", "5x5x5", "--kernel", "tiled<16>"}, {"--block", "is needed"});
  expect_refused({"trace", file, "--shape", "5x5x5", "--kernel", "tiled<16>", "--block", "16x16"},
                 {"--tile", "is needed"});
  expect_refused({"check", file, "--shapes", "5x5x5"}, {"--kernel", "is needed"});
}

TEST_F(SurfaceUserFile, BlocksAndTilesAreReadStrictly) {
  const std::string file = copy_data("tiled.cu", "tiled.cu");
  for (const std::string block : {"16x", "0x16", "16x16x1", "16,16", "-16x16", "16X16", "x"})
    expect_refused(trace(file, "tiled<16>", block), {"--block '" + block + "'"});
  for (const std::string tile : {"16", "16x", "0x16", "16x16x1"})
    expect_refused(trace(file, "tiled<16>", "16x16", tile), {"--tile '" + tile + "'"});
  expect_refused(trace(file, "tiled<16>", "64x32"), {"--block '64x32'", "at most 1024 threads"});
  expect_refused(trace(file, "tiled<16>", "99999999999x99999999999"), {"--block", "at most 1024 threads"});
  expect_refused(trace(file, "tiled<16>", "16x16", "16x1048577"), {"--tile '16x1048577'", "1048576"});
}

Arguments with(Arguments arguments, const std::string& option, const std::string& value) {
  arguments.insert(arguments.end(), {option, value});
  return arguments;
}

TEST_F(SurfaceUserFile, DynamicSharedMemoryAndSignaturesAreReadStrictly) {
  const std::string file = copy_data("tiled.cu", "tiled.cu");
  for (const std::string bytes : {"-1", "1.5", "2k", "232449", "99999999999999999999", ""})
    expect_refused(with(trace(file), "--dynamic-shared", bytes), {"--dynamic-shared"});
  expect_refused(with(trace(file), "--dynamic-shared", "232449"), {"'232449'", "from 0 to 232448"});
  for (const std::string signature : {"gemm", "SGEMM", ""})
    expect_refused(with(trace(file), "--signature", signature), {"--signature", "matmul", "sgemm"});
  expect_refused(with(trace(file), "--signature", "sgemm"), {"--kernel 'tiled<16>'", "float alpha"});
  expect_refused({"trace", "direct", "--shape", "5x5x5", "--dynamic-shared", "64"},
                 {"--dynamic-shared", "belong to a kernel file"});
  expect_refused({"trace", "direct", "--shape", "5x5x5", "--signature", "sgemm"},
                 {"--signature", "belong to a kernel file"});
}

TEST_F(SurfaceUserFile, DynamicSharedMemoryAndSignaturesAreTaken) {
  const std::string folder = TILEWRIGHT_SOURCE_DIR "/tests/user_kernels/";
  for (const char* bytes : {"2048", "232448"})
    EXPECT_EQ(
        tilewright(with(trace(folder + "08_dynamic_shared.cu", "matmul_dynamic"), "--dynamic-shared", bytes))
            .exit_status,
        0);
  // One element too few: the last one is out of bounds.
  const ProcessResult little =
      tilewright(with(trace(folder + "08_dynamic_shared.cu", "matmul_dynamic"), "--dynamic-shared", "2044"));
  EXPECT_EQ(little.exit_status, 1);
  EXPECT_NE(little.out.find("FAIL(out_of_bounds)"), std::string::npos) << little.out;
  EXPECT_EQ(tilewright(with(trace(folder + "01_shared_1d_block.cu", "sgemm_shared<16>", "256"), "--signature",
                            "sgemm"))
                .exit_status,
            0);
}

TEST_F(SurfaceUserFile, ThatIsNotThereOrEmpty) {
  expect_refused(trace(path("none.cu")), {"kernel file '" + path("none.cu") + "'", "is not a file"});
  expect_refused(trace(put("", "empty.cu")), {"empty.cu'", "is empty"});
  expect_refused(trace(path("")), {"is not a file"});
  expect_refused_as_json(trace(path("none.cu")));
}

TEST_F(SurfaceUserFile, WithoutTheKernel) {
  const std::string file = copy_data("tiled.cu", "tiled.cu");
  expect_refused(trace(file, "tilled<16>"),
                 {"--kernel 'tilled<16>'", "did you mean tiled?", "has these kernels: tiled"});
  expect_refused(trace(file, "x; system(\"true\")"), {"--kernel", "must be the name of a kernel"});
  expect_refused(trace(file, ""), {"--kernel"});
}

TEST_F(SurfaceUserFile, WithWhatTheEmulatorLacks) {
  const std::string signature = "(const float* A, const float* B, float* C, int M, int N, int K)";
  const std::string file =
      put("__global__ void k" + signature + " {\n  atomicAdd_block(C, A[0]);\n}\n", "atomic.cu");
  expect_refused(trace(file, "k"), {file + ":2 'atomicAdd_block'", "does not offer yet"});
  expect_refused_as_json(trace(file, "k"));
  expect_refused(trace(put("#include <mma.h>\n", "mma.cu"), "k"), {"mma.cu:1", "#include <mma.h>"});
}

TEST_F(SurfaceUserFile, ThatDoesNotCompileShowsTheCompilersWordsFirst) {
  const std::string file =
      put("__global__ void k(const float* A, const float* B, float* C, int M, int N, int K) {\n"
          "  C[0] = undeclared;\n}\n",
          "broken.cu");
  const auto before = files();
  const ProcessResult result = tilewright(trace(file, "k"));
  EXPECT_EQ(result.exit_status, 2);
  EXPECT_EQ(result.out, "");
  const std::size_t last = result.err.rfind("\ntilewright: ") + 1;
  EXPECT_EQ(result.err.find("tilewright: "), last) << "more than one line begins so:\n" << result.err;
  const std::string line = result.err.substr(last);
  EXPECT_NE(line.find(file + ":2:"), std::string::npos) << line;
  EXPECT_NE(line.find("undeclared"), std::string::npos) << line;
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  EXPECT_NE(result.err.substr(0, last).find(file + ":2:"), std::string::npos) << result.err;
  EXPECT_TRUE(files() == before);
}

TEST_F(SurfaceUserFile, ThatDoesNotCompileIsOneObjectWithJson) {
  Arguments arguments = trace(put("__global__ void k(\n", "broken.cu"), "k");
  arguments.emplace_back("--json");
  const ProcessResult result = tilewright(arguments);
  EXPECT_EQ(result.exit_status, 2);
  const SurfaceJson error = object_of(result.out).value("error", SurfaceJson::object());
  EXPECT_EQ(error.value("argument", ""), path("broken.cu"));
  EXPECT_NE(error.value("rule", "").find(path("broken.cu") + ":1:"), std::string::npos) << result.out;
}

TEST_F(SurfaceUserFile, IsCheckedAlone) {
  const std::string file = copy_data("tiled.cu", "tiled.cu");
  expect_refused({"check", file, "direct", "--kernel", "tiled<16>", "--block", "16x16", "--tile", "16x16"},
                 {file, "alone"});
}

TEST_F(SurfaceUserFile, WithACompilerThatIsNotThereIsUnavailable) {
  Arguments arguments = trace(copy_data("tiled.cu", "tiled.cu"));
  arguments.insert(arguments.end(), {"--compiler", "no-such-g++"});
  expect_refused(arguments, {"no-such-g++", "is not installed"}, 3);
}

}  // namespace
}  // namespace tilewright
