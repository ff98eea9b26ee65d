// SPDX-License-Identifier: MIT
#include "bench/ladder_sources.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "bench/agreement_page.h"
#include "bench/shape_sets.h"
#include "core/error.h"
#include "device/catalog.h"

namespace tilewright {
namespace {

namespace fs = std::filesystem;

std::string whole(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream.is_open()) throw bad_input("file", path.string(), "cannot be read");
  return {std::istreambuf_iterator<char>(stream), {}};
}

// A rung's page lies beside its source and has its name.
void add_steps(std::vector<LadderStep>& steps, const fs::path& source, const std::string& modules) {
  Catalog catalog;
  catalog.load_folder(modules);
  for (const Rung& rung : catalog.rungs()) {
    const std::string page = fs::path(rung.source).replace_extension(".md").string();
    if (steps.empty() || steps.back().page != page)
      steps.push_back({page, rung.idea, {}, rung_texts(whole(source / page), page)});
    steps.back().rungs.emplace_back(rung.name);
  }
}

// Named as seen from the repository.
std::vector<BenchFile> files_of(const fs::path& source, const fs::path& folder) {
  std::vector<BenchFile> files;
  if (!fs::is_directory(source / folder)) return files;
  for (const auto& entry : fs::directory_iterator(source / folder))
    if (entry.path().extension() == ".jsonl")
      files.push_back({(folder / entry.path().filename()).string(), read_records(entry.path().string())});
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return files;
}

std::vector<DeclaredSet> sets_of(const std::string& path) {
  const Json file = Json::parse(whole(path));  // outlives the loop over its parts
  std::vector<DeclaredSet> sets;
  for (const auto& [name, shapes] : file.at("sets").items()) sets.push_back({name, parse_shapes(name, path)});
  return sets;
}

}  // namespace

LadderSources read_ladder_sources(const std::string& source, const std::string& lib,
                                  const std::string& results) {
  LadderSources sources;
  add_steps(sources.steps, source, lib + "/rungs");
  if (fs::is_directory(lib + "/candidates")) add_steps(sources.steps, source, lib + "/candidates");
  // By the number that a file's name begins with, candidates among the others.
  std::stable_sort(sources.steps.begin(), sources.steps.end(), [](const LadderStep& a, const LadderStep& b) {
    return a.page.substr(a.page.rfind('/')) < b.page.substr(b.page.rfind('/'));
  });
  sources.bench = files_of(source, results + "/bench");
  const std::string profiles = results + "/profiles.jsonl";
  sources.profiles = {profiles, read_records(source + "/" + profiles)};
  sources.sets = sets_of(source + "/bench/shapes.json");
  return sources;
}

}  // namespace tilewright
