// SPDX-License-Identifier: MIT
//
// Prediction beside what Nsight Compute counted.
#include <algorithm>

#include "report/blocks.h"
#include "report/sections.h"

namespace tilewright {
namespace {

std::string words(std::string quantity) {
  std::replace(quantity.begin(), quantity.end(), '_', ' ');
  return quantity;
}

TableBlock limits_table(const Evidence& evidence) {
  TableBlock table("limits", "What limits a launch");
  table.text("kernel").text("shape").text("limiting resource").verdict("verdict").text("revision");
  for (const ProfileRow& row : evidence.profiles)
    if (!row.limit.empty())
      table.row({row.kernel, to_string(row.shape), row.limit, row.verdict, row.revision.substr(0, 12)});
  return table;
}

TableBlock predictions_table(const Evidence& evidence) {
  TableBlock table("predictions", "Predicted and measured");
  table.text("kernel").text("shape").text("quantity").text("unit").number("predicted", "", 2).text("by");
  table.number("measured", "", 2).number("measured over predicted", "", 3);
  for (const ProfileRow& row : evidence.profiles) {
    if (row.limit.empty()) continue;
    for (const ProfileRow::Reading& reading : row.readings) {
      if (!reading.predicted) continue;
      const bool both = reading.measured && *reading.predicted != 0;
      table.row({row.kernel, to_string(row.shape), words(reading.quantity), reading.unit, *reading.predicted,
                 reading.by, or_nothing(reading.measured),
                 both ? Json(*reading.measured / *reading.predicted) : Json(nullptr)});
    }
  }
  return table;
}

TableBlock agreement_table(const Evidence& evidence) {
  TableBlock table("agreement", "The emulator's exact counts beside the GPU's counters, launch by launch");
  table.text("kernel").text("shape").count("compared").count("equal").count("explained").count("different");
  table.count("unavailable").verdict("verdict");
  for (const ProfileRow& row : evidence.profiles) {
    if (row.counts.empty()) continue;
    const auto with = [&](const std::string& status) {
      return std::count_if(row.counts.begin(), row.counts.end(),
                           [&](const ProfileRow::Count& count) { return count.status == status; });
    };
    const auto compared = static_cast<std::int64_t>(row.counts.size());
    const auto equal = with("equal"), different = with("different"), unavailable = with("unavailable");
    table.row({row.kernel, to_string(row.shape), compared, equal, compared - equal - different - unavailable,
               different, unavailable, row.verdict});
  }
  return table;
}

TableBlock explained_table(const Evidence& evidence) {
  TableBlock table("explained", "Counts that are not equal, and why");
  table.text("kernel")
      .text("shape")
      .text("quantity")
      .number("predicted", "", 0)
      .number("measured", "", 0)
      .text("word");
  for (const ProfileRow& row : evidence.profiles)
    for (const ProfileRow::Count& count : row.counts)
      if (count.status != "equal")
        table.row({row.kernel, to_string(row.shape), words(count.quantity), or_nothing(count.predicted),
                   or_nothing(count.measured), count.status});
  return table;
}

}  // namespace

Section profiles_section(const ReportView& view) {
  Section section{"profiles",
                  "Prediction against profile",
                  "Models and emulator predict a launch; Nsight Compute measures one, with its own replay "
                  "and cache control.",
                  {}};
  for (const TableBlock& table : {limits_table(view.main()), predictions_table(view.main()),
                                  agreement_table(view.main()), explained_table(view.main())})
    if (!table.empty()) section.blocks.push_back(table.json());
  return section;
}

}  // namespace tilewright
