// SPDX-License-Identifier: MIT
//
// The kernels of tests/user_kernels, as people write them, through the program as people call it. Each file says its
// command line in a comment (`// Options:`) and, where the defaults do not fit, `// Shape:`, `// Inputs:` and `// Needs:`
// (a header of the CUDA toolkit). A file with `// Caught: KIND` is a mutant of the one its name begins with, and
// `// caught here` marks the lines a finding may name. Nothing else lists the kernels.
#include <algorithm>
#include <map>

#include "cli/kernel_choice.h"
#include "tests/surface/command.h"

namespace tilewright {
namespace {

struct UserKernel {
  std::string name, options, inputs = "uniform", needs, caught;  // caught: empty when it is honest
  std::vector<std::string> shapes;
  std::set<int> lines;

  std::string path() const { return TILEWRIGHT_SOURCE_DIR "/tests/user_kernels/" + name + ".cu"; }
};

void PrintTo(const UserKernel& kernel, std::ostream* stream) { *stream << kernel.name; }

UserKernel read_user_kernel(const std::filesystem::path& file) {
  UserKernel kernel;
  kernel.name = file.stem().string();
  std::ifstream stream(file);
  int number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    const auto value_of = [&](const std::string& key) {
      return line.rfind("// " + key + ": ", 0) == 0 ? line.substr(key.size() + 5) : std::string();
    };
    kernel.options += value_of("Options");
    kernel.needs += value_of("Needs");
    kernel.caught += value_of("Caught");
    if (const std::string inputs = value_of("Inputs"); !inputs.empty()) kernel.inputs = inputs;
    if (const std::string shape = value_of("Shape"); !shape.empty()) kernel.shapes.push_back(shape);
    if (line.find("  // caught here") != std::string::npos) kernel.lines.insert(number);
  }
  if (kernel.shapes.empty()) kernel.shapes = {"17x19x23", "64x64x64"};
  if (!kernel.caught.empty()) kernel.shapes.resize(1);
  return kernel;
}

std::vector<UserKernel> read_user_kernels() {
  std::vector<UserKernel> kernels;
  for (const auto& entry : std::filesystem::directory_iterator(TILEWRIGHT_SOURCE_DIR "/tests/user_kernels"))
    if (entry.path().extension() == ".cu") kernels.push_back(read_user_kernel(entry.path()));
  std::sort(kernels.begin(), kernels.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return kernels;
}

// As a shell would, but for quotes within a word.
Arguments words_of(const std::string& options) {
  Arguments words;
  std::string word;
  bool quoted = false;
  for (const char c : options + " ") {
    if (c == '\'') quoted = !quoted;
    if (c == '\'' || (c == ' ' && !quoted && word.empty())) continue;
    if (c == ' ' && !quoted)
      words.push_back(std::exchange(word, ""));
    else
      word += c;
  }
  return words;
}

class UserKernels : public testing::TestWithParam<UserKernel> {
 protected:
  static SurfaceJson trace(const UserKernel& kernel, const std::string& shape, const std::string& order,
                           int status) {
    Arguments arguments{kProgram,  "trace", kernel.path(), "--shape",     shape,
                        "--order", order,   "--inputs",    kernel.inputs, "--json"};
    for (const std::string& word : words_of(kernel.options)) arguments.push_back(word);
    const ProcessResult result = run_process(arguments);
    EXPECT_EQ(result.exit_status, status) << result.err;
    return SurfaceJson::parse(result.out, nullptr, false);
  }

  static void expect_honest(const SurfaceJson& json) {
    EXPECT_EQ(json.value("verdict", ""), "PASS");
    EXPECT_EQ(json.value("findings_total", -1), 0) << json["findings"].dump(1);
  }

  static void expect_caught(const UserKernel& kernel, const SurfaceJson& json) {
    if (kernel.lines.empty()) {  // nothing but the judge sees it
      EXPECT_EQ(json.value("verdict", ""), "FAIL(" + kernel.caught + ")");
      EXPECT_EQ(json.value("findings_total", -1), 0);
      return;
    }
    int of_this_kind = 0;
    for (const SurfaceJson& finding : json["findings"]) {
      if (finding.value("kind", "") != kernel.caught) continue;
      ++of_this_kind;
      EXPECT_EQ(finding.value("file", ""), kernel.path());
      EXPECT_TRUE(kernel.lines.count(finding.value("line", 0)) +
                      kernel.lines.count(finding.value("other_line", 0)) >
                  0)
          << "not on a marked line: " << finding.dump();
    }
    EXPECT_GT(of_this_kind, 0) << json.value("verdict", "");
  }
};

TEST_P(UserKernels, AreJudgedRight) {
  const UserKernel& kernel = GetParam();
  ASSERT_FALSE(kernel.options.empty());
  if (!kernel.needs.empty() && find_cuda_include().empty())
    GTEST_SKIP() << "no CUDA toolkit here for <" << kernel.needs << ">";
  for (const std::string& shape : kernel.shapes)
    for (const char* order : {"forward", "reversed", "shuffled"}) {
      SCOPED_TRACE(kernel.name + " at " + shape + ", " + order);
      const SurfaceJson json = trace(kernel, shape, order, kernel.caught.empty() ? 0 : 1);
      ASSERT_TRUE(json.is_object());
      kernel.caught.empty() ? expect_honest(json) : expect_caught(kernel, json);
    }
}

INSTANTIATE_TEST_SUITE_P(, UserKernels, testing::ValuesIn(read_user_kernels()),
                         [](const auto& kernel) { return "k" + kernel.param.name; });

class UserKernelFiles : public Command {};

// Where there is no toolkit, and so where $CUDA_HOME says that there is none.
TEST_F(UserKernelFiles, ThatNeedAToolkitAreRefusedWithoutOne) {
  int needing = 0;
  for (const UserKernel& kernel : read_user_kernels()) {
    if (kernel.needs.empty() || !kernel.caught.empty()) continue;
    ++needing;
    Arguments arguments{"env", "CUDA_HOME=/no/toolkit", kProgram, "trace", kernel.path(), "--shape", "5x5x5"};
    for (const std::string& word : words_of(kernel.options)) arguments.push_back(word);
    const ProcessResult result = run_process(arguments);
    EXPECT_EQ(result.exit_status, 3);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_EQ(result.err.rfind("tilewright: " + kernel.path() + ":", 0), 0U) << result.err;
    EXPECT_NE(result.err.find("'#include <" + kernel.needs + ">'"), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("no CUDA toolkit"), std::string::npos) << result.err;
  }
  EXPECT_GE(needing, 1);
}

TEST_F(UserKernelFiles, EachHonestOneHasAMutant) {
  std::map<std::string, int> mutants;
  for (const UserKernel& kernel : read_user_kernels())
    if (kernel.caught.empty()) mutants[kernel.name] = 0;
  EXPECT_GE(mutants.size(), 10U);
  for (const UserKernel& kernel : read_user_kernels()) {
    if (kernel.caught.empty()) continue;
    const auto of = std::find_if(mutants.begin(), mutants.end(), [&](const auto& honest) {
      return kernel.name.rfind(honest.first + "_", 0) == 0;
    });
    ASSERT_NE(of, mutants.end()) << kernel.name << " is a mutant of nothing";
    ++of->second;
  }
  for (const auto& [name, count] : mutants) EXPECT_GE(count, 1) << name << " has no mutant";
}

}  // namespace
}  // namespace tilewright
