// SPDX-License-Identifier: MIT
//
// Every command of the README runs. Lines of its ```sh blocks that start with `./dev run ` or `tilewright `
// are given to the shell in the source folder, with the built program in their place and /tmp/ as a folder of
// this test.
#include "device/gpu_device.h"
#include "tests/surface/command.h"
#include "web/pages.h"

namespace tilewright {
namespace {

const std::string kSource = TILEWRIGHT_SOURCE_DIR;

// The lines of all ```sh blocks; a line that ends in a backslash goes on in the next.
std::vector<std::string> shell_lines(const std::string& markdown) {
  std::vector<std::string> lines;
  std::istringstream stream(markdown);
  bool in_shell = false, goes_on = false;
  for (std::string line; std::getline(stream, line);) {
    if (line.rfind("```", 0) == 0) {
      in_shell = !in_shell && line == "```sh";
      goes_on = false;
    } else if (in_shell) {
      if (goes_on)
        lines.back() += line;
      else
        lines.push_back(line);
      goes_on = line.ends_with("\\");
      if (goes_on) lines.back().pop_back();
    }
  }
  return lines;
}

// The command with the program in place of its name, or nothing for a line that this test does not run.
std::string runnable(const std::string& line) {
  for (const std::string prefix : {"./dev run ", "tilewright "})
    if (line.rfind(prefix, 0) == 0) return "'" + kProgram + "' " + line.substr(prefix.size());
  return {};
}

// python/tests/install.py runs these as they are.
bool is_for_python(const std::string& line) {
  return line.rfind("/usr/bin/python3 -m venv ", 0) == 0 || line.rfind("/tmp/tilewright/bin/", 0) == 0;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

std::set<std::string> top_of_source() {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kSource))
    names.insert(entry.path().filename().string());
  return names;
}

class SurfaceReadme : public Command {};

TEST_F(SurfaceReadme, EveryCommandRuns) {
  const std::string readme = whole_file(kSource + "/README.md");
  ASSERT_FALSE(readme.empty()) << "there is no README.md";
  const auto before = top_of_source();
  int ran = 0;
  for (const std::string& line : shell_lines(readme)) {
    const std::string command = runnable(line);
    if (command.empty()) continue;
    ++ran;
    const ProcessResult result =
        run_process({"sh", "-c", "cd '" + kSource + "' && " + replaced(command, " /tmp/", " " + path(""))});
    const bool needs_gpu = line.find("--device gpu") != std::string::npos && !gpu_unavailable().empty();
    const bool needs_page = explorer_page().pieces.empty() && (line.find(" explore ") != std::string::npos ||
                                                               line.find("report.html") != std::string::npos);
    EXPECT_EQ(result.exit_status, needs_gpu || needs_page ? 3 : 0) << line << "\n"
                                                                   << result.out << result.err;
    EXPECT_TRUE(needs_gpu || needs_page || !result.out.empty()) << line;
  }
  EXPECT_GE(ran, 3) << "the README shows no commands";
  EXPECT_EQ(top_of_source(), before) << "a command of the README writes into the source folder";
}

// Each line that a reader may copy is either run above or one of those that set up the whole.
TEST_F(SurfaceReadme, HasNoOtherKindOfCommand) {
  for (const std::string& line : shell_lines(whole_file(kSource + "/README.md"))) {
    const std::string word = line.substr(0, line.find_first_of(" #", line.find(' ') + 1));
    const bool known = line.empty() || line.front() == '#' || !runnable(line).empty() ||
                       word == "./dev demo" || word == "./dev test" || word == "./dev gpu" ||
                       word == "git clone" || is_for_python(line) || line.rfind("cd ", 0) == 0;
    EXPECT_TRUE(known) << line;
  }
}

TEST_F(SurfaceReadme, TheExtractionFindsWhatItShould) {
  const std::vector<std::string> lines = shell_lines(
      "text\n```sh\n./dev run a \\\n  b\n# note\ntilewright c\n```\n```text\n./dev run no\n```\n```\n./dev "
      "run no\n```\n"
      "```sh\n./dev demo\n```\n");
  EXPECT_EQ(lines, (std::vector<std::string>{"./dev run a   b", "# note", "tilewright c", "./dev demo"}));
  EXPECT_EQ(runnable("./dev run a b"), "'" + kProgram + "' a b");
  EXPECT_EQ(runnable("tilewright a"), "'" + kProgram + "' a");
  EXPECT_EQ(runnable("./dev demo"), "");
  EXPECT_EQ(replaced("x -o /tmp/a /tmp/b", " /tmp/", " /t/"), "x -o /t/a /t/b");
}

}  // namespace
}  // namespace tilewright
