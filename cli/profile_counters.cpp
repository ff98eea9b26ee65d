// SPDX-License-Identifier: MIT
#include "cli/profile_counters.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>

#include "core/error.h"
#include "core/process.h"

namespace tilewright {
namespace {

constexpr int silence_limit_seconds = 300;

std::string joined(const std::vector<std::string>& words, const char* separator) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : separator) + word;
  return text;
}

// A mangled name has no character that means something else in a regular expression.
std::string pattern_of(const std::vector<std::string>& kernels) {
  return kernels.size() == 1 ? kernels.front() : "regex:^(" + joined(kernels, "|") + ")$";
}

struct NcuRun {
  std::string log;  // the table and what ncu says
  Json launch;
  bool timed_out = false;
};

NcuRun run_ncu(const CounterRequest& request, const std::vector<std::string>& metrics) {
  const TemporaryFolder folder;
  const std::string log = folder.file("log");
  std::vector<std::string> command{request.ncu};
  for (const auto& [option, value] : collection_settings()) {
    command.push_back("--" + option);
    command.push_back(value);
  }
  for (const char* word :
       {"--csv", "--page", "raw", "--print-units", "base", "--kernel-name-base", "mangled", "--launch-count"})
    command.emplace_back(word);
  command.insert(command.end(),
                 {std::to_string(request.kernels.size()), "--kernel-name", pattern_of(request.kernels),
                  "--metrics", joined(metrics, ","), "--log-file", log});
  command.insert(command.end(), request.command.begin(), request.command.end());
  NcuRun run;
  const ProcessResult result = run_process(
      command,
      [&](const std::string& line) {
        if (!line.empty() && line.front() == '{') run.launch = Json::parse(line, nullptr, false);
      },
      silence_limit_seconds);
  std::ifstream stream(log);
  run.log = std::string(std::istreambuf_iterator<char>(stream), {}) + result.out + result.err;
  run.timed_out = result.timed_out;
  return run;
}

}  // namespace

const std::vector<std::pair<std::string, std::string>>& collection_settings() {
  static const std::vector<std::pair<std::string, std::string>> settings{
      {"clock-control", "none"},  // the machine may be shared, and counts do not depend on clocks
      {"cache-control", "all"},   // caches are emptied before each pass: what a launch reads, it fetches
      {"replay-mode", "kernel"},  // each pass runs the kernel again on restored memory, not the program
  };
  return settings;
}

std::vector<std::string> MeasuredCounters::missing() const {
  std::vector<std::string> names;
  for (const Metric& metric : metrics)
    if (!metric.value) names.push_back(metric.name);
  return names;
}

MeasuredCounters read_counters(const CounterRequest& request) {
  MeasuredCounters measured;
  std::vector<std::string> metrics = request.metrics;
  NcuRun run;
  while (true) {
    run = run_ncu(request, metrics);
    const std::vector<std::string> unknown = metrics_unknown_to_ncu(run.log, metrics);
    if (unknown.empty()) break;
    measured.unknown.insert(measured.unknown.end(), unknown.begin(), unknown.end());
    std::erase_if(metrics, [&](const std::string& name) {
      return std::find(unknown.begin(), unknown.end(), name) != unknown.end();
    });
    if (metrics.empty()) throw Error(Code::unavailable, "ncu", "", "knows none of the metrics");
  }
  if (run.timed_out)
    throw Error(Code::unavailable, "ncu", "",
                "no answer for " + std::to_string(silence_limit_seconds) + " s");
  if (const std::string reason = ncu_failure(run.log); !reason.empty())
    throw Error(Code::unavailable, "ncu", "", reason);
  const std::vector<Metric> columns = parse_ncu_csv(run.log, request.kernels.size());
  if (!run.launch.is_object() || !run.launch.contains("verdict"))
    throw Error(Code::unavailable, "ncu", "", "the launch that it measured left no record");
  for (const std::string& name : request.metrics) {
    const auto found = std::find_if(columns.begin(), columns.end(),
                                    [&](const Metric& column) { return column.name == name; });
    measured.metrics.push_back(found == columns.end() ? Metric{name, "", std::nullopt}
                                                      : in_base_units(*found));
  }
  measured.passes = passes_of(run.log);
  measured.launch = run.launch;
  return measured;
}

std::string ncu_version(const std::string& ncu) {
  const std::string text = run_process({ncu, "--version"}).out;
  std::smatch found;
  return std::regex_search(text, found, std::regex("Version ([0-9.]+)")) ? found[1] : std::string();
}

std::string find_cuda_program(const std::string& name) {
  if (std::string found = find_program(name); !found.empty()) return found;
  std::string installed = "/usr/local/cuda/bin/" + name;
  return access(installed.c_str(), X_OK) == 0 ? installed : std::string();
}

}  // namespace tilewright
