// SPDX-License-Identifier: MIT
//
// What the subcommands share: where the installation is, which kernels there are, how output looks.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/installation.h"
#include "core/commas.h"
#include "core/error.h"
#include "device/device.h"
#include "judge/record.h"

namespace tilewright {

// Exit statuses, as every subcommand uses them.
enum Exit { exit_well = 0, exit_verdict = 1, exit_bad_input = 2, exit_unavailable = 3 };

class App {
 public:
  // `rung_folder` below lib/tilewright/ holds the modules of the kernels this program knows.
  App(int argc, char** argv, std::string rung_folder);
  int run();

  const std::string& self() const { return self_; }
  const Installation& installation() const { return installation_; }

  CLI::App& cli() { return cli_; }
  bool json = false;
  int status = exit_well;

 private:
  int argc_;
  char** argv_;
  std::string self_;
  Installation installation_;
  CLI::App cli_;
};

void add_multiply(App& app);
void add_ladder(App& app);
void add_check(App& app);
void add_trace(App& app);
void add_model(App& app);
void add_profile(App& app);
void add_bench(App& app);
void add_explain(App& app);
void add_explore(App& app);
void add_report(App& app);
void add_tune(App& app);

// For options that hold an unsigned number.
CLI::Validator not_negative();

// For options that hold a time in seconds.
CLI::Validator seconds_between(double least, double most);

// Prints the object on standard output, the only thing there.
void print_json(const Json& json);

RunOrigin run_origin();

// The error as every command ends with it, and then the process, with nothing waited for: for a thread that finds
// another one waiting for ever.
[[noreturn]] void leave_with(const Error& error, bool json);

// Columns as wide as their widest cell; the first is left-aligned, the others right-aligned.
std::string text_table(const std::vector<std::vector<std::string>>& rows);

// "0.41", "1.2e-05", "-" for none.
std::string short_number(const std::optional<double>& number);

// A line on a terminal that is overwritten as work goes on; silent elsewhere.
class Progress {
 public:
  explicit Progress(std::size_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void step(const std::string& what);

 private:
  std::size_t total_, done_ = 0;
  bool shown_;
};

}  // namespace tilewright
