// SPDX-License-Identifier: MIT
//
// A report as one JSON object, a pure function of its inputs: its page draws it, `--json` prints it, `--csv` takes a table
// of it, and `--verify` makes it again.
#pragma once

#include <string>
#include <vector>

#include "report/inputs.h"

namespace tilewright {

inline constexpr int report_schema = 1;

struct ReportDocument {
  Json json;
  std::vector<std::string> contradictions;  // of the records with themselves
};

// Throws bad_input on what is no record, naming file and line.
ReportDocument report_document(const ReportInputs& inputs);

// Throws bad_input when the report has no such table; the message names those that it has.
std::string csv_of(const Json& document, const std::string& table);

// Where two documents differ, each as "sections[3].blocks[0].rows[2][1]: 51.4 in the report, 51.3 from its records".
std::vector<std::string> differences(const Json& reported, const Json& recomputed);

}  // namespace tilewright
