// SPDX-License-Identifier: MIT
//
// All that a report is made of: the texts of record files, what the rungs' pages say, the declared shapes. They travel
// inside the report, so that it can be made again from itself.
#pragma once

#include <string>
#include <vector>

#include "bench/shape_sets.h"
#include "judge/record.h"
#include "report/ladder_step.h"

namespace tilewright {

struct InputFile {
  std::string name, text;
};

struct InputSet {
  std::string name;
  std::vector<InputFile> files;
};

struct ReportInputs {
  std::vector<InputSet> sets;  // one, or two to be held against each other
  std::vector<LadderStep> steps;
  std::vector<DeclaredSet> declared;
  std::string revision;  // of the program that made the report
  bool dirty = false;
};

// Files, and of folders all files below that end in .jsonl. Throws bad_input naming `argument` where there is none.
InputSet read_input_set(const std::vector<std::string>& paths, const std::string& argument);

Json to_json(const ReportInputs& inputs);
// Throws bad_input on what to_json does not write.
ReportInputs report_inputs(const Json& json);

}  // namespace tilewright
