// SPDX-License-Identifier: MIT
//
// Driving ncu, with a script in its place: what it is asked, what becomes of its answer, and that a metric it does not
// know costs that metric and no other.
#include "cli/profile_counters.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/process.h"
#include "tests/unit/error_of.h"

namespace tilewright {
namespace {

const std::string fixtures = TILEWRIGHT_SOURCE_DIR "/tests/data/ncu/";

class ProfileCounters : public testing::Test {
 protected:
  // An ncu that notes its arguments and runs `body`; $log is the file it was told to write.
  std::string fake_ncu(const std::string& body) const {
    const std::string path = folder_.file("ncu");
    std::ofstream(path) << "#!/bin/sh\nprintf '%s\\n' \"$@\" >'" << arguments_file() << "'\n"
                        << "while [ $# -gt 0 ]; do\n"
                        << "  case $1 in --log-file) log=$2 ;; --metrics) metrics=$2 ;; esac\n  shift\ndone\n"
                        << body << "\n";
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path;
  }
  std::string arguments_file() const { return folder_.file("arguments"); }
  std::vector<std::string> arguments() const {
    std::ifstream stream(arguments_file());
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
  }
  static MeasuredCounters read(const std::string& ncu, const std::vector<std::string>& metrics) {
    return read_counters(
        {.ncu = ncu, .kernel = "_Z6direct", .command = {"/bin/program", "check"}, .metrics = metrics});
  }

 private:
  TemporaryFolder folder_;
};

const std::string record = "echo 'a line of its own'; echo '{\"verdict\":\"PASS\"}'\n";
const std::string sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
const std::string unknown = "smsp__inst_executed_op_shared_ld.sum";

TEST_F(ProfileCounters, AsksForOneKernelAndLeavesTheClocksAlone) {
  const MeasuredCounters counters =
      read(fake_ncu(record + "cat " + fixtures + "good.csv >\"$log\""), {sectors});
  ASSERT_EQ(counters.metrics.size(), 1U);
  EXPECT_EQ(counters.metrics[0].value, 2048);
  EXPECT_EQ(counters.launch["verdict"], "PASS");
  EXPECT_TRUE(counters.unknown.empty());
  std::string asked;
  for (const std::string& word : arguments()) asked += " " + word;
  for (const char* part : {" --clock-control none ", " --csv --page raw ", " --launch-count 1 ",
                           " --kernel-name-base mangled --kernel-name _Z6direct ", " /bin/program check"})
    EXPECT_NE((asked + " ").find(part), std::string::npos) << part << " in" << asked;
  EXPECT_TRUE(asked.ends_with(" /bin/program check")) << asked;
}

TEST_F(ProfileCounters, AMetricThatNcuDoesNotKnowCostsNoOther) {
  const std::string ncu =
      fake_ncu(record + "case $metrics in *" + unknown + "*) cat " + fixtures +
               "unknown_metric.txt >\"$log\"; exit 1 ;; esac\ncat " + fixtures + "good.csv >\"$log\"");
  const MeasuredCounters counters = read(ncu, {unknown, sectors});
  EXPECT_EQ(counters.unknown, std::vector<std::string>{unknown});
  ASSERT_EQ(counters.metrics.size(), 2U);
  EXPECT_EQ(counters.metrics[0].name, unknown);
  EXPECT_EQ(counters.metrics[0].value, std::nullopt);
  EXPECT_EQ(counters.metrics[1].value, 2048);
}

TEST_F(ProfileCounters, AMetricThatTheReportLacksHasNoValue) {
  const MeasuredCounters counters =
      read(fake_ncu(record + "cat " + fixtures + "missing.csv >\"$log\""),
           {"smsp__sass_inst_executed_op_local_st.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"});
  EXPECT_EQ(counters.metrics[0].value, std::nullopt);
  EXPECT_EQ(counters.metrics[1].value, 128);
}

TEST_F(ProfileCounters, SaysWhyThereAreNone) {
  const auto refused = [&](const std::string& body, const std::string& reason) {
    SCOPED_TRACE(reason);
    expect_error([&] { read(fake_ncu(body), {sectors}); }, Code::unavailable, {"ncu", reason});
  };
  refused(record + "cat " + fixtures + "not_permitted.txt >\"$log\"", "ERR_NVGPUCTRPERM");
  refused(record + "cat " + fixtures + "no_kernel.txt >\"$log\"", "no launch of the kernel");
  refused(record + "cat " + fixtures + "other_error.txt >&2; exit 1", "LibraryNotLoaded");
  refused(record + "cat " + fixtures + "truncated.csv >\"$log\"", "cut off");
  refused("cat " + fixtures + "good.csv >\"$log\"", "left no record");
  refused("exit 7", "no table");
  expect_error([&] { read(fake_ncu("cat " + fixtures + "unknown_metric.txt >\"$log\""), {unknown}); },
               Code::unavailable, {"knows none of the metrics"});
}

TEST_F(ProfileCounters, TheVersionOfNcu) {
  EXPECT_EQ(ncu_version(fake_ncu("echo 'Version 2025.3.1.0 (build 36398880) (public-release)'")),
            "2025.3.1.0");
  EXPECT_EQ(ncu_version(fake_ncu("true")), "");
}

}  // namespace
}  // namespace tilewright
