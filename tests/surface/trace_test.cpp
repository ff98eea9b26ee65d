// SPDX-License-Identifier: MIT
//
// tilewright trace: the exact counts that checks rely on, and a user's own file, wherever it lies.
#include <sstream>

#include "tests/surface/command.h"

namespace tilewright {
namespace {

class SurfaceTrace : public Command {
 protected:
  static Arguments user_trace(const std::string& file, const std::string& kernel, Arguments more = {}) {
    Arguments arguments{"trace",  file,    "--kernel", kernel,     "--block", "16x16",
                        "--tile", "16x16", "--shape",  "17x19x23", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
};

// The counts of MK⌈N/T⌉ + KN⌈M/T⌉ and of 2T³ a block and phase.
void expect_counts(const SurfaceJson& json, std::int64_t global_reads, std::int64_t global_writes,
                   std::int64_t shared_reads, std::int64_t shared_writes) {
  EXPECT_EQ(json.value("global_reads", -1), global_reads);
  EXPECT_EQ(json.value("global_writes", -1), global_writes);
  EXPECT_EQ(json.value("shared_reads", -1), shared_reads);
  EXPECT_EQ(json.value("shared_writes", -1), shared_writes);
}

int line_of(const std::string& path, const std::string& mark) {
  std::ifstream file(path);
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.find(mark) != std::string::npos) return number;
  }
  return 0;
}

TEST_F(SurfaceTrace, TheTraceThatMustBeSeen) {
  const ProcessResult result = tilewright({"trace", "shared_tile_16", "--shape", "17x19x23", "--json"});
  EXPECT_EQ(result.exit_status, 0);
  EXPECT_EQ(result.err, "");
  const SurfaceJson json = object_of(result.out);
  expect_counts(json, 1656, 323, 65536, 4096);
  EXPECT_EQ(json.value("verdict", ""), "PASS");
  EXPECT_EQ(json.value("schema", 0), 1);
  EXPECT_EQ(json.value("kernel", ""), "shared_tile_16");
  EXPECT_EQ(json.value("shape", SurfaceJson()), (SurfaceJson{17, 19, 23}));
  ASSERT_TRUE(json.contains("findings"));
  EXPECT_EQ(json["findings"], SurfaceJson::array());
  EXPECT_EQ(json.value("findings_total", -1), 0);
}

TEST_F(SurfaceTrace, ItsLinesAddUp) {
  const SurfaceJson json =
      object_of(tilewright({"trace", "shared_tile_16", "--shape", "17x19x23", "--json"}).out);
  std::map<std::string, std::int64_t> sums;
  ASSERT_TRUE(json.contains("lines"));
  for (const SurfaceJson& line : json["lines"]) {
    EXPECT_EQ(line.at("file"), "kernels/fp32/02_shared_tile.cu");
    EXPECT_GT(line.at("line").get<int>(), 0);
    EXPECT_EQ(line.at("accesses"), line.at("elements"));
    sums[line.at("space").get<std::string>() + "_" + line.at("op").get<std::string>() + "s"] +=
        line.at("elements").get<std::int64_t>();
  }
  EXPECT_EQ(sums.size(), 4U);
  for (const auto& [key, sum] : sums) EXPECT_EQ(json.value(key, -1), sum) << key;
}

TEST_F(SurfaceTrace, WholeTiles) {
  expect_counts(object_of(tilewright({"trace", "shared_tile_16", "--shape", "80x80x80", "--json"}).out),
                64000, 6400, 1024000, 64000);
}

TEST_F(SurfaceTrace, EveryRungCountsWhatItPredicts) {
  const SurfaceJson ladder = object_of(tilewright({"ladder", "--json"}).out);
  for (const SurfaceJson& rung : ladder.at("rungs")) {
    const ProcessResult result = tilewright(
        {"trace", rung.at("name"), "--shape", "5x7x9", "--order", "shuffled", "--seed", "3", "--json"});
    EXPECT_EQ(result.exit_status, 0) << result.out;
    EXPECT_EQ(object_of(result.out).value("verdict", ""), "PASS") << rung.at("name");
  }
}

TEST_F(SurfaceTrace, InProseSaysTheSame) {
  const ProcessResult result = tilewright({"trace", "shared_tile_16", "--shape", "17x19x23"});
  EXPECT_EQ(result.exit_status, 0);
  EXPECT_EQ(result.err, "");
  for (const char* part :
       {"shared_tile_16 at 17x19x23", "1,656", "65,536", "findings: none", "verdict: PASS\n"})
    EXPECT_NE(result.out.find(part), std::string::npos) << part << " in\n" << result.out;
}

// The line of the output that shows this source text.
std::string shown_line(const std::string& output, const std::string& source) {
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);)
    if (line.find(source) != std::string::npos) return line;
  return "";
}

