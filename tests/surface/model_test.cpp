// SPDX-License-Identifier: MIT
//
// tilewright model from the shell: every question in its argument form, the published check values in text
// and JSON, and refusals in one line.
#include <algorithm>
#include <cmath>
#include <regex>

#include "tests/surface/command.h"

namespace tilewright {
namespace {

const Arguments kRoofline{"model", "roofline",    "--n",  "1024",      "--tile",
                          "16",    "--bandwidth", "1000", "--compute", "60"};
const Arguments kOccupancy{"model", "occupancy",      "--registers", "33",     "--threads",
                           "256",   "--shared-bytes", "2048",        "--arch", "sm_90"};

const std::vector<Arguments> kQuestions{
    {"model", "traffic", "17x19x23", "--tile", "16"},
    {"model", "traffic", "17x19x23", "--tile", "128x256"},
    {"model", "tiled", "17x19x23", "--tile", "16"},
    {"model", "two-level", "80x80x80", "--tile", "32", "--register", "8"},
    kRoofline,
    {"model", "roofline", "--shape", "17x19x23", "--tile", "1", "--bandwidth", "1e3", "--compute", "0.5"},
    {"model", "bound", "4096x4096x4096", "--on-chip", "49152"},
    {"model", "mma", "17x8x16"},
    {"model", "mma", "17x8x16", "--mma", "64x256x16"},
    {"model", "waves", "4096x4096x4096", "--tile", "128x128", "--sms", "132"},
    {"model", "waves", "4096x4096x4096", "--tile", "128", "--sms", "132", "--blocks-per-sm", "2"},
    kOccupancy,
    {"model", "phases", "17x19x23", "--tile", "16"},
    {"model", "order", "4096x4096x4096", "--tile", "128", "--resident", "132"},
    {"model", "order", "100x70x20", "--tile", "16x8", "--resident", "5", "--order", "grouped", "--group",
     "2"},
    {"model", "order", "100x70x20", "--tile", "16x8", "--resident", "5", "--order", "hilbert"},
    {"model", "split-k", "17x19x23", "--tile", "16", "--step", "16", "--splits", "2"},
};

class SurfaceModel : public Command {
 protected:
  static SurfaceJson json_of(Arguments arguments) {
    arguments.emplace_back("--json");
    const ProcessResult result = tilewright(arguments);
    EXPECT_EQ(result.exit_status, 0) << text_of(arguments) << result.err;
    EXPECT_EQ(result.err, "") << text_of(arguments);
    return object_of(result.out);
  }
  void expect_refused_both_ways(const Arguments& arguments, const std::vector<std::string>& parts) const {
    expect_refused(arguments, parts);
    expect_refused_as_json(arguments);
  }
  static Arguments with(Arguments arguments, const std::string& option, const std::string& value) {
    const auto found = std::find(arguments.begin(), arguments.end(), option);
    EXPECT_NE(found, arguments.end()) << option;
    if (found != arguments.end()) *(found + 1) = value;
    return arguments;
  }
};

// No number is NaN or infinite, which JSON would print as null.
void expect_no_null(const SurfaceJson& json) {
  const SurfaceJson flat = json.flatten();
  for (const auto& [key, value] : flat.items()) EXPECT_FALSE(value.is_null()) << key;
}

TEST_F(SurfaceModel, EveryAnswerSaysThatItIsAModelAndWhatItAssumes) {
  for (const Arguments& question : kQuestions) {
    SCOPED_TRACE(text_of(question));
    const SurfaceJson json = json_of(question);
    EXPECT_EQ(json.value("schema", 0), 1);
    EXPECT_EQ(json.value("model", false), true);
    EXPECT_EQ(json.value("question", ""), question[1]);
    expect_no_null(json);
    const ProcessResult text = tilewright(question);
    EXPECT_EQ(text.exit_status, 0);
    EXPECT_EQ(text.err, "");
    EXPECT_NE(text.out.substr(0, text.out.find('\n')).find("a model, not a measurement"), std::string::npos);
    const SurfaceJson assumptions = json.value("assumptions", SurfaceJson::array());
    EXPECT_GE(assumptions.size(), 2U);
    for (const SurfaceJson& assumption : assumptions)
      EXPECT_NE(text.out.find("\n  - " + assumption.get<std::string>() + "\n"), std::string::npos);
  }
}

TEST_F(SurfaceModel, TheSixCheckValuesOfTheRoofline) {
  const std::string text = tilewright(kRoofline).out;
  for (const char* line :
       {"intensity +3\\.969 FLOP/B", "traffic +0\\.541 GB", "shared memory of a block +2\\.000 KiB",
        "memory bound +0\\.5411 ms", "compute bound +0\\.0358 ms", "combined bound \\(memory\\) +0\\.5411 ms",
        "ridge point +60\\.000 FLOP/B"})
    EXPECT_TRUE(std::regex_search(text, std::regex(line))) << line << "\n" << text;
  const SurfaceJson json = json_of(kRoofline);
  EXPECT_NEAR(json.value("intensity", 0.0), 3.969, 0.0005);
  EXPECT_EQ(json.value("traffic_bytes", 0.0), 541'065'216.0);
  EXPECT_EQ(json.value("shared_bytes", 0), 2048);
  EXPECT_NEAR(json.value("memory_ms", 0.0), 0.5411, 0.00005);
  EXPECT_NEAR(json.value("compute_ms", 0.0), 0.0358, 0.00005);
  EXPECT_NEAR(json.value("bound_ms", 0.0), 0.5411, 0.00005);
  EXPECT_NE(json["assumptions"].dump().find("a float32 FMA kernel is never given a tensor-core"),
            std::string::npos);
}

TEST_F(SurfaceModel, TheSquareIsTheSpecialCaseOfTheShape) {
  Arguments shape = with(kRoofline, "--n", "1024x1024x1024");
  *std::find(shape.begin(), shape.end(), "--n") = "--shape";
  EXPECT_EQ(json_of(shape), json_of(kRoofline));
}

TEST_F(SurfaceModel, Traffic) {
  const SurfaceJson json = json_of({"model", "traffic", "4096x4096x4096", "--tile", "32"});
  EXPECT_EQ(json.value("naive", 0LL), 137'438'953'472LL);
  EXPECT_EQ(json.value("tiled", 0LL), 137'438'953'472LL / 32);
  EXPECT_EQ(json.value("minimum", 0LL), 33'554'432LL);
  const std::string text = tilewright({"model", "traffic", "4096x4096x4096", "--tile", "32"}).out;
  EXPECT_NE(text.find("549.756 GB"), std::string::npos) << text;
  EXPECT_EQ(json_of({"model", "traffic", "17x19x23", "--tile", "16"}).value("tiled", 0), 1656);
  EXPECT_EQ(json_of({"model", "traffic", "64x256x8", "--tile", "64x32"}).value("tiled", 0), 6144);
}

TEST_F(SurfaceModel, IntensitiesOf16BitTiles) {
  for (const auto& [tile, printed] : {std::pair{"128x128", "64.00 FLOP/B"}, {"128x256", "85.33 FLOP/B"}}) {
    const Arguments question{"model", "traffic", "4096x4096x4096", "--tile", tile, "--element-bytes", "2"};
    EXPECT_NE(tilewright(question).out.find(printed), std::string::npos) << tile;
  }
}

TEST_F(SurfaceModel, TiledAndTwoLevel) {
  const SurfaceJson tiled = json_of({"model", "tiled", "17x19x23", "--tile", "16"});
  EXPECT_EQ(tiled.value("global_reads", 0), 1656);
  EXPECT_EQ(tiled.value("shared_reads", 0), 14'858);
  const SurfaceJson two = json_of({"model", "two-level", "80x80x80", "--tile", "32", "--register", "8"});
  EXPECT_EQ(two.value("global_reads", 0), 38'400);
  EXPECT_EQ(two.value("shared_reads", 0), 128'000);
}

// What the model says of the rungs is what the emulator counts on them.
TEST_F(SurfaceModel, TiledIsWhatTheEmulatorCounts) {
  for (const std::string shape : {"17x19x23", "40x33x9", "80x80x80"})
    for (const std::string T : {"8", "16", "32"}) {
      SCOPED_TRACE(shape + " T " + T);
      const SurfaceJson model = json_of({"model", "tiled", shape, "--tile", T});
      const SurfaceJson trace = json_of({"trace", "shared_tile_" + T, "--shape", shape});
      EXPECT_EQ(model.at("global_reads"), trace.at("global_reads"));
      EXPECT_EQ(model.at("padded_shared_reads"), trace.at("shared_reads"));
    }
}

TEST_F(SurfaceModel, Bound) {
  const SurfaceJson json = json_of({"model", "bound", "4096x4096x4096", "--on-chip", "49152"});
  const double cube = std::pow(4096.0, 3), root = std::sqrt(49152.0);
  EXPECT_NEAR(json.value("lower_bound", 0.0), cube / (2 * std::sqrt(2.0) * root) - 49152, 1);
  EXPECT_NEAR(json.value("tiling", 0.0), 2 * std::sqrt(3.0) * cube / root, 1);
  EXPECT_EQ(json.value("minimum", 0), 33'554'432);
  const std::string text = tilewright({"model", "bound", "8x8x8", "--on-chip", "1000"}).out;
  EXPECT_NE(text.find("below zero: says nothing"), std::string::npos) << text;
}

TEST_F(SurfaceModel, SeventeenRowsCostWhatThirtyTwoDo) {
  const SurfaceJson of17 = json_of({"model", "mma", "17x8x16"}), of32 = json_of({"model", "mma", "32x8x16"});
  EXPECT_EQ(of17.at("instructions"), 2);
  EXPECT_EQ(of17.at("instructions"), of32.at("instructions"));
  EXPECT_EQ(of17.at("utilization"), 17.0 / 32);
  EXPECT_EQ(of32.at("utilization"), 1.0);
  EXPECT_EQ(json_of({"model", "mma", "64x256x64", "--mma", "64x256x16"}).at("instructions"), 4);
}

TEST_F(SurfaceModel, WavesAndOccupancy) {
  const SurfaceJson waves =
      json_of({"model", "waves", "4096x4096x4096", "--tile", "128x128", "--sms", "132"});
  EXPECT_EQ(waves.value("tiles", 0), 1024);
  EXPECT_EQ(waves.value("waves", 0), 8);
  EXPECT_EQ(waves.value("last_wave_efficiency", 0.0), 100.0 / 132);
  const SurfaceJson occupancy = json_of(kOccupancy);
  EXPECT_EQ(occupancy.value("blocks_per_sm", 0), 6);
  EXPECT_EQ(occupancy.value("occupancy", 0.0), 0.75);
  EXPECT_EQ(occupancy.value("limited_by", SurfaceJson()), SurfaceJson{"registers"});
  EXPECT_EQ(json_of(with(kOccupancy, "--shared-bytes", "0")).value("blocks_per_sm", 0), 6);
}

TEST_F(SurfaceModel, ThePaperTrace) {
  const SurfaceJson json = json_of({"model", "phases", "17x19x23", "--tile", "16"});
  const SurfaceJson phases = json.value("phases", SurfaceJson::array());
  ASSERT_EQ(phases.size(), 8U);
  const SurfaceJson& last = phases.back();
  EXPECT_EQ(last.at("block"), (SurfaceJson{1, 1}));
  EXPECT_EQ(last.at("phase"), 1);
  EXPECT_EQ(last.at("valid_k"), 7);
  EXPECT_EQ(last.at("zero_filled_k"), 9);
  EXPECT_EQ(last.at("participating_threads"), 256);
  EXPECT_EQ(last.at("storing_threads"), 3);
  const std::string text = tilewright({"model", "phases", "17x19x23", "--tile", "16"}).out;
  EXPECT_TRUE(std::regex_search(text, std::regex("\\(1, 1\\) +1 +7 +9 +256 +3\n"))) << text;
}

TEST_F(SurfaceModel, HelpOfEveryQuestionHasExamplesThatRun) {
  for (const Arguments& question : kQuestions) {
    const std::string begin = "  tilewright model " + question[1] + " ";
    const ProcessResult help = tilewright({"model", question[1], "--help"});
    EXPECT_EQ(help.exit_status, 0);
    EXPECT_NE(help.out.find("Examples:\n" + begin), std::string::npos) << help.out;
    EXPECT_NE(help.out.find("--json"), std::string::npos) << question[1];
    int run = 0;
    for (std::size_t at = help.out.find(begin); at != std::string::npos; at = help.out.find(begin, at + 1)) {
      const std::string line = help.out.substr(at, help.out.find('\n', at) - at);
      const std::string arguments = line.substr(std::string("  tilewright").size());
      EXPECT_EQ(run_process({"sh", "-c", kProgram + arguments}).exit_status, 0) << line;
      ++run;
    }
    EXPECT_EQ(run, 2) << question[1];
    EXPECT_NE(tilewright({"model", "--help"}).out.find("\n  " + question[1] + " "), std::string::npos);
  }
}

TEST_F(SurfaceModel, BadSizes) {
  const auto traffic = [](const std::string& shape, const std::string& tile) {
    return Arguments{"model", "traffic", shape, "--tile", tile};
  };
  expect_refused_both_ways(traffic("0x1x1", "16"), {"MxNxK '0x1x1'", "at least 1"});
  expect_refused_both_ways(traffic("17x-1x1", "16"), {"MxNxK '17x-1x1'", "at least 1"});
  expect_refused_both_ways(traffic("17x19", "16"), {"MxNxK '17x19'", "three integers"});
  expect_refused_both_ways(traffic("3000000x3000000x3000000", "16"),
                           {"MxNxK '3000000x3000000x3000000'", "do not fit in 64 bits"});
  expect_refused_both_ways(traffic("1x1x9223372036854775808", "16"), {"MxNxK", "64 bits"});
  expect_refused_both_ways(traffic("17x19x23", "0"), {"--tile '0'", "at least 1"});
  expect_refused_both_ways(traffic("17x19x23", "16x16x16"), {"--tile '16x16x16'", "at most 2"});
  expect_refused_both_ways({"model", "tiled", "17x19x23", "--tile", "-16"}, {"--tile '-16'"});
  expect_refused_both_ways({"model", "tiled", "17x19x23", "--tile", "16x8"}, {"--tile '16x8'"});
  expect_refused_both_ways({"model", "tiled", "17x19x23"}, {"--tile is required"});
  expect_refused_both_ways({"model", "mma", "17x19x23", "--mma", "16x0x16"}, {"--mma '16x0x16'"});
  expect_refused_both_ways({"model", "waves", "1x1x1", "--tile", "1", "--sms", "0"}, {"--sms '0'"});
  expect_refused_both_ways({"model", "bound", "8x8x8", "--on-chip", "2"}, {"S '2'", "at least 3"});
  expect_refused_both_ways({"model", "two-level", "8x8x8", "--tile", "32", "--register", "7"},
                           {"t '7'", "divide", "32"});
  expect_refused_both_ways({"model", "phases", "8x8x8", "--tile", "33"}, {"'33'", "1024 threads"});
  expect_refused_both_ways({"model", "order", "8x8x8", "--tile", "4", "--resident", "1", "--order", "zigzag"},
                           {"--order 'zigzag'", "row, grouped or hilbert"});
  expect_refused_both_ways({"model", "split-k", "8x8x8", "--tile", "4", "--step", "4", "--splits", "0"},
                           {"--splits '0'"});
}

TEST_F(SurfaceModel, BadRooflines) {
  for (const std::string bad : {"0", "-1", "inf", "nan", "-inf"}) {
    expect_refused_both_ways(with(kRoofline, "--bandwidth", bad), {"bandwidth", "finite number above 0"});
    expect_refused_both_ways(with(kRoofline, "--compute", bad), {"compute", "finite number above 0"});
  }
  expect_refused_both_ways(with(kRoofline, "--bandwidth", "fast"), {"--bandwidth", "fast"});
  expect_refused_both_ways(with(kRoofline, "--bandwidth", "1e-308"), {"beyond a float64"});
  expect_refused_both_ways(with(kRoofline, "--n", "4000000"), {"4000000x4000000x4000000", "64 bits"});
  expect_refused_both_ways(with(kRoofline, "--n", "0"), {"--n '0'"});
  Arguments both = kRoofline;
  both.insert(both.end(), {"--shape", "8x8x8"});
  expect_refused_both_ways(both, {"--n or --shape", "exactly one"});
}

TEST_F(SurfaceModel, BadBlocks) {
  expect_refused_both_ways(with(kOccupancy, "--arch", "sm_91"),
                           {"'sm_91'", "did you mean sm_90?", "Known: sm_80, sm_86, sm_89, sm_90"});
  expect_refused_both_ways(with(kOccupancy, "--threads", "1025"), {"threads '1025'", "at most 1024"});
  expect_refused_both_ways(with(kOccupancy, "--registers", "256"), {"registers '256'", "255"});
  expect_refused_both_ways(with(kOccupancy, "--shared-bytes", "300000"),
                           {"shared bytes '300000'", "sm_90", "232448"});
  expect_refused_both_ways(with(kOccupancy, "--shared-bytes", "-1"), {"--shared-bytes '-1'"});
}

TEST_F(SurfaceModel, BadQuestions) {
  expect_refused_both_ways({"model"}, {"subcommand is required"});
  expect_refused_both_ways({"model", "rooflin"}, {"command 'rooflin'", "did you mean roofline?"});
  expect_refused_both_ways({"modle", "roofline"}, {"command 'modle'", "did you mean model?"});
  expect_refused_both_ways({"model", "mma"}, {"MxNxK is required"});
}

}  // namespace
}  // namespace tilewright
