// SPDX-License-Identifier: MIT
#include "gemm/tuned_table.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "core/error.h"
#include "core/nearest.h"
#include "gemm/row_alignment.h"

namespace tilewright {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t most_extent = (1LL << 31) - 1;
constexpr int most_multiprocessors = 4096;

const std::set<std::string> table_keys{"schema", "table",    "gpu",   "multiprocessors",
                                       "driver", "revision", "dirty", "rows"};
const std::set<std::string> row_keys{"shape", "aligned", "rung", "median_us", "runner_up", "runner_up_us"};

// Values of one JSON object, refused by file, place, key and rule.
class Reader {
 public:
  Reader(std::string where, const Json& object, const std::set<std::string>& keys)
      : where_(std::move(where)), object_(object) {
    if (!object.is_object()) refuse("", object, "must be an object");
    for (const auto& [key, value] : object.items())
      if (keys.count(key) == 0) refuse(key, value, "is no key of a tuned table");
    for (const std::string& key : keys)
      if (!object.contains(key)) throw bad_input(where_ + " " + key, "", "is missing");
  }

  [[noreturn]] void refuse(const std::string& key, const Json& value, const std::string& rule) const {
    constexpr std::size_t most_shown = 60;
    std::string shown = value.dump(-1, ' ', true, Json::error_handler_t::replace);
    if (shown.size() > most_shown) shown = shown.substr(0, most_shown) + "…";
    throw bad_input(key.empty() ? where_ : where_ + " " + key, shown, rule);
  }

  const Json& at(const std::string& key) const { return object_.at(key); }

  std::string text(const std::string& key) const {
    const Json& value = at(key);
    if (!value.is_string() || value.get<std::string>().empty())
      refuse(key, value, "must be a string that is not empty");
    return value;
  }
  bool boolean(const std::string& key) const {
    if (!at(key).is_boolean()) refuse(key, at(key), "must be true or false");
    return at(key);
  }
  std::int64_t integer(const std::string& key, const Json& value, std::int64_t most) const {
    const bool fits = value.is_number_unsigned() && value.get<std::uint64_t>() >= 1 &&
                      value.get<std::uint64_t>() <= static_cast<std::uint64_t>(most);
    if (!fits) refuse(key, value, "must be an integer from 1 to " + std::to_string(most));
    return value;
  }
  double time(const std::string& key) const {
    const Json& value = at(key);
    if (!value.is_number() || !std::isfinite(value.get<double>()) || !(value.get<double>() > 0))
      refuse(key, value, "must be a time in microseconds, above 0");
    return value;
  }
  std::string rung(const std::string& key, std::span<const std::string> known) const {
    std::string name = text(key);
    if (std::find(known.begin(), known.end(), name) == known.end())
      refuse(key, at(key),
             "there is no such rung; the nearest is " + nearest(name, {known.begin(), known.end()}));
    return name;
  }

 private:
  std::string where_;
  const Json& object_;
};

Shape shape_of(const Reader& row) {
  const Json& value = row.at("shape");
  if (!value.is_array() || value.size() != 3) row.refuse("shape", value, "must be [M, N, K]");
  return {row.integer("shape", value[0], most_extent), row.integer("shape", value[1], most_extent),
          row.integer("shape", value[2], most_extent)};
}

TunedRow row_of(const Reader& row, std::span<const std::string> known) {
  TunedRow tuned;
  tuned.shape = shape_of(row);
  const std::string aligned(name_of(row_alignment(tuned.shape)));
  if (row.text("aligned") != aligned)
    row.refuse("aligned", row.at("aligned"), "must be " + aligned + " at " + to_string(tuned.shape));
  tuned.rung = row.rung("rung", known);
  tuned.median_us = row.time("median_us");
  if (row.at("runner_up").is_null() != row.at("runner_up_us").is_null())
    row.refuse("runner_up", row.at("runner_up"), "must be null where runner_up_us is, and only there");
  if (row.at("runner_up").is_null()) return tuned;
  tuned.runner_up = row.rung("runner_up", known);
  tuned.runner_up_us = row.time("runner_up_us");
  if (tuned.runner_up == tuned.rung) row.refuse("runner_up", row.at("runner_up"), "must be another rung");
  if (tuned.runner_up_us < tuned.median_us)
    row.refuse("runner_up_us", row.at("runner_up_us"), "must not be less than median_us");
  return tuned;
}

Json row_json(const TunedRow& row) {
  const bool alone = row.runner_up.empty();
  return {{"shape", {row.shape.M, row.shape.N, row.shape.K}},
          {"aligned", name_of(row_alignment(row.shape))},
          {"rung", row.rung},
          {"median_us", row.median_us},
          {"runner_up", alone ? Json(nullptr) : Json(row.runner_up)},
          {"runner_up_us", alone ? Json(nullptr) : Json(row.runner_up_us)}};
}

}  // namespace

