// SPDX-License-Identifier: MIT
//
// The sections of a report, each a pure function of the evidence. What there is no record of is left out; the first
// section says so.
#pragma once

#include <string>
#include <vector>

#include "report/evidence.h"

namespace tilewright {

struct Section {
  std::string id, title, lead;
  std::vector<Json> blocks;  // none: the section is left out
};

struct ReportView {
  const ReportInputs& inputs;
  const std::vector<Evidence>& sets;

  // What is reported; the second set, where there is one, stands only beside it.
  const Evidence& main() const { return sets.front(); }
  // The rungs of the ladder in their order, then every other kernel that was judged or timed, by name.
  std::vector<std::string> kernels() const;
  bool is_rung(const std::string& kernel) const;
  // The square at which most rungs have a figure, warm; the larger of two. None where none has.
  std::optional<Shape> ladder_shape() const;
};

Section against_section(const ReportView& view);
Section evidence_section(const ReportView& view);
Section ladder_section(const ReportView& view);
Section standing_section(const ReportView& view);
Section losses_section(const ReportView& view);
Section comparisons_section(const ReportView& view);
Section timings_section(const ReportView& view);
Section roofline_section(const ReportView& view);
Section profiles_section(const ReportView& view);
Section correctness_section(const ReportView& view);
Section contract_section(const ReportView& view);
Section shapes_section(const ReportView& view);
Section decisions_section(const ReportView& view);
Section origin_section(const ReportView& view);
Section recount_section(const ReportView& view);

// The few figures that stand first.
Json headline(const ReportView& view);

// How two sets compare: by verdict, in the order FASTER, SLOWER, SAME, AMBIGUOUS.
std::vector<std::pair<std::string, int>> verdicts_against(const ReportView& view);

inline std::string run_number(std::size_t run) { return std::to_string(run + 1); }

}  // namespace tilewright
