// SPDX-License-Identifier: MIT
#include "report/document.h"

#include <set>

#include "core/error.h"
#include "report/sections.h"

namespace tilewright {
namespace {

std::string title_of(const Evidence& evidence) {
  std::set<std::string> gpus;
  for (const RunHead& run : evidence.runs)
    if (const std::string gpu = run.in_environment("gpu"); !gpu.empty()) gpus.insert(gpu);
  for (const ProfileRow& row : evidence.profiles)
    if (!row.gpu.empty()) gpus.insert(row.gpu);
  std::string names;
  for (const std::string& gpu : gpus) names += (names.empty() ? "" : ", ") + gpu;
  return "float32 products on " + (names.empty() ? "the emulator" : names);
}

Json sets_json(const std::vector<Evidence>& sets) {
  Json json = Json::array();
  for (const Evidence& set : sets) {
    Json files = Json::array();
    for (const FileRow& file : set.files)
      files.push_back({{"name", file.name}, {"bytes", file.bytes}, {"records", file.all()}});
    json.push_back({{"name", set.name}, {"files", std::move(files)}});
  }
  return json;
}

std::string csv_cell(const Json& cell) {
  if (cell.is_null()) return "";
  if (!cell.is_string()) return cell.dump();
  std::string text = cell;
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  for (std::size_t at = 0; (at = text.find('"', at)) != std::string::npos; at += 2) text.insert(at, 1, '"');
  return '"' + text + '"';
}

std::string csv_line(const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) line += (i == 0 ? "" : ",") + cells[i];
  return line + "\n";
}

void compare(const Json& reported, const Json& recomputed, const std::string& path,
             std::vector<std::string>& found) {
  if (reported.is_object() && recomputed.is_object()) {
    const auto below_path = [&](const std::string& key) { return path.empty() ? key : path + "." + key; };
    for (const auto& [key, value] : reported.items())
      if (!recomputed.contains(key)) found.push_back(below_path(key) + ": is not of a report");
    for (const auto& [key, value] : recomputed.items()) {
      const std::string below = below_path(key);
      if (!reported.contains(key))
        found.push_back(below + ": is missing from the report");
      else
        compare(reported[key], value, below, found);
    }
  } else if (reported.is_array() && recomputed.is_array() && reported.size() == recomputed.size()) {
    for (std::size_t i = 0; i < reported.size(); ++i)
      compare(reported[i], recomputed[i], path + "[" + std::to_string(i) + "]", found);
  } else if (reported != recomputed) {
    const auto shown = [](const Json& value) {
      if (value.is_array()) return std::to_string(value.size()) + " entries";
      return value.dump(-1, ' ', false, Json::error_handler_t::replace).substr(0, 80);
    };
    found.push_back(path + ": " + shown(reported) + " in the report, " + shown(recomputed) +
                    " from its records");
  }
}

}  // namespace

ReportDocument report_document(const ReportInputs& inputs) {
  std::vector<Evidence> sets;
  for (const InputSet& set : inputs.sets) sets.push_back(read_evidence(set));
  const ReportView view{inputs, sets};
  ReportDocument document;
  document.json = {
      {"schema", report_schema},        {"record", "report"},
      {"title", title_of(view.main())}, {"made_by", {{"revision", inputs.revision}, {"dirty", inputs.dirty}}},
      {"sets", sets_json(sets)},        {"headline", headline(view)},
      {"sections", Json::array()}};
  for (const auto section :
       {against_section, evidence_section, ladder_section, standing_section, losses_section,
        comparisons_section, timings_section, roofline_section, profiles_section, correctness_section,
        decisions_section, contract_section, shapes_section, recount_section, origin_section}) {
    Section made = section(view);
    if (!made.blocks.empty())
      document.json["sections"].push_back(
          {{"id", made.id}, {"title", made.title}, {"lead", made.lead}, {"blocks", std::move(made.blocks)}});
  }
  for (const Evidence& set : sets)
    document.contradictions.insert(document.contradictions.end(), set.contradictions.begin(),
                                   set.contradictions.end());
  return document;
}

std::string csv_of(const Json& document, const std::string& table) {
  std::vector<std::string> known;
  for (const Json& section : document.at("sections"))
    for (const Json& block : section.at("blocks")) {
      if (block.at("kind") != "table") continue;
      known.push_back(block.at("name"));
      if (known.back() != table) continue;
      std::vector<std::string> cells;
      for (const Json& column : block.at("columns")) {
        std::string name = column.at("name");
        if (const std::string unit = column.at("unit"); !unit.empty()) name += " " + unit;
        cells.push_back(csv_cell(name));
      }
      std::string text = csv_line(cells);
      for (const Json& row : block.at("rows")) {
        cells.clear();
        for (const Json& cell : row) cells.push_back(csv_cell(cell));
        text += csv_line(cells);
      }
      return text;
    }
  std::string list;
  for (const std::string& name : known) list += (list.empty() ? "" : ", ") + name;
  throw bad_input("--table", table, "is no table of this report; it has " + list);
}

std::vector<std::string> differences(const Json& reported, const Json& recomputed) {
  std::vector<std::string> found;
  compare(reported, recomputed, "", found);
  return found;
}

}  // namespace tilewright
