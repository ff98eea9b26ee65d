// SPDX-License-Identifier: MIT
//
// docs/agreement.md, as a pure function of the records that `tilewright profile` wrote: what the emulator and the model
// predict of a launch beside what Nsight Compute counted. Every number on the page is in a record.
#pragma once

#include <string>
#include <vector>

#include "judge/record.h"

namespace tilewright {

// The lines of a JSON Lines file; none when there is no such file. Throws bad_input naming a line that is not JSON.
std::vector<Json> read_records(const std::string& path);

// The whole page, in the order of the records.
std::string agreement_page(const std::vector<Json>& records);

}  // namespace tilewright
