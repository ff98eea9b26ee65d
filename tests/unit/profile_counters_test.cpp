// SPDX-License-Identifier: MIT
//
// Driving ncu, with a script in its place: what it is asked, what becomes of its answer, and that a metric it does not
// know costs that metric and no other.
#include "cli/profile_counters.h"

#include "tests/unit/error_of.h"
#include "tests/unit/fake_ncu.h"

namespace tilewright {
namespace {

class ProfileCounters : public testing::Test {
 protected:
  static MeasuredCounters read(const std::string& ncu, const std::vector<std::string>& metrics) {
    return read_counters(
        {.ncu = ncu, .kernels = {"_Z6direct"}, .command = {"/bin/program", "check"}, .metrics = metrics});
  }
  FakeNcu fake_;
};

const std::string record = launch_with_verdict("PASS");
const std::string sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
const std::string unknown = "smsp__inst_executed_op_shared_ld.sum";

TEST_F(ProfileCounters, AsksForOneKernelAndLeavesTheClocksAlone) {
  const MeasuredCounters counters = read(fake_.path(record + prints("good.csv")), {sectors});
  ASSERT_EQ(counters.metrics.size(), 1U);
  EXPECT_EQ(counters.metrics[0].value, 2048);
  EXPECT_EQ(counters.launch["verdict"], "PASS");
  EXPECT_TRUE(counters.unknown.empty());
  const std::string asked = fake_.asked();
  for (const char* part :
       {" --clock-control none ", " --cache-control all ", " --replay-mode kernel ", " --csv --page raw ",
        " --kernel-name-base mangled --launch-count 1 --kernel-name _Z6direct ", " /bin/program check"})
    EXPECT_NE((asked + " ").find(part), std::string::npos) << part << " in" << asked;
  EXPECT_TRUE(asked.ends_with(" /bin/program check")) << asked;
}

TEST_F(ProfileCounters, AsksForEachKernelOfALaunchOnceAndSums) {
  const std::string table = "\"ID\",\"" + sectors + "\"\n\"\",\"\"\n\"0\",\"8\"\n\"1\",\"34\"\n";
  const MeasuredCounters counters =
      read_counters({.ncu = fake_.path(record + "cat >\"$log\" <<'END'\n" + table + "END"),
                     .kernels = {"_Z4packPf", "_Z6direct"},
                     .command = {"/bin/program"},
                     .metrics = {sectors}});
  EXPECT_EQ(counters.metrics[0].value, 42);
  EXPECT_NE(fake_.asked().find(" --launch-count 2 --kernel-name regex:^(_Z4packPf|_Z6direct)$ "),
            std::string::npos)
      << fake_.asked();
}

TEST_F(ProfileCounters, AMetricThatNcuDoesNotKnowCostsNoOther) {
  const std::string ncu =
      fake_.path(record + "case $metrics in *" + unknown + "*) cat " + kNcuFixtures +
                 "unknown_metric.txt >\"$log\"; exit 1 ;; esac\ncat " + kNcuFixtures + "good.csv >\"$log\"");
  const MeasuredCounters counters = read(ncu, {unknown, sectors});
  EXPECT_EQ(counters.unknown, std::vector<std::string>{unknown});
  ASSERT_EQ(counters.metrics.size(), 2U);
  EXPECT_EQ(counters.metrics[0].name, unknown);
  EXPECT_EQ(counters.metrics[0].value, std::nullopt);
  EXPECT_EQ(counters.metrics[1].value, 2048);
}

TEST_F(ProfileCounters, AMetricThatTheReportLacksHasNoValue) {
  const MeasuredCounters counters =
      read(fake_.path(record + prints("missing.csv")),
           {"smsp__sass_inst_executed_op_local_st.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"});
  EXPECT_EQ(counters.metrics[0].value, std::nullopt);
  EXPECT_EQ(counters.metrics[1].value, 128);
}

TEST_F(ProfileCounters, SaysWhyThereAreNone) {
  const auto refused = [&](const std::string& body, const std::string& reason) {
    SCOPED_TRACE(reason);
    expect_error([&] { read(fake_.path(body), {sectors}); }, Code::unavailable, {"ncu", reason});
  };
  refused(record + prints("not_permitted.txt"), "ERR_NVGPUCTRPERM");
  refused(record + prints("no_kernel.txt"), "no launch of the kernel");
  refused(record + "cat " + kNcuFixtures + "other_error.txt >&2; exit 1", "LibraryNotLoaded");
  refused(record + prints("truncated.csv"), "cut off");
  refused(prints("good.csv"), "left no record");
  refused("exit 7", "no table");
  expect_error([&] { read(fake_.path(prints("unknown_metric.txt")), {unknown}); }, Code::unavailable,
               {"knows none of the metrics"});
}

TEST_F(ProfileCounters, TheVersionOfNcu) {
  EXPECT_EQ(ncu_version(fake_.path("echo 'Version 2025.3.1.0 (build 36398880) (public-release)'")),
            "2025.3.1.0");
  EXPECT_EQ(ncu_version(fake_.path("true")), "");
}

}  // namespace
}  // namespace tilewright