TunedTable parse_tuned_table(const std::string& text, const std::string& file,
                             std::span<const std::string> known) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) throw bad_input("tuned table", file, "is not JSON");
  // The schema first: of another one nothing else is known.
  if (!json.is_object() || !json.contains("schema") || json["schema"] != tuned_table_schema)
    throw bad_input(
        "tuned table", file,
        "is not of schema " + std::to_string(tuned_table_schema) + ", the one this program reads");
  const Reader reader(file, json, table_keys);
  if (reader.text("table") != "tuned") reader.refuse("table", json["table"], "must be \"tuned\"");
  TunedTable table;
  table.gpu = reader.text("gpu");
  table.multiprocessors =
      static_cast<int>(reader.integer("multiprocessors", reader.at("multiprocessors"), most_multiprocessors));
  table.driver = reader.text("driver");
  table.revision = reader.text("revision");
  table.dirty = reader.boolean("dirty");
  const Json& rows = reader.at("rows");
  if (!rows.is_array()) reader.refuse("rows", rows, "must be an array");
  std::set<Shape> seen;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Reader row(file + " row " + std::to_string(i + 1), rows[i], row_keys);
    table.rows.push_back(row_of(row, known));
    if (!seen.insert(table.rows.back().shape).second)
      row.refuse("shape", rows[i]["shape"], "stands in a row above as well");
  }
  return table;
}

TunedTable read_tuned_table(const std::string& path, std::span<const std::string> known) {
  std::ifstream stream(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream.is_open() || text.empty()) throw bad_input("tuned table", path, "cannot be read, or is empty");
  return parse_tuned_table(text, path, known);
}

std::vector<TunedTable> read_tuned_tables(const std::string& folder, std::span<const std::string> known) {
  std::error_code failure;
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failure))
    if (entry.path().extension() == ".json") paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  std::vector<TunedTable> tables;
  for (const std::string& path : paths) {
    TunedTable table = read_tuned_table(path, known);
    for (const TunedTable& other : tables)
      if (other.gpu == table.gpu) throw bad_input("tuned table", path, "is the second one of " + table.gpu);
    tables.push_back(std::move(table));
  }
  return tables;
}

std::string text_of(const TunedTable& table) {
  std::vector<TunedRow> rows = table.rows;
  std::sort(rows.begin(), rows.end(), [](const TunedRow& a, const TunedRow& b) { return a.shape < b.shape; });
  std::string text = "{\n";
  const Json head{{"schema", tuned_table_schema},
                  {"table", "tuned"},
                  {"gpu", table.gpu},
                  {"multiprocessors", table.multiprocessors},
                  {"driver", table.driver},
                  {"revision", table.revision},
                  {"dirty", table.dirty}};
  for (const auto& [key, value] : head.items()) text += " " + Json(key).dump() + ": " + value.dump() + ",\n";
  text += " \"rows\": [";
  for (const TunedRow& row : rows) text += (&row == &rows.front() ? "\n  " : ",\n  ") + row_json(row).dump();
  return text + "\n ]\n}\n";
}

}  // namespace tilewright
