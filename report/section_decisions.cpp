// SPDX-License-Identifier: MIT
//
// What each step was to do, what was decided, and what auto was tuned by.
#include <algorithm>
#include <map>
#include <regex>

#include "report/blocks.h"
#include "report/sections.h"

namespace tilewright {
namespace {

// Without the marks of Markdown for code and links.
std::string plain(const std::string& markdown) {
  static const std::regex link("\\[([^\\]]*)\\]\\([^)]*\\)");
  std::string text = std::regex_replace(markdown, link, "$1");
  text.erase(std::remove(text.begin(), text.end(), '`'), text.end());
  return text;
}

// What auto learns from: at each shape the fastest trial.
TableBlock tuning_table(const Evidence& evidence) {
  struct Trials {
    const TrialRow* fastest = nullptr;
    std::int64_t all = 0, failed = 0;
  };
  std::map<Shape, Trials> shapes;
  for (const TrialRow& row : evidence.trials) {
    Trials& of = shapes[row.shape];
    ++of.all;
    of.failed += row.verdict.rfind("FAIL", 0) == 0;
    const bool counts = row.verdict == "PASS" && row.microseconds;
    if (counts && (!of.fastest || *row.microseconds < *of.fastest->microseconds)) of.fastest = &row;
  }
  TableBlock table("tuning", "What auto was tuned by: the fastest trial at each shape");
  table.text("shape").text("rung").number("median", "µs", 2).count("trials").count("wrong").text("run");
  for (const auto& [shape, of] : shapes)
    if (of.fastest)
      table.row({to_string(shape), of.fastest->kernel, *of.fastest->microseconds, of.all, of.failed,
                 run_number(of.fastest->run)});
  return table;
}

}  // namespace

Section decisions_section(const ReportView& view) {
  Section section{"decisions",
                  "Decisions",
                  "What each step was to do, written before it was measured, and what was decided.",
                  {}};
  const std::vector<std::string> present = view.kernels();
  TableBlock table("decisions", "The steps");
  table.text("step").text("idea").text("predicted effect").text("decision");
  for (const LadderStep& step : view.inputs.steps)
    if (std::any_of(step.rungs.begin(), step.rungs.end(), [&](const std::string& rung) {
          return std::find(present.begin(), present.end(), rung) != present.end();
        }))
      table.row({step.name(), step.idea, plain(step.texts.predicted_effect), plain(step.texts.decision)});
  for (const TableBlock& one : {table, tuning_table(view.main())})
    if (!one.empty()) section.blocks.push_back(one.json());
  return section;
}

}  // namespace tilewright
