// SPDX-License-Identifier: MIT
//
// The parts of `tilewright check`: what was asked for, running its plan (here or in child processes), and the
// summary.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "cli/app.h"
#include "cli/auto_choice.h"
#include "cli/kernel_choice.h"
#include "judge/plan.h"

namespace tilewright {

struct CheckOptions {
  KernelChoice kernel;
  EmulatorChoice emulator;
  AutoChoice automatic;
  std::string shapes = "matrix", inputs = "all", device = "auto", out, sanitizer;
  std::vector<std::string> operands;  // two .npy files, or none
  std::uint64_t seed = 1;
  int launches = 1;
  bool exact_allocations = false;
  int hang_limit = 300;           // seconds without an answer from the GPU before a cell is given up
  std::int64_t stream_from = -1;  // in a child: run the cells from here and print each record
};

// One finished cell, in the plan's order.
using RecordSink = std::function<void(const Json& record)>;

// The child's status that says: this cell's fault left the GPU unusable, go on in a new process.
inline constexpr int exit_restart = 70;

// Runs the plan's cells in children of this program, so that a kernel that faults, hangs or kills its process
// costs one cell and not the rest. `prefix` is put in front of the command (a memory checker).
void run_in_children(const App& app, const CheckOptions& options, const Plan& plan,
                     const std::vector<std::string>& prefix, const RecordSink& sink);

// One pass of compute-sanitizer per kernel; the records say what it found.
std::vector<Json> run_sanitizer(const App& app, const CheckOptions& options, const Plan& plan);

// What the records of a check add up to.
class CheckSummary {
 public:
  explicit CheckSummary(const Plan& plan);
  void add(const Json& record);

  bool passed() const { return failed_ == 0 && passed_ > 0; }
  std::string verdict() const;
  Json json() const;
  std::string text() const;

 private:
  struct Row {
    std::string kernel;
    std::string failure, unsupported;  // the first verdict of each, if any
    std::size_t planned = 0, passed = 0, failed = 0, skipped = 0;
    std::optional<double> max_r, rms_r, max_abs_error;
    std::int64_t findings = 0;
    std::map<std::string, std::int64_t> counted, predicted;  // by what; empty where nobody counts or predicts
    bool as_predicted = true;                                // in every cell, not only in the sum

    // Nothing that did not run has passed.
    std::string verdict() const { return !failure.empty() ? failure : passed > 0 ? "PASS" : unsupported; }
  };
  void add_to_row(Row& row, const Json& record);
  std::string generated_text() const;
  std::string table(const std::map<std::size_t, Row>& rows) const;
  std::size_t kernel_index(const std::string& name) const;

  const Plan& plan_;
  std::map<std::size_t, Row> rows_, operand_rows_;
  std::vector<Json> failures_;
  std::map<std::string, std::size_t> rules_;  // why cells were not run
  std::size_t passed_ = 0, failed_ = 0, unsupported_ = 0;
  std::string first_failure_;
};

}  // namespace tilewright
