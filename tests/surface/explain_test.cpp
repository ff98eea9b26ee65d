// SPDX-License-Identifier: MIT
//
// tilewright explain and the way of a tuned table: from trials, by the program, to what auto chooses. No GPU is needed.
#include "tests/surface/command.h"

namespace tilewright {
namespace {

class SurfaceExplain : public Command {
 protected:
  // Trials as `tune` leaves them, of a GPU that does not exist.
  static std::string trials() {
    SurfaceJson head{{"schema", 1},
                     {"record", "tune"},
                     {"revision", std::string(40, 'a')},
                     {"dirty", false},
                     {"environment", {{"gpu", "Paper GPU"}, {"multiprocessors", "100"}, {"driver", "1.2"}}},
                     {"settings", {{"seconds", 0.04}}}};
    std::string text = head.dump() + "\n";
    const auto add = [&](const SurfaceJson& shape, const char* rung, const char* verdict, double us) {
      SurfaceJson trial{{"schema", 1},    {"record", "trial"},  {"shape", shape},
                        {"kernel", rung}, {"verdict", verdict}, {"median_us", us}};
      text += trial.dump() + "\n";
    };
    add({1, 4096, 4096}, "direct_32", "PASS", 5.5);
    add({1, 4096, 4096}, "shared_tile_32", "PASS", 11);
    add({1, 4096, 4096}, "shared_tile_16", "FAIL(wrong_value)", 1);
    add({4096, 4096, 64}, "shared_tile_16", "UNSTABLE(spread)", 40);
    return text;
  }
  // The table that the program makes of them.
  std::string put_table() const {
    const ProcessResult made =
        tilewright({"tune", "--table", put(trials(), "trials.jsonl"), "-o", path("tuned.json")});
    EXPECT_EQ(made.exit_status, 0) << made.err;
    return path("tuned.json");
  }
};

TEST_F(SurfaceExplain, ATableIsMadeOfTrials) {
  const ProcessResult made =
      tilewright({"tune", "--table", put(trials(), "trials.jsonl"), "-o", path("tuned.json"), "--json"});
  EXPECT_EQ(made.exit_status, 0);
  EXPECT_EQ(made.err, "");
  const SurfaceJson said = object_of(made.out), table = object_of(whole_file(path("tuned.json")));
  EXPECT_EQ(said.at("gpu"), "Paper GPU");
  EXPECT_EQ(table.at("schema"), 1);
  EXPECT_EQ(table.at("multiprocessors"), 100);
  EXPECT_EQ(table.at("driver"), "1.2");
  ASSERT_EQ(table.at("rows").size(), 2U);
  const SurfaceJson& row = table["rows"][0];
  EXPECT_EQ(row.at("shape"), (SurfaceJson{1, 4096, 4096}));
  EXPECT_EQ(row.at("aligned"), "both");
  EXPECT_EQ(row.at("rung"), "direct_32");
  EXPECT_EQ(row.at("median_us"), 5.5);
  EXPECT_EQ(row.at("runner_up"), "shared_tile_32");
  EXPECT_TRUE(table["rows"][1].at("runner_up").is_null());
  EXPECT_EQ(files().size(), 2U);
}

TEST_F(SurfaceExplain, TheInstalledTableIsWhatItsTrialsMake) {
  const std::string source = TILEWRIGHT_SOURCE_DIR;
  const ProcessResult made = tilewright(
      {"tune", "--table", source + "/results/h200/tune/trials.jsonl", "-o", path("nvidia-h200.json")});
  EXPECT_EQ(made.exit_status, 0) << made.err;
  EXPECT_EQ(whole_file(path("nvidia-h200.json")), whole_file(source + "/gemm/tuned/nvidia-h200.json"));
}

TEST_F(SurfaceExplain, TrialsOfARungThatIsNotThere) {
  std::string text = trials();
  text.replace(text.find("direct_32"), 9, "direct_64");
  expect_refused({"tune", "--table", put(text, "trials.jsonl"), "-o", path("tuned.json")},
                 {"trials.jsonl row 1 rung", "direct_64", "there is no such rung"});
  expect_refused({"tune", "--table", put("{}\n", "trials.jsonl"), "-o", path("tuned.json")},
                 {"trials.jsonl line 1"});
}

TEST_F(SurfaceExplain, SaysWhatIsChosenAndWhy) {
  const std::string table = put_table();
  const ProcessResult text = tilewright({"explain", "1x4096x4096", "--tuned", table, "--gpu", "Paper GPU"});
  EXPECT_EQ(text.exit_status, 0);
  EXPECT_EQ(text.err, "");
  EXPECT_EQ(text.out.rfind("1x4096x4096 on Paper GPU: direct_32\n", 0), 0U) << text.out;
  for (const char* part : {"the fastest on Paper GPU at 1x4096x4096 (this shape)", "tile     32x32x1",
                           "128 blocks for 128 tiles", "2 over 100 multiprocessors", "0 bytes",
                           "shared_tile_32          2.00 times as long"})
    EXPECT_NE(text.out.find(part), std::string::npos) << part << " in " << text.out;
}

TEST_F(SurfaceExplain, AsOneObject) {
  const std::string table = put_table();
  const ProcessResult result =
      tilewright({"explain", "4096x8192x64", "--tuned", table, "--gpu", "Paper GPU", "--json"});
  EXPECT_EQ(result.exit_status, 0);
  const SurfaceJson json = object_of(result.out);
  EXPECT_EQ(json.at("schema"), 1);
  EXPECT_EQ(json.at("rung"), "shared_tile_16");
  EXPECT_EQ(json.at("reason"),
            "the fastest on Paper GPU at 4096x4096x64, the nearest tuned shape, log distance 1.00");
  EXPECT_EQ(json.at("grid"), (SurfaceJson{512, 256, 1}));
  EXPECT_EQ(json.at("blocks"), 512 * 256);
  EXPECT_EQ(json.at("tiles"), json.at("blocks"));
  EXPECT_EQ(json.at("splits"), 1);
  EXPECT_EQ(json.at("waves"), (512 * 256 + 99) / 100);
  EXPECT_EQ(json.at("scratch_bytes"), 0);
  EXPECT_EQ(json.at("runners_up")[0].at("rung"), "direct_32");
}

TEST_F(SurfaceExplain, AnUntunedGpuSaysSo) {
  const SurfaceJson json = object_of(
      tilewright({"explain", "64x64x64", "--tuned", put_table(), "--gpu", "Other GPU", "--json"}).out);
  EXPECT_EQ(json.at("reason"), "untuned GPU 'Other GPU': safe default");
  EXPECT_TRUE(json.at("waves").is_null());
  EXPECT_TRUE(json.at("multiprocessors").is_null());
}

TEST_F(SurfaceExplain, WhatCannotBeLaunchedIsPassedOver) {
  const SurfaceJson json = object_of(
      tilewright({"explain", "2147483647x16x16", "--tuned", put_table(), "--gpu", "Paper GPU", "--json"})
          .out);
  EXPECT_EQ(json.at("rung"), "dot_rows") << "rows along x, where a grid may be long";
  ASSERT_FALSE(json.at("passed_over").empty());
  EXPECT_NE(json["passed_over"][0].at("reason").get<std::string>().find("blocks in y"), std::string::npos);
}

TEST_F(SurfaceExplain, CheckAutoRunsWhatWasChosen) {
  const ProcessResult result = tilewright({"check", "auto", "direct", "--shapes", "17x19x23", "--inputs",
                                           "uniform", "--device", "emulator", "--out", path("cells.jsonl")});
  EXPECT_EQ(result.exit_status, 0) << result.err;
  std::istringstream lines(whole_file(path("cells.jsonl")));
  int chosen = 0;
  for (std::string line; std::getline(lines, line);) {
    const SurfaceJson record = SurfaceJson::parse(line);
    if (record.value("kernel", "") != "auto") continue;
    ++chosen;
    EXPECT_EQ(record.at("verdict"), "PASS");
    EXPECT_EQ(record.at("choice").at("rung"), "register_double_buffer");
    EXPECT_EQ(record.at("tile"), (SurfaceJson{128, 128, 8}));
  }
  EXPECT_EQ(chosen, 1);
}

}  // namespace
}  // namespace tilewright
