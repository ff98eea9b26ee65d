// SPDX-License-Identifier: MIT
//
// Which rung was the fastest at which shape on one GPU. A table is made by `tilewright tune --table` from the trials of
// a run and never by hand; whatever a file says is checked before any of it is believed.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/shape.h"

namespace tilewright {

inline constexpr int tuned_table_schema = 1;

struct TunedRow {
  Shape shape{};
  std::string rung;  // the fastest
  double median_us = 0;
  std::string runner_up;  // empty where no other rung was timed
  double runner_up_us = 0;
};

struct TunedTable {
  std::string gpu;  // as the driver names it
  int multiprocessors = 0;
  std::string driver, revision;
  bool dirty = false;
  std::vector<TunedRow> rows;  // each shape once
};

// `file` names it in errors. Throws bad_input on anything but a table of this schema: keys missing, unknown or of the
// wrong type; a rung that is not among `known`; a shape twice; a time that is not positive; an alignment that is not
// the shape's.
TunedTable parse_tuned_table(const std::string& text, const std::string& file,
                             std::span<const std::string> known);
TunedTable read_tuned_table(const std::string& path, std::span<const std::string> known);

// Every *.json of the folder; none where there is no such folder. Throws bad_input on two tables of one GPU.
std::vector<TunedTable> read_tuned_tables(const std::string& folder, std::span<const std::string> known);

// The text of the file, one row a line, rows in the order of their shapes.
std::string text_of(const TunedTable& table);

}  // namespace tilewright
