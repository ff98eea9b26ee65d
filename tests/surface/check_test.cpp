// SPDX-License-Identifier: MIT
//
// tilewright check: what was planned is what passed, failed and was skipped; records that read back; a plan
// that would prove nothing is rejected, and a broken kernel fails.
#include "tests/surface/command.h"

namespace tilewright {
namespace {

class SurfaceCheck : public Command {
 protected:
  // Runs with --json and adds up what it says.
  SurfaceJson check(Arguments arguments, int status) const {
    arguments.insert(arguments.begin(), "check");
    arguments.emplace_back("--json");
    SCOPED_TRACE(text_of(arguments));
    const ProcessResult result = tilewright(arguments);
    EXPECT_EQ(result.exit_status, status) << result.out << result.err;
    const SurfaceJson json = object_of(result.out);
    for (const char* key : {"verdict", "planned", "passed", "failed", "skipped"})
      EXPECT_TRUE(json.contains(key)) << key << " in " << result.out;
    return json;
  }

  static void expect_sums(const SurfaceJson& json, int planned, int passed, int failed, int skipped) {
    EXPECT_EQ(json.value("planned", -1), planned);
    EXPECT_EQ(json.value("passed", -1), passed);
    EXPECT_EQ(json.value("failed", -1), failed);
    EXPECT_EQ(json.value("skipped", -1), skipped);
    EXPECT_EQ(planned, passed + failed + skipped);
  }
};

const Arguments kUserKernel{"--block",  "16x16",          "--tile",   "16x16",
                            "--shapes", "17x19x23,5x5x5", "--inputs", "ones,uniform"};

TEST_F(SurfaceCheck, KernelsTimesShapesTimesInputs) {
  const SurfaceJson json =
      check({"direct", "shared_tile_8", "--shapes", "17x19x23,5x7x9", "--inputs", "ones,uniform,coded"}, 0);
  EXPECT_EQ(json.value("verdict", ""), "PASS");
  expect_sums(json, 12, 12, 0, 0);
  ASSERT_EQ(json.at("kernels").size(), 2U);
  EXPECT_EQ(json.at("kernels")[0].at("kernel"), "direct");
  EXPECT_EQ(json.at("kernels")[0].at("passed"), 6);
  EXPECT_EQ(json.at("kernels")[1].at("verdict"), "PASS");
}

TEST_F(SurfaceCheck, InProseEndsWithTheSums) {
  const ProcessResult result =
      tilewright({"check", "direct", "--shapes", "17x19x23", "--inputs", "ones,uniform"});
  EXPECT_EQ(result.exit_status, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_TRUE(result.out.ends_with("\n2 planned, 2 passed, 0 failed, 0 skipped: PASS\n")) << result.out;
}

TEST_F(SurfaceCheck, DeclaredCasesAreRunOrSkippedByRule) {
  const SurfaceJson json =
      check({"shared_tile_32", "--shapes", "30000x64x64,17x19x23", "--inputs", "uniform"}, 0);
  expect_sums(json, 2, 1, 0, 1);
  EXPECT_NE(json.dump().find("M '30000': must be an integer from 1 to 4096"), std::string::npos);
}

TEST_F(SurfaceCheck, WhatDidNotRunHasNotPassed) {
  const SurfaceJson json = check({"direct", "--shapes", "30000x64x64", "--inputs", "uniform"}, 3);
  expect_sums(json, 1, 0, 0, 1);
  EXPECT_EQ(json.value("verdict", "").rfind("UNSUPPORTED(", 0), 0U) << json.dump();
  EXPECT_EQ(json.dump().find("\"PASS\""), std::string::npos) << json.dump();
}

TEST_F(SurfaceCheck, OnTheCpuDevice) {
  const SurfaceJson json = check({"--device", "cpu", "--shapes", "17x19x23", "--inputs", "uniform,coded"}, 0);
  expect_sums(json, 2, 2, 0, 0);
  EXPECT_EQ(json.at("kernels")[0].at("kernel"), "openblas");
}

TEST_F(SurfaceCheck, OnGivenMatrices) {
  Matrix A(3, 4), B(4, 2);
  for (std::size_t i = 0; i < 12; ++i) A.values[i] = 0.1F * static_cast<float>(i % 7) - 0.3F;
  for (std::size_t i = 0; i < 8; ++i) B.values[i] = 0.9F - 0.13F * static_cast<float>(i);
  const SurfaceJson json = check({"direct", "--operands", put_matrix(A, "A.npy"), put_matrix(B, "B.npy"),
                                  "--shapes", "17x19x23", "--inputs", "uniform"},
                                 0);
  expect_sums(json, 2, 2, 0, 0);
  EXPECT_NE(json.dump().find("\"operands\""), std::string::npos);
}

TEST_F(SurfaceCheck, WritesRecordsOfEveryCell) {
  const std::string out = path("records.jsonl");
  const SurfaceJson json = check({"direct", "shared_tile_8", "--shapes", "17x19x23,30000x1x1", "--inputs",
                                  "ones,uniform", "--seed", "5", "--out", out},
                                 0);
  expect_sums(json, 6, 4, 0, 2);
  std::istringstream lines(whole_file(out));
  std::vector<SurfaceJson> records;
  for (std::string line; std::getline(lines, line);) {
    records.push_back(object_of(line));
    EXPECT_EQ(records.back().value("schema", 0), 1) << line;
    EXPECT_EQ(line.find("nan"), std::string::npos);
    EXPECT_EQ(line.find("inf"), line.find("info")) << line;
  }
  ASSERT_EQ(records.size(), 5U);
  EXPECT_EQ(records[0].value("record", ""), "run");
  EXPECT_EQ(records[0].at("planned"), 4);
  EXPECT_EQ(records[0].at("skipped").size(), 2U);
  EXPECT_EQ(records[0].at("environment").at("device"), "emulator");
  for (std::size_t i = 1; i < 5; ++i) {
    EXPECT_EQ(records[i].value("record", ""), "cell");
    EXPECT_EQ(records[i].value("verdict", ""), "PASS");
    EXPECT_EQ(records[i].value("seed", 0), 5);
    EXPECT_EQ(records[i].at("predicted").at("global_reads"), records[i].at("global_reads"));
  }
  EXPECT_EQ(files().size(), 1U) << "a temporary file is left";
}

TEST_F(SurfaceCheck, RejectsAPlanThatProvesNothing) {
  const std::string out = path("records.jsonl");
  const SurfaceJson json = check({"direct", "--shapes", "5x5x5", "--inputs", "zeros,ones", "--out", out}, 2);
  EXPECT_EQ(json.value("verdict", ""), "REJECTED(plan)");
  EXPECT_EQ(json.value("planned", -1), 2);
  EXPECT_EQ(json.value("passed", -1), 0);
  EXPECT_NE(json.value("reason", "").find("transposed"), std::string::npos) << json.dump();
  EXPECT_TRUE(files().empty());
  expect_refused({"check", "direct", "--shapes", "5x5x5", "--inputs", "zeros"},
                 {"REJECTED(plan)", "5x5x5", "zero_result"});
}

TEST_F(SurfaceCheck, AUsersFile) {
  Arguments arguments{copy_data("tiled.cu", "a folder/tiled.cu"), "--kernel", "tiled<16>"};
  arguments.insert(arguments.end(), kUserKernel.begin(), kUserKernel.end());
  const SurfaceJson json = check(arguments, 0);
  EXPECT_EQ(json.value("verdict", ""), "PASS");
  expect_sums(json, 4, 4, 0, 0);
}

TEST_F(SurfaceCheck, ABrokenUsersFileFails) {
  const std::string out = path("records.jsonl");
  Arguments arguments{copy_data("racy.cu", "racy.cu"), "--kernel", "racy", "--out", out};
  arguments.insert(arguments.end(), kUserKernel.begin(), kUserKernel.end());
  const SurfaceJson json = check(arguments, 1);
  EXPECT_EQ(json.value("verdict", ""), "FAIL(race)");
  expect_sums(json, 4, 0, 4, 0);
  EXPECT_EQ(json.at("failures").size(), 4U);
  const std::string records = whole_file(out);
  EXPECT_NE(records.find("\"FAIL(race)\""), std::string::npos) << "records are written for failures too";
  EXPECT_EQ(records.find("\"PASS\""), std::string::npos);
  arguments.insert(arguments.begin(), "check");
  const ProcessResult prose = tilewright(arguments);
  EXPECT_EQ(prose.exit_status, 1);
  EXPECT_NE(prose.out.find(path("racy.cu") + ":"), std::string::npos) << prose.out;
  EXPECT_TRUE(prose.out.ends_with("4 planned, 0 passed, 4 failed, 0 skipped: FAIL(race)\n")) << prose.out;
}

// Found out before the work, not after it.
TEST_F(SurfaceCheck, AFolderIsNoPlaceForRecords) {
  std::filesystem::create_directory(path("folder"));
  expect_refused({"check", "direct", "--shapes", "5x5x5", "--inputs", "uniform", "--out", path("folder")},
                 {"'" + path("folder") + "'"});
}

}  // namespace
}  // namespace tilewright
