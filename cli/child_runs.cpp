// SPDX-License-Identifier: MIT
//
// Running cells in child processes of this program. A GPU kernel that faults spoils the process's CUDA
// context for good, and one that hangs never returns: either costs its own cell, and the next starts in a new
// process.
#include <filesystem>
#include <fstream>
#include <optional>
#include <regex>
#include <utility>

#include "cli/check.h"
#include "core/error.h"
#include "core/process.h"

namespace tilewright {
namespace {

std::vector<std::string> child_command(const App& app, const CheckOptions& options,
                                       const std::vector<std::string>& kernels, std::size_t from) {
  std::vector<std::string> command{app.self(), "check"};
  command.insert(command.end(), kernels.begin(), kernels.end());
  for (const auto& [flag, value] : {std::pair{"--shapes", options.shapes},
                                    {"--inputs", options.inputs},
                                    {"--device", std::string("gpu")},
                                    {"--seed", std::to_string(options.seed)},
                                    {"--launches", std::to_string(options.launches)},
                                    {"--stream-from", std::to_string(from)}})
    command.insert(command.end(), {flag, value});
  if (options.exact_allocations) command.emplace_back("--exact-allocations");
  if (!options.automatic.tuned.empty()) command.insert(command.end(), {"--tuned", options.automatic.tuned});
  if (!options.operands.empty()) {
    command.emplace_back("--operands");
    command.insert(command.end(), options.operands.begin(), options.operands.end());
  }
  return command;
}

std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of('\n');
  if (end == std::string::npos) return {};
  const std::size_t start = text.rfind('\n', end);
  return text.substr(start + 1, end - start);
}

std::vector<std::string> names_of(const Plan& plan) {
  std::vector<std::string> names;
  for (const Rung& kernel : plan.kernels) names.emplace_back(kernel.name);
  return names;
}

}  // namespace

void run_in_children(const App& app, const CheckOptions& options, const Plan& plan,
                     const std::vector<std::string>& prefix, const RecordSink& sink) {
  std::size_t next = 0;
  while (next < plan.cells.size()) {
    std::vector<std::string> command = prefix;
    const std::vector<std::string> own = child_command(app, options, names_of(plan), next);
    command.insert(command.end(), own.begin(), own.end());
    const std::size_t first = next;
    const auto on_line = [&](const std::string& line) {
      if (line.empty() || line.front() != '{') return;  // a checker's own words
      sink(Json::parse(line));
      ++next;
    };
    const ProcessResult child = run_process(command, on_line, options.hang_limit);
    if (next >= plan.cells.size() || child.exit_status == exit_restart) continue;
    if (next == first && (child.exit_status == exit_bad_input || child.exit_status == exit_unavailable))
      throw Error(Code::unavailable, "device", "gpu", last_line(child.err));
    sink(lost_cell_record(plan, plan.cells[next], child.timed_out ? "hang" : "crash",
                          child.timed_out
                              ? "no answer for " + std::to_string(options.hang_limit) + " s"
                              : "the process ended with status " + std::to_string(child.exit_status) + ": " +
                                    last_line(child.err)));
    ++next;
  }
}

namespace {

// "ERROR SUMMARY: 3 errors" or "RACECHECK SUMMARY: 2 hazards displayed (2 errors, 0 warnings)"; none without
// either.
std::optional<std::pair<int, std::string>> sanitizer_errors(const std::string& log) {
  std::smatch found;
  const std::regex summary("ERROR SUMMARY: ([0-9]+) error.*|RACECHECK SUMMARY: .*\\(([0-9]+) error.*");
  if (!std::regex_search(log, found, summary)) return std::nullopt;
  return std::pair(std::stoi(found[1].matched ? found[1] : found[2]), found.str());
}

// A checker that saw no launch reports no errors, so the kernel must also have been run and judged in every
// cell.
std::string sanitizer_verdict(const std::string& tool,
                              const std::optional<std::pair<int, std::string>>& errors,
                              const std::string& log, const std::vector<std::string>& cell_verdicts) {
  if (!errors) return Verdict{Verdict::Kind::unavailable, last_line(log)}.text();
  if (errors->first > 0) return Verdict{Verdict::Kind::fail, tool}.text();
  for (const std::string& verdict : cell_verdicts)
    if (verdict != "PASS") return verdict;
  return cell_verdicts.empty() ? Verdict{Verdict::Kind::unavailable, "no cell ran"}.text() : "PASS";
}

Json sanitizer_record(const std::string& log, const Plan& plan, const CheckOptions& options,
                      const std::vector<std::string>& cell_verdicts) {
  Json record{{"schema", record_schema},        {"record", "sanitizer"},    {"tool", options.sanitizer},
              {"kernel", plan.kernels[0].name}, {"inputs", options.inputs}, {"seed", plan.seed}};
  for (const Cell& cell : plan.cells) {
    const Json shape = shape_json(cell.shape);
    if (record["shapes"].empty() || record["shapes"].back() != shape) record["shapes"].push_back(shape);
  }
  const auto errors = sanitizer_errors(log);
  record["errors"] = errors ? Json(errors->first) : Json(nullptr);
  if (errors) record["summary"] = errors->second;
  record["cell_verdicts"] = cell_verdicts;
  record["verdict"] = sanitizer_verdict(options.sanitizer, errors, log, cell_verdicts);
  return record;
}

std::string whole_file(const std::string& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

std::vector<Json> run_sanitizer(const App& app, const CheckOptions& options, const Plan& plan) {
  const std::string checker = find_program("compute-sanitizer");
  if (checker.empty())
    throw Error(Code::unavailable, "--sanitizer", options.sanitizer, "compute-sanitizer is not installed");
  std::vector<Json> records;
  Progress progress(plan.kernels.size());
  for (std::size_t kernel = 0; kernel < plan.kernels.size(); ++kernel) {
    progress.step(options.sanitizer + " " + plan.kernels[kernel].name);
    // One kernel at a time, so that what is found is its own.
    Plan part;
    part.kernels = {plan.kernels[kernel]};
    part.seed = plan.seed;
    part.launches = plan.launches;
    part.operands = plan.operands;
    for (const Cell& cell : plan.cells)
      if (cell.kernel == kernel) part.cells.push_back({0, cell.shape, cell.inputs});
    CheckOptions exact = options;
    exact.exact_allocations = true;
    const TemporaryFolder folder;
    const std::string log = folder.file("log");
    std::vector<std::string> verdicts;
    run_in_children(app, exact, part, {checker, "--tool", options.sanitizer, "--log-file", log},
                    [&](const Json& record) { verdicts.push_back(record["verdict"]); });
    records.push_back(sanitizer_record(whole_file(log), part, options, verdicts));
  }
  return records;
}

}  // namespace tilewright
