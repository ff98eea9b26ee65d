// SPDX-License-Identifier: MIT
//
// A whole profile, with a script in the place of ncu and of the GPU: what is printed and recorded, what decides the
// verdict, which part is left out and is said to be, and every reason for which there is none.
#include "cli/profile_run.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/unit/error_of.h"
#include "tests/unit/fake_ncu.h"

namespace tilewright {
namespace {

class ProfileRun : public testing::Test {
 protected:
  // What `ncu` says of a launch of shared_tile_32, on a machine like the one in the fixtures.
  Profile run(const std::string& ncu, const std::string& blocks = "all",
              const std::string& shape = "64x64x64", bool counts_only = false) const {
    const Installation here{.root = TILEWRIGHT_BINARY_DIR};
    return run_profile(
        here, {.kernel = "shared_tile_32", .shape = shape, .blocks = blocks, .counts_only = counts_only},
        [&](const Rung&, Shape) -> ProfileStand {
          return {
              .environment = {{"gpu", "No GPU"}, {"compute_capability", "9.0"}, {"multiprocessors", "132"}},
              .ncu = fake_.path(ncu),
              .program = "/bin/true",
              .symbol = "_Z11shared_tile",
              .command = {"/bin/program", "check"}};
        });
  }
  FakeNcu fake_;
};

const std::string passed = launch_with_verdict("PASS");

Json reading_in(const Json& record, const std::string& quantity) {
  for (const Json& reading : record.at("readings"))
    if (reading.at("quantity") == quantity) return reading;
  return {};
}

void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << "no '" << part << "' in\n" << text;
}

TEST_F(ProfileRun, PutsPredictionAndMeasurementSideBySide) {
  const Profile profile = run(passed + prints("profile.csv"));
  EXPECT_EQ(profile.verdict, "PASS") << profile_text(profile);
  const Json record = profile_record(profile);
  EXPECT_EQ(record["record"], "profile");
  EXPECT_EQ(record["replay_passes"], 31);
  EXPECT_EQ(record["environment"]["clock_control"], "none");
  EXPECT_EQ(record["environment"]["cache_control"], "all");
  EXPECT_EQ(record["environment"]["gpu"], "No GPU");
  EXPECT_EQ(record["emulator"]["blocks"], "all");
  const Json loads = reading_in(record, "load_sectors");
  EXPECT_EQ(loads["predicted"], 2048);
  EXPECT_EQ(loads["predicted_by"], "emulator");
  EXPECT_EQ(loads["measured"], 2048);
  EXPECT_EQ(loads["unit"], "sector");
  EXPECT_EQ(reading_in(record, "occupancy_possible")["predicted"], 100);
  EXPECT_EQ(reading_in(record, "static_shared_bytes")["predicted"],
            reading_in(record, "static_shared_bytes")["measured"]);
  EXPECT_FALSE(reading_in(record, "duration").contains("predicted"));
  EXPECT_EQ(record["limit"]["kind"], "latency");
  EXPECT_FALSE(record["agreement"].empty());
  EXPECT_FALSE(record.contains("agreement_left_out"));
}

TEST_F(ProfileRun, SaysItAllInText) {
  const std::string text = profile_text(run(passed + prints("profile.csv")));
  expect_parts(text,
               {"shared_tile_32 at 64x64x64 under Nsight Compute", "run in 31 passes", "--cache-control all",
                "registers per thread", "limit: latency: nothing above 60 %", "the grid fills 0.02 of a wave",
                "threads load 65,536 bytes of A and B, which have 32,768", "shared_load_requests",
                "not measured, ncu has no number for it here: ", "gmma", "verdict: PASS"});
}

TEST_F(ProfileRun, MissingMetricsAreNamedAndCostNoOther) {
  const Json record = profile_record(run(passed + prints("good.csv"), "none"));
  EXPECT_EQ(reading_in(record, "registers_per_thread")["measured"], 31);
  EXPECT_TRUE(reading_in(record, "dram_read_bytes")["measured"].is_null());
  EXPECT_EQ(reading_in(record, "dram_read_bytes")["predicted"], 32768);
  const Json& missing = record["metrics_missing"];
  EXPECT_NE(std::find(missing.begin(), missing.end(), "dram__bytes_read.sum"), missing.end());
  EXPECT_EQ(std::find(missing.begin(), missing.end(), "launch__registers_per_thread"), missing.end());
  EXPECT_EQ(record["limit"]["kind"], "unknown");
  EXPECT_EQ(record["verdict"], "PASS");
}

// Of a sample or of none: exact counts are not compared, and instrumented ones not asked for.
TEST_F(ProfileRun, LeavesTheComparisonOutAndSaysSo) {
  for (const std::string blocks : {"sample", "none"}) {
    const Profile profile = run(passed + prints("profile.csv"), blocks);
    const Json record = profile_record(profile);
    EXPECT_EQ(record["emulator"]["blocks"], blocks);
    EXPECT_TRUE(record["agreement"].empty());
    EXPECT_TRUE(record.contains("agreement_left_out"));
    EXPECT_EQ(reading_in(record, "load_sectors").contains("predicted"), blocks == "sample");
    EXPECT_EQ(record["predicted"]["global_reads"], 16384);
    EXPECT_EQ(fake_.asked().find("sass"), std::string::npos) << fake_.asked();
    expect_parts(profile_text(profile), {"counts not compared: "});
  }
  EXPECT_FALSE(run(passed + prints("profile.csv"), "auto").agreement.empty());
}

TEST_F(ProfileRun, ReadsWhatIsComparedByItself) {
  const Profile profile = run(passed + prints("profile.csv"), "auto", "64x64x64", true);
  EXPECT_EQ(profile.verdict, "PASS") << profile_text(profile);
  EXPECT_NE(fake_.asked().find("sass"), std::string::npos) << fake_.asked();
  EXPECT_EQ(fake_.asked().find("launch__"), std::string::npos) << fake_.asked();
  EXPECT_TRUE(profile_record(profile)["readings"].empty());
  EXPECT_EQ(profile_text(profile).find("limit:"), std::string::npos);
  // With the readings, in a run of their own.
  run(passed + prints("profile.csv"));
  EXPECT_NE(fake_.asked().find("launch__"), std::string::npos);
  EXPECT_EQ(fake_.asked().find("sass"), std::string::npos);
  EXPECT_THROW(run(passed + prints("profile.csv"), "sample", "64x64x64", true), Error);
}

TEST_F(ProfileRun, SaysFromWhichBanksOfRegistersItReads) {
  Profile profile = run(passed + prints("profile.csv"));
  profile.sass = SassCounts{"sm_90a", {{"FFMA", 7}}, {{"1+1", 5}, {"2+0", 2}}};
  EXPECT_EQ(profile_record(profile)["sass"],
            (Json{{"arch", "sm_90a"}, {"FFMA", 7}, {"ffma_reads", {{"1+1", 5}, {"2+0", 2}}}}));
  expect_parts(profile_text(profile), {"an FFMA reads, of one bank + of the other: 1+1: 5 2+0: 2\n"});
}

// As if shared_tile_32 had a first kernel: counts are compared in sum, and all else is of the rung's own kernel.
TEST_F(ProfileRun, SumsTheCountsOfTwoKernelsAndReadsTheRungsOwn) {
  const Profile profile = run_profile(
      {.root = TILEWRIGHT_BINARY_DIR}, {.kernel = "shared_tile_32", .shape = "64x64x64"},
      [&](const Rung&, Shape) -> ProfileStand {
        return {.environment = {{"compute_capability", "9.0"}, {"multiprocessors", "132"}},
                .ncu = fake_.path(passed + "case $metrics in *sass*) " + prints("two_launches.csv") +
                                  ";; *) " + prints("profile.csv") + ";; esac"),
                .program = "/bin/true",
                .symbol = "_Z11shared_tile",
                .command = {"/bin/program", "check"},
                .first_symbol = "_Z4pack"};
      });
  const Json record = profile_record(profile);
  EXPECT_EQ(record["first_symbol"], "_Z4pack");
  const auto compared = [&](const std::string& quantity) {
    for (const Json& agreement : record.at("agreement"))
      if (agreement.at("quantity") == quantity) return agreement.at("measured");
    return Json();
  };
  EXPECT_EQ(compared("global_load_sectors"), 2 * 2048);
  const Json loads = reading_in(record, "load_sectors");
  EXPECT_EQ(loads["measured"], 2048);
  EXPECT_FALSE(loads.contains("predicted")) << "the emulator counts both together";
  EXPECT_EQ(profile.verdict, "FAIL(counters_differ_from_prediction)");  // there is no first kernel, after all
  expect_parts(profile_text(profile),
               {"above, the rung's own kernel, without the one that is launched before"});
}

TEST_F(ProfileRun, ADifferentCountOrAWrongProductIsAVerdict) {
  // The fixture has 10,240 shared requests, and no machine code to say that loads were merged.
  EXPECT_EQ(run(passed + prints("good.csv")).verdict, "FAIL(counters_differ_from_prediction)");
  EXPECT_EQ(run(launch_with_verdict("FAIL(tolerance)") + prints("profile.csv")).verdict, "FAIL(tolerance)");
}

TEST_F(ProfileRun, SaysWhyThereAreNoCounters) {
  const auto refused = [&](const std::string& body, const std::string& reason) {
    SCOPED_TRACE(reason);
    expect_error([&] { run(body, "none"); }, Code::unavailable,
                 {"profile 'shared_tile_32': UNAVAILABLE(", reason});
  };
  refused(passed + prints("not_permitted.txt"), "ERR_NVGPUCTRPERM");
  refused(passed + prints("no_kernel.txt"), "no launch of the kernel");
  refused(passed + prints("truncated.csv"), "cut off");
  refused(passed + prints("other_error.txt"), "LibraryNotLoaded");
}

TEST(ProfileNcu, IsRequired) {
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/no/such/folder", 1);
  if (find_cuda_program("ncu").empty())  // not at the toolkit's own place either
    expect_error([] { require_ncu("direct"); }, Code::unavailable,
                 {"profile 'direct': UNAVAILABLE(ncu, Nsight Compute's command line, is not installed)"});
  setenv("PATH", path.c_str(), 1);
}

}  // namespace
}  // namespace tilewright
