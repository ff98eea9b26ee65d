// SPDX-License-Identifier: MIT
#include "bench/ladder_sources.h"

#include <algorithm>
#include <filesystem>

#include "bench/agreement_page.h"

namespace tilewright {
namespace {

namespace fs = std::filesystem;

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

}  // namespace

LadderSources read_ladder_sources(const std::string& source, const std::string& lib,
                                  const std::string& results) {
  LadderSources sources;
  for (const char* folder : {"/rungs", "/candidates"})
    if (fs::is_directory(lib + folder))
      for (LadderStep& step : read_steps(source, lib + folder)) sources.steps.push_back(std::move(step));
  // By the number that a file's name begins with, candidates among the others.
  std::stable_sort(sources.steps.begin(), sources.steps.end(), [](const LadderStep& a, const LadderStep& b) {
    return a.page.substr(a.page.rfind('/')) < b.page.substr(b.page.rfind('/'));
  });
  sources.bench = files_of(source, results + "/bench");
  const std::string profiles = results + "/profiles.jsonl";
  sources.profiles = {profiles, read_records(source + "/" + profiles)};
  sources.sets = declared_sets(source + "/bench/shapes.json");
  return sources;
}

}  // namespace tilewright
