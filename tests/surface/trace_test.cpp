// SPDX-License-Identifier: MIT
//
// tilewright trace: the exact counts that checks rely on, and a user's own file, wherever it lies.
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
