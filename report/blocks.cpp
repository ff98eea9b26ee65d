// SPDX-License-Identifier: MIT
#include "report/blocks.h"

#include <stdexcept>

namespace tilewright {

Json text_block(std::vector<std::string> paragraphs) {
  return {{"kind", "text"}, {"paragraphs", std::move(paragraphs)}};
}

TableBlock::TableBlock(std::string name, std::string caption)
    : block_{{"kind", "table"},
             {"name", std::move(name)},
             {"caption", std::move(caption)},
             {"columns", Json::array()},
             {"rows", Json::array()}} {}

TableBlock& TableBlock::column(const std::string& name, const std::string& kind, const std::string& unit) {
  block_["columns"].push_back({{"name", name}, {"unit", unit}, {"kind", kind}});
  return *this;
}

TableBlock& TableBlock::text(const std::string& name) { return column(name, "text", ""); }
TableBlock& TableBlock::verdict(const std::string& name) { return column(name, "verdict", ""); }
TableBlock& TableBlock::count(const std::string& name, const std::string& unit) {
  return column(name, "count", unit);
}
TableBlock& TableBlock::number(const std::string& name, const std::string& unit, int digits) {
  column(name, "number", unit);
  block_["columns"].back()["digits"] = digits;
  return *this;
}

void TableBlock::row(std::vector<Json> cells) {
  if (cells.size() != block_["columns"].size())
    throw std::logic_error("a row of another length than its table");
  block_["rows"].push_back(std::move(cells));
}

}  // namespace tilewright