TEST_F(SurfaceTrace, ShowsTheSourceWithItsAccessesInTheMargin) {
  const std::string out = tilewright({"trace", "shared_tile_16", "--shape", "32x32x32"}).out;
  // 32 phases' worth of tiles, each element loaded twice; 8 requests a tile of 2 rows of 64 bytes each.
  const std::string load = shown_line(out, "a[ty][tx] = row < M");
  EXPECT_EQ(load.rfind("global read ", 0), 0U) << load;
  for (const char* part : {" 2,048 ", " 2.0 ", " 64 ", " 32.00 ", " 4.00 ", "|  39 "})
    EXPECT_NE(load.find(part), std::string::npos) << part << " in " << load;
  const std::string loop = shown_line(out, "sum = fmaf(a[ty][k], b[k][tx], sum);");
  EXPECT_EQ(loop.rfind("shared read ", 0), 0U) << loop;
  for (const char* part : {" 65,536 ", " 16.0 ", " 2,048 "})
    EXPECT_NE(loop.find(part), std::string::npos) << part << " in " << loop;
  EXPECT_NE(shown_line(out, "__global__ void shared_tile("), "");
  EXPECT_EQ(out.find("uncoalesced"), std::string::npos);
  EXPECT_EQ(out.find("bank conflict"), std::string::npos);
}

TEST_F(SurfaceTrace, ShowsTheUncoalescedLineAtAGlance) {
  const std::string remark = "uncoalesced read: 270,336 sectors moved, 40,960 would hold what is asked for";
  EXPECT_NE(tilewright({"trace", "direct_rows", "--shape", "64x64x64"}).out.find(remark), std::string::npos);
  EXPECT_EQ(tilewright({"trace", "direct", "--shape", "64x64x64"}).out.find("uncoalesced"),
            std::string::npos);
}

TEST_F(SurfaceTrace, ShowsBankConflictsOfAColumnAndNoneOnceItIsPadded) {
  const std::string file = copy_data("transposed.cu", "transposed.cu");
  const auto trace = [&](const std::string& kernel) {
    return tilewright(
        {"trace", file, "--kernel", kernel, "--block", "32x32", "--tile", "32x32", "--shape", "64x64x64"});
  };
  const ProcessResult unpadded = trace("transposed<32>"), padded = trace("transposed<33>");
  EXPECT_EQ(unpadded.exit_status, 0) << unpadded.out;
  EXPECT_EQ(padded.exit_status, 0) << padded.out;
  EXPECT_NE(unpadded.out.find("32-way bank conflict of the write"), std::string::npos) << unpadded.out;
  EXPECT_EQ(padded.out.find("bank conflict"), std::string::npos) << padded.out;
}

TEST_F(SurfaceTrace, PutsTwoKernelsSideBySide) {
  const ProcessResult result =
      tilewright({"trace", "--compare", "direct_rows", "direct", "--shape", "64x64x64"});
  EXPECT_EQ(result.exit_status, 0);
  const std::string sectors = shown_line(result.out, "sectors  ");
  for (const char* part : {"270,336", "40,960", "0.152"})
    EXPECT_NE(sectors.find(part), std::string::npos) << part << " in " << sectors;
  const SurfaceJson json = object_of(
      tilewright({"trace", "--compare", "direct_rows", "direct", "--shape", "64x64x64", "--json"}).out);
  ASSERT_EQ(json.at("compare").size(), 2U);
  EXPECT_EQ(json["compare"][0].at("kernel"), "direct_rows");
  EXPECT_EQ(json["compare"][0].at("totals").at("global_reads").at("sectors"), 270336);
  EXPECT_EQ(json["compare"][1].at("totals").at("global_reads").at("sectors"), 40960);
}

TEST_F(SurfaceTrace, ComparesTwoKernelsOfOneFile) {
  const std::string file = copy_data("transposed.cu", "transposed.cu");
  const SurfaceJson json = object_of(
      tilewright({"trace", "--compare", file, file, "--kernel", "transposed<32>", "--second-kernel",
                  "transposed<33>", "--block", "32x32", "--tile", "32x32", "--shape", "64x64x64", "--json"})
          .out);
  ASSERT_TRUE(json.contains("compare")) << json.dump();
  EXPECT_EQ(json["compare"][0].at("totals").at("shared_writes").at("bank_conflict_ways"), 32);
  EXPECT_EQ(json["compare"][1].at("totals").at("shared_writes").at("bank_conflict_ways"), 1);
}

TEST_F(SurfaceTrace, AFewBlocksStandForAll) {
  const ProcessResult result =
      tilewright({"trace", "shared_tile_32", "--shape", "1024x1024x1024", "--sample-blocks", "--json"});
  EXPECT_EQ(result.exit_status, 0) << result.err;
  const SurfaceJson json = object_of(result.out);
  EXPECT_EQ(json.at("totals").at("global_reads").at("requests"), 2097152);
  EXPECT_EQ(json.at("totals").at("global_reads").at("sectors"), 8388608);
  EXPECT_EQ(json.at("global_reads"), 67108864);
  EXPECT_EQ(json.at("sampled_blocks").at("blocks"), 1024);
  EXPECT_EQ(json.at("sampled_blocks").at("classes").size(), 1U);
  EXPECT_EQ(json.at("verdict"), "PASS");
}

