// SPDX-License-Identifier: MIT
//
// core/process.h: what a program said and how it ended, also when it says much, nothing, or never ends.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "core/process.h"
#include "tests/unit/error_of.h"

namespace tilewright {
namespace {

ProcessResult shell(const std::string& script, const std::function<void(const std::string&)>& on_line = {},
                    int silence_limit_seconds = 0) {
  return run_process({"sh", "-c", script}, on_line, silence_limit_seconds);
}

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TEST(CoreProcess, KeepsTheTwoStreamsAndTheStatusApart) {
  const ProcessResult result = shell("echo out; echo err >&2; exit 7");
  EXPECT_EQ(result.exit_status, 7);
  EXPECT_EQ(result.out, "out\n");
  EXPECT_EQ(result.err, "err\n");
  EXPECT_FALSE(result.timed_out);
  EXPECT_EQ(shell("true").exit_status, 0);
}

TEST(CoreProcess, ASignalIs128AndItsNumber) {
  EXPECT_EQ(shell("kill -9 $$").exit_status, 128 + 9);
  EXPECT_EQ(shell("kill -ABRT $$").exit_status, 128 + 6);
}

TEST(CoreProcess, ArgumentsPassNoShell) {
  const ProcessResult result = run_process({"printf", "%s|", "a b", "$HOME", "'\"", "*", ""});
  EXPECT_EQ(result.out, "a b|$HOME|'\"|*||");
}

TEST(CoreProcess, StandardInputIsEmpty) {
  const ProcessResult result = shell("cat; echo end");
  EXPECT_EQ(result.out, "end\n");
}

// More than a pipe holds on both streams at once: neither may block the other.
TEST(CoreProcess, ReadsBothStreamsToTheirEnd) {
  const ProcessResult result =
      shell("for i in 1 2 3 4; do head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2; done");
  EXPECT_EQ(result.out.size(), 1200000U);
  EXPECT_EQ(result.err.size(), 1200000U);
}

TEST(CoreProcess, HandsOnEachCompleteLineOnce) {
  std::vector<std::string> lines;
  const ProcessResult result = shell("printf 'one\\n\\ntw'; sleep 0.1; printf 'o\\nrest'; echo err >&2",
                                     [&](const std::string& line) { lines.push_back(line); });
  EXPECT_EQ(lines, (std::vector<std::string>{"one", "", "two"}));
  EXPECT_EQ(result.out, "one\n\ntwo\nrest");
}

TEST(CoreProcess, HandsOnALineWhileTheProgramStillRuns) {
  double until_line = 0;
  const double until_end = seconds_of([&] {
    const auto start = std::chrono::steady_clock::now();
    shell("echo now; sleep 1", [&](const std::string&) {
      until_line = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    });
  });
  EXPECT_LT(until_line, 0.8);
  EXPECT_GE(until_end, 1.0);
}

TEST(CoreProcess, SilenceEndsAProgram) {
  ProcessResult result;
  const double seconds = seconds_of([&] { result = run_process({"sleep", "60"}, {}, 1); });
  EXPECT_TRUE(result.timed_out);
  EXPECT_EQ(result.exit_status, 128 + 9);
  EXPECT_GE(seconds, 0.9);
  EXPECT_LT(seconds, 30.0);
}

TEST(CoreProcess, AProgramThatKeepsTalkingIsNotSilent) {
  const ProcessResult result = shell("for i in 1 2 3 4; do echo $i; sleep 0.4; done", {}, 1);
  EXPECT_FALSE(result.timed_out);
  EXPECT_EQ(result.out, "1\n2\n3\n4\n");
}

TEST(CoreProcess, AProgramThatIsNotThereIsUnavailableByName) {
  expect_error([] { run_process({"tilewright-no-such-program"}); }, Code::unavailable,
               {"tilewright-no-such-program", "No such file"});
  expect_error([] { run_process({"/etc/passwd"}); }, Code::unavailable, {"/etc/passwd", "Permission denied"});
}

TEST(CoreProcess, FindsProgramsInPathAndNothingElse) {
  EXPECT_TRUE(std::filesystem::exists(find_program("sh")));
  EXPECT_EQ(std::filesystem::path(find_program("sh")).filename(), "sh");
  EXPECT_EQ(find_program("tilewright-no-such-program"), "");
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.file("a-folder"));
  std::ofstream(folder.file("a-text")) << "text";
  const std::string path = getenv("PATH");
  setenv("PATH", folder.file("").c_str(), 1);
  EXPECT_EQ(find_program("a-folder"), "");
  EXPECT_EQ(find_program("a-text"), "");
  EXPECT_EQ(find_program("sh"), "");
  setenv("PATH", path.c_str(), 1);
}

TEST(CoreProcess, ATemporaryFolderIsItsOwnAndGoesWithItsContents) {
  std::string first, second;
  {
    const TemporaryFolder a, b;
    first = a.file("x");
    second = b.file("x");
    std::ofstream(first) << "text";
    std::filesystem::create_directories(second + "/deep/er");
    EXPECT_TRUE(std::filesystem::exists(first));
  }
  EXPECT_NE(first, second);
  EXPECT_FALSE(std::filesystem::exists(std::filesystem::path(first).parent_path()));
  EXPECT_FALSE(std::filesystem::exists(std::filesystem::path(second).parent_path()));
}

}  // namespace
}  // namespace tilewright
