// SPDX-License-Identifier: MIT
//
// What a .cu file of this folder says about itself in comments: `// Caught: KIND` (a kind of finding, a
// verdict of the judge, or "nothing"), `// caught here` at the end of each line a finding may name, and where
// the defaults do not show it, `// Shape: MxNxK` and `// Inputs: FAMILY`. Nothing else lists the mutants.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/finding.h"
#include "core/shape.h"

namespace tilewright {

struct MutantSource {
  std::string name;    // of file, kernel and rung
  std::string caught;  // one word
  std::set<int> lines;
  std::vector<Shape> shapes;
  std::string inputs = "uniform";

  std::string path() const { return "tests/mutants/" + name + ".cu"; }
  bool honest() const { return name.rfind("honest_", 0) == 0; }
};

// How a test's message shows it.
inline void PrintTo(const MutantSource& source, std::ostream* stream) { *stream << source.path(); }

// Every kind of finding there is, by the enumeration itself: a kind added there is a kind here.
inline std::set<std::string> finding_kinds() {
  std::set<std::string> kinds;
  for (int kind = 0; name_of(static_cast<FindingKind>(kind)) != "unknown"; ++kind)
    kinds.emplace(name_of(static_cast<FindingKind>(kind)));
  return kinds;
}

// What judge and check say about a run without findings (Judgement::failure, Verdict::detail).
inline std::set<std::string> judged_kinds() {
  return {"wrong_value", "non_finite", "counts_differ_from_prediction"};
}

inline MutantSource read_mutant(const std::filesystem::path& file) {
  MutantSource source;
  source.name = file.stem().string();
  std::ifstream stream(file);
  int number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    const auto value_of = [&](std::string_view key) {
      return line.rfind(key, 0) == 0 ? line.substr(key.size()) : std::string();
    };
    if (const std::string kind = value_of("// Caught: "); !kind.empty()) source.caught += kind;
    if (const std::string shape = value_of("// Shape: "); !shape.empty())
      source.shapes.push_back(parse_shape(shape));
    if (const std::string family = value_of("// Inputs: "); !family.empty()) source.inputs = family;
    if (line.find("  // caught here") != std::string::npos) source.lines.insert(number);
  }
  if (source.shapes.empty()) source.shapes = {{17, 19, 23}, {33, 18, 40}};
  return source;
}

// By name. Throws when there is none, so that a test over all of them cannot pass by testing nothing.
inline std::vector<MutantSource> read_mutants() {
  std::vector<MutantSource> sources;
  for (const auto& entry : std::filesystem::directory_iterator(TILEWRIGHT_SOURCE_DIR "/tests/mutants"))
    if (entry.path().extension() == ".cu") sources.push_back(read_mutant(entry.path()));
  if (sources.empty()) throw std::runtime_error("tests/mutants holds no .cu file");
  std::sort(sources.begin(), sources.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return sources;
}

}  // namespace tilewright
