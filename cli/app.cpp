// SPDX-License-Identifier: MIT
#include "cli/app.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <new>
#include <string_view>

#include "core/error.h"
#include "core/nearest.h"
#include "revision.h"

namespace tilewright {
namespace {

// One line, whatever the message holds.
std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

int exit_status_of(Code code) {
  switch (code) {
    case Code::fault:
      return exit_verdict;
    case Code::bad_input:
      return exit_bad_input;
    case Code::unsupported:
    case Code::unavailable:
      return exit_unavailable;
  }
  return exit_bad_input;
}

// Says it on standard error, and with --json as an object too; the status to end with.
int report(const Error& error, bool json) {
  if (!error.details.empty()) fmt::print(stderr, "{}", error.details);
  fmt::print(stderr, "tilewright: {}\n", one_line(error.what()));
  if (json)
    print_json({{"schema", record_schema},
                {"error", {{"argument", error.argument}, {"value", error.value}, {"rule", error.rule}}}});
  return exit_status_of(error.code);
}

// CLI11 parses "-1" as an unsigned number by wrapping it round.
std::string refuse_negative(const std::string& text) {
  return text.rfind('-', 0) == 0 ? "'" + text + "' must be an integer of at least 0" : "";
}

std::vector<std::string> names_below(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* below : command.get_subcommands({})) names.push_back(below->get_name());
  return names;
}

// A mistyped subcommand by its name, at whatever depth; everything else in CLI11's words.
Error usage_error(const CLI::ParseError& error, const CLI::App& cli, int argc, char** argv) {
  const CLI::App* command = &cli;
  for (int i = 1; i < argc; ++i) {
    const std::string typed = argv[i];
    const std::vector<std::string> known = names_below(*command);
    if (known.empty() || typed.empty() || typed.front() == '-') break;
    if (std::find(known.begin(), known.end(), typed) == known.end())
      return bad_input("command", typed,
                       "there is none of that name; did you mean " + nearest(typed, known) + "?");
    command = command->get_subcommand(typed);
  }
  return bad_input("usage", "", one_line(error.what()) + " (--help shows how)");
}

void add_json_flag(CLI::App& above, bool& json) {
  for (CLI::App* command : above.get_subcommands({})) {
    command->add_flag("--json", json, "print one JSON object on standard output and nothing else there");
    add_json_flag(*command, json);
  }
}

}  // namespace

CLI::Validator not_negative() { return {refuse_negative, "", "NOT NEGATIVE"}; }

CLI::Validator seconds_between(double least, double most) {
  const auto check = [=](const std::string& text) {
    char* end = nullptr;
    const double seconds = std::strtod(text.c_str(), &end);
    return seconds >= least && seconds <= most && *end == '\0'
               ? std::string()
               : fmt::format("'{}' must be from {} to {}", text, least, most);
  };
  return {check, "", "SECONDS"};
}

App::App(int argc, char** argv, std::string rung_folder)
    : argc_(argc),
      argv_(argv),
      self_(std::filesystem::read_symlink("/proc/self/exe").string()),
      installation_{std::filesystem::path(self_).parent_path().parent_path().string(),
                    std::move(rung_folder)},
      cli_(
          "Matrix multiplication on NVIDIA GPUs: kernels, and the proof that they are right.\n"
          "C[MxN] = A[MxK] * B[KxN], row-major float32.",
          "tilewright") {
  cli_.require_subcommand(1);
  cli_.set_version_flag("--version", std::string("tilewright 0.1.0 (") + source_revision + ")");
  cli_.footer(
      "Exit status: 0 all well; 1 a verdict or finding against the kernel; 2 bad usage or bad input;\n"
      "3 what was asked for is not available here.");
  add_multiply(*this);
  add_ladder(*this);
  add_check(*this);
  add_trace(*this);
  add_model(*this);
  add_profile(*this);
  add_bench(*this);
  add_explain(*this);
  add_explore(*this);
  add_report(*this);
  add_tune(*this);
  add_json_flag(cli_, json);
}

int App::run() {
  std::optional<Error> failure;
  try {
    cli_.parse(argc_, argv_);
  } catch (const CLI::Success& help) {
    return cli_.exit(help);
  } catch (const CLI::ParseError& error) {
    failure = usage_error(error, cli_, argc_, argv_);
    // The flag may stand behind what could not be parsed.
    json = std::any_of(argv_ + 1, argv_ + argc_,
                       [](const char* word) { return std::string_view(word) == "--json"; });
  } catch (const Error& error) {
    failure = error;
  } catch (const std::bad_alloc&) {
    failure = Error(Code::unavailable, "memory", "", "the matrices do not fit");
  } catch (const std::exception& error) {
    failure = Error(Code::unavailable, "unexpected error", "", error.what());
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    failure = bad_input("standard output", "", "cannot be written");
  return failure ? report(*failure, json) : status;
}

void leave_with(const Error& error, bool json) {
  const int ends_with = report(error, json);
  std::fflush(nullptr);
  std::_Exit(ends_with);
}

void print_json(const Json& json) {
  // A file name may be no UTF-8; JSON is.
  fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

std::string text_table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i == widths.size()) widths.push_back(0);
      widths[i] = std::max(widths[i], row[i].size());
    }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i)
      line +=
          i == 0 ? fmt::format("  {:<{}}", row[i], widths[i]) : fmt::format("  {:>{}}", row[i], widths[i]);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string short_number(const std::optional<double>& number) {
  return number ? fmt::format("{:.3g}", *number) : "-";
}

RunOrigin run_origin() {
  const std::time_t now = std::time(nullptr);
  return {source_revision, source_is_dirty, fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now))};
}

Progress::Progress(std::size_t total) : total_(total), shown_(isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() {
  if (shown_) fmt::print(stderr, "\r\033[K");
}

void Progress::step(const std::string& what) {
  ++done_;
  if (shown_) fmt::print(stderr, "\r\033[K[{}/{}] {}", done_, total_, what);
}

}  // namespace tilewright
