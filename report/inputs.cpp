// SPDX-License-Identifier: MIT
#include "report/inputs.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "core/error.h"
#include "core/read_file.h"

namespace tilewright {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> record_files_below(const std::string& folder) {
  std::vector<std::string> paths;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().extension() == ".jsonl")
      paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string without_last_slash(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

}  // namespace

InputSet read_input_set(const std::vector<std::string>& paths, const std::string& argument) {
  InputSet set;
  std::set<std::string> seen;
  for (const std::string& typed : paths) {
    const std::string path = without_last_slash(typed);
    set.name += (set.name.empty() ? "" : " ") + path;
    std::vector<std::string> files{path};
    if (fs::is_directory(path)) files = record_files_below(path);
    if (files.empty()) throw bad_input(argument, path, "holds no file that ends in .jsonl");
    for (const std::string& file : files)
      if (seen.insert(fs::weakly_canonical(file).string()).second)
        set.files.push_back({file, read_file(file, argument)});
  }
  return set;
}

Json to_json(const ReportInputs& inputs) {
  Json json{{"revision", inputs.revision},
            {"dirty", inputs.dirty},
            {"sets", Json::array()},
            {"steps", Json::array()},
            {"declared", Json::array()}};
  for (const InputSet& set : inputs.sets) {
    Json files = Json::array();
    for (const InputFile& file : set.files) files.push_back({{"name", file.name}, {"text", file.text}});
    json["sets"].push_back({{"name", set.name}, {"files", std::move(files)}});
  }
  for (const LadderStep& step : inputs.steps)
    json["steps"].push_back({{"page", step.page},
                             {"idea", step.idea},
                             {"rungs", step.rungs},
                             {"predicted_effect", step.texts.predicted_effect},
                             {"decision", step.texts.decision}});
  for (const DeclaredSet& set : inputs.declared) {
    Json shapes = Json::array();
    for (const Shape& shape : set.shapes) shapes.push_back(shape_json(shape));
    json["declared"].push_back({{"name", set.name}, {"shapes", std::move(shapes)}});
  }
  return json;
}

ReportInputs report_inputs(const Json& json) {
  ReportInputs inputs;
  try {
    inputs.revision = json.at("revision");
    inputs.dirty = json.at("dirty");
    for (const Json& set : json.at("sets")) {
      InputSet& added = inputs.sets.emplace_back(InputSet{set.at("name"), {}});
      for (const Json& file : set.at("files")) added.files.push_back({file.at("name"), file.at("text")});
    }
    for (const Json& step : json.at("steps"))
      inputs.steps.push_back({step.at("page"),
                              step.at("idea"),
                              step.at("rungs"),
                              {step.at("predicted_effect"), step.at("decision")}});
    for (const Json& set : json.at("declared")) {
      DeclaredSet& added = inputs.declared.emplace_back(DeclaredSet{set.at("name"), {}});
      for (const Json& shape : set.at("shapes"))
        added.shapes.push_back({shape.at(0), shape.at(1), shape.at(2)});
    }
  } catch (const Json::exception& error) {
    throw bad_input("report", "",
                    std::string("the records in it are not those of a report: ") + error.what());
  }
  if (inputs.sets.empty() || inputs.sets.size() > 2)
    throw bad_input("report", std::to_string(inputs.sets.size()), "must hold one set of records or two");
  return inputs;
}

}  // namespace tilewright
