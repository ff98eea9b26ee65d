// SPDX-License-Identifier: MIT
//
// The parts that a report is made of, as its page draws them: paragraphs, tables and figures. web/src/report/document.ts
// reads what stands here.
#pragma once

#include <string>
#include <vector>

#include "judge/record.h"

namespace tilewright {

Json text_block(std::vector<std::string> paragraphs);

// A cell is a text, a number or null.
class TableBlock {
 public:
  TableBlock(std::string name, std::string caption);
  TableBlock& text(const std::string& name);
  TableBlock& verdict(const std::string& name);
  TableBlock& count(const std::string& name, const std::string& unit = "");
  TableBlock& number(const std::string& name, const std::string& unit, int digits);
  // As many cells as there are columns.
  void row(std::vector<Json> cells);
  bool empty() const { return block_["rows"].empty(); }
  Json json() const { return block_; }

 private:
  TableBlock& column(const std::string& name, const std::string& kind, const std::string& unit);
  Json block_;
};

template <class T>
Json or_nothing(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

}  // namespace tilewright
