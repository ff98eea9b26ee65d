// SPDX-License-Identifier: MIT
//
// Where every figure comes from, and whether the records agree with themselves.
#include <fmt/format.h>

#include "core/commas.h"
#include "report/blocks.h"
#include "report/sections.h"

namespace tilewright {
namespace {

struct Conditions {
  std::optional<double> lowest_clock_mhz, highest_clock_mhz, highest_power_w, highest_temperature_c;
  std::int64_t throttled = 0;
};

void widen(std::optional<double>& edge, const std::optional<double>& value, bool largest) {
  if (value && (!edge || (largest ? *value > *edge : *value < *edge))) edge = value;
}

Conditions conditions_of(const Evidence& evidence, std::size_t run) {
  Conditions conditions;
  for (const TimingRow& row : evidence.timings) {
    if (row.run != run) continue;
    widen(conditions.lowest_clock_mhz, row.lowest_clock_mhz, false);
    widen(conditions.highest_clock_mhz, row.highest_clock_mhz, true);
    widen(conditions.highest_power_w, row.highest_power_w, true);
    widen(conditions.highest_temperature_c, row.highest_temperature_c, true);
    conditions.throttled += row.throttled_batches;
  }
  return conditions;
}

Json or_unknown(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

TableBlock runs_table(const Evidence& evidence) {
  TableBlock table("runs", "The runs, as the column “run” of other tables counts them");
  table.text("run")
      .text("file")
      .text("command")
      .text("started")
      .text("source revision")
      .text("device")
      .text("driver");
  table.text("toolkit").text("flags").text("cuBLAS").count("planned").count("seed");
  for (std::size_t number = 0; number < evidence.runs.size(); ++number) {
    const RunHead& run = evidence.runs[number];
    const std::string gpu = run.in_environment("gpu"), driver = run.in_environment("driver");
    table.row({run_number(number), run.file, run.command, run.started,
               run.revision + (run.dirty ? " and changes" : ""),
               or_unknown(gpu.empty() ? run.in_environment("device") : gpu),
               or_unknown(driver.empty() ? run.in_environment("driver_cuda") : driver),
               or_unknown(run.in_environment("toolkit")), or_unknown(run.in_environment("flags")),
               or_unknown(run.in_environment("cublas")), or_nothing(run.planned), or_nothing(run.seed)});
  }
  return table;
}

TableBlock conditions_table(const Evidence& evidence) {
  TableBlock table("conditions", "What the timing runs measured of the machine");
  table.text("run")
      .number("FMA ceiling", "TFLOP/s", 2)
      .number("copy ceiling", "GB/s", 0)
      .number("read ceiling", "GB/s", 0);
  table.number("event pair", "µs", 2).number("empty launch", "µs", 2).number("lowest clock", "MHz", 0);
  table.number("highest clock", "MHz", 0)
      .number("highest power", "W", 0)
      .number("highest temperature", "°C", 0);
  table.count("throttled batches");
  for (std::size_t number = 0; number < evidence.runs.size(); ++number) {
    const RunHead& run = evidence.runs[number];
    if (run.command != "bench") continue;
    const Json &ceilings = run.record.at("ceilings"), &costs = run.record.at("calibration");
    const Conditions of = conditions_of(evidence, number);
    table.row({run_number(number), ceilings.at("fma_tflops"), ceilings.at("copy_gbps"),
               ceilings.at("read_gbps"), costs.at("event_pair_us"), costs.at("empty_launch_us"),
               or_nothing(of.lowest_clock_mhz), or_nothing(of.highest_clock_mhz),
               or_nothing(of.highest_power_w), or_nothing(of.highest_temperature_c), of.throttled});
  }
  return table;
}

Json files_table(const Evidence& evidence) {
  TableBlock table("files", "The record files");
  table.text("file").count("bytes").count("records").text("of which");
  for (const FileRow& file : evidence.files) {
    std::string kinds;
    for (const auto& [kind, count] : file.records)
      kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ", kind, count);
    table.row({file.name, file.bytes, file.all(), kinds});
  }
  return table.json();
}

}  // namespace

Section origin_section(const ReportView& view) {
  Section section{
      "origin", "Where the figures come from", "Source, machine and conditions of every run.", {}};
  for (const Evidence& evidence : view.sets) {
    const char* letter = &evidence == &view.main() ? "A" : "B";
    if (view.sets.size() > 1)
      section.blocks.push_back(text_block({fmt::format("{} is {}:", letter, evidence.name)}));
    for (const TableBlock& table : {runs_table(evidence), conditions_table(evidence)})
      if (!table.empty()) section.blocks.push_back(table.json());
    section.blocks.push_back(files_table(evidence));
  }
  return section;
}

Section recount_section(const ReportView& view) {
  Section section{"recount",
                  "The records counted again",
                  "Summaries, rates, ratios and verdicts are made again from the samples; what was planned "
                  "is counted; times "
                  "are held against the ceilings; passes against their own numbers.",
                  {}};
  TableBlock table("contradictions", "What does not follow");
  table.text("records").text("file, line, what");
  std::int64_t records = 0;
  for (const Evidence& evidence : view.sets) {
    records += evidence.records();
    for (const std::string& problem : evidence.contradictions) table.row({evidence.name, problem});
  }
  if (table.empty())
    section.blocks.push_back(text_block({with_commas(records) + " records, no contradiction."}));
  else
    section.blocks.push_back(table.json());
  return section;
}

}  // namespace tilewright