TEST_F(SurfaceTrace, BlocksThatDifferCannotStandForAll) {
  const std::string file = path("uneven.cu");
  std::ofstream(file)
      << "__global__ void uneven(const float* A, const float* B, float* C, int M, int N, int K) {\n"
         "  const int row = blockIdx.y, column = blockIdx.x;\n"
         "  float sum = 0;\n"
         "  for (int k = 0; k < K; ++k) sum = fmaf(A[row * K + k], B[k * N + column], sum);\n"
         "  if (column > 8) sum += 0 * A[0];\n"
         "  C[row * N + column] = sum;\n"
         "}\n";
  const ProcessResult result = tilewright({"trace", file, "--kernel", "uneven", "--block", "1x1", "--tile",
                                           "1x1", "--shape", "64x64x8", "--sample-blocks"});
  EXPECT_EQ(result.exit_status, 3);
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err.find("should access alike, but differ at " + file + ":5"), std::string::npos)
      << result.err;
}

TEST_F(SurfaceTrace, WithoutAKernelItSaysWhatIsNeeded) {
  const ProcessResult result = tilewright({"trace", "--shape", "4x4x4"});
  EXPECT_EQ(result.exit_status, 2);
  EXPECT_EQ(result.err, "tilewright: kernel: is needed: a rung, FILE.cu, or --compare A B\n");
}

TEST_F(SurfaceTrace, AUsersFileOutsideTheTree) {
  const std::string file = copy_data("tiled.cu", "some folder/my tiled.cu");
  const ProcessResult result = tilewright(user_trace(file, "tiled<16>"));
  EXPECT_EQ(result.exit_status, 0) << result.err;
  EXPECT_EQ(result.err, "");
  const SurfaceJson json = object_of(result.out);
  expect_counts(json, 1656, 323, 65536, 4096);
  EXPECT_EQ(json.value("verdict", ""), "PASS");
  EXPECT_EQ(json.at("findings"), SurfaceJson::array());
  EXPECT_EQ(json.value("kernel", ""), "tiled<16>");
  for (const SurfaceJson& line : json.at("lines")) EXPECT_EQ(line.at("file"), file);
  EXPECT_EQ(whole_file(file), whole_file(kData + "/tiled.cu"));
}

TEST_F(SurfaceTrace, ARacyFileIsAFindingOnTheUsersLine) {
  const std::string file = copy_data("racy.cu", "racy.cu");
  for (const std::string order : {"forward", "reversed", "shuffled"}) {
    const ProcessResult result = tilewright(user_trace(file, "racy", {"--order", order}));
    EXPECT_EQ(result.exit_status, 1) << order;
    EXPECT_EQ(result.err, "") << order;
    const SurfaceJson json = object_of(result.out);
    EXPECT_EQ(json.value("verdict", ""), "FAIL(race)") << order;
    EXPECT_GT(json.value("findings_total", 0), 0) << order;
    std::set<int> lines;
    for (const SurfaceJson& finding : json.at("findings")) {
      EXPECT_EQ(finding.at("file"), file);
      EXPECT_EQ(finding.at("kernel"), "racy");
      if (finding.at("kind") != "race") continue;
      EXPECT_EQ(finding.at("thread").size(), 3U);
      EXPECT_TRUE(finding.at("buffer") == "As" || finding.at("buffer") == "Bs") << finding.dump();
      lines.insert(finding.at("line").get<int>());
    }
    for (const char* mark : {"// fills As", "// fills Bs", "// reads both"})
      EXPECT_EQ(lines.count(line_of(file, mark)), 1U) << order << " " << mark;
    EXPECT_EQ(lines.size(), 3U) << order;
  }
}

TEST_F(SurfaceTrace, ARacyFileInProseNamesFileAndLine) {
  const std::string file = copy_data("racy.cu", "racy.cu");
  Arguments arguments = user_trace(file, "racy");
  arguments.pop_back();  // --json
  const ProcessResult result = tilewright(arguments);
  EXPECT_EQ(result.exit_status, 1);
  const std::string place = file + ":" + std::to_string(line_of(file, "// reads both")) + ": race (";
  EXPECT_NE(result.out.find(place), std::string::npos) << place << " in\n" << result.out;
  EXPECT_NE(result.out.find("verdict: FAIL(race)\n"), std::string::npos);
}

TEST_F(SurfaceTrace, ARunawayKernelIsStopped) {
  const ProcessResult result =
      tilewright({"trace", "direct", "--shape", "64x64x64", "--max-accesses", "100", "--json"});
  EXPECT_EQ(result.exit_status, 1);
  EXPECT_EQ(object_of(result.out).value("verdict", ""), "FAIL(access_limit)");
}

TEST_F(SurfaceTrace, TheSameSeedIsTheSameOutput) {
  const Arguments arguments{"trace",    "direct_8", "--shape", "19x17x5", "--order",
                            "shuffled", "--seed",   "7",       "--json"};
  const ProcessResult first = tilewright(arguments), second = tilewright(arguments);
  EXPECT_EQ(first.out, second.out);
  Arguments other = arguments;
  other[7] = "8";
  EXPECT_NE(tilewright(other).out, first.out);
}

}  // namespace
}  // namespace tilewright
