// SPDX-License-Identifier: MIT
//
// Tables as Markdown writes them.
#pragma once

#include <string>
#include <vector>

namespace tilewright {

inline std::string table_row(const std::vector<std::string>& cells) {
  std::string row = "|";
  for (const std::string& cell : cells) row += " " + cell + " |";
  return row + "\n";
}

// The first `texts` columns hold words and stand at the left, the others numbers and stand at the right.
inline std::string table_head(const std::vector<std::string>& cells, std::size_t texts = 1) {
  std::vector<std::string> rule;
  for (std::size_t i = 0; i < cells.size(); ++i) rule.emplace_back(i < texts ? "---" : "--:");
  return table_row(cells) + table_row(rule);
}

}  // namespace tilewright
