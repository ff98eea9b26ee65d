// SPDX-License-Identifier: MIT
#include "bench/shape_sets.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/error.h"
#include "core/nearest.h"
#include "judge/contract.h"

namespace tilewright {
namespace {

using Json = nlohmann::ordered_json;

Json read_sets(const std::string& path) {
  std::ifstream stream(path);
  Json json = Json::parse(stream, nullptr, false);
  if (!json.is_object() || !json.contains("sets") || !json["sets"].is_object() || json["sets"].empty())
    throw bad_input("--shapes", path, "is not a file of sets of shapes");
  return json["sets"];
}

void append_set(std::vector<Shape>& shapes, const Json& set, const std::string& path) {
  for (const Json& entry : set) {
    const bool three =
        entry.is_array() && entry.size() == 3 &&
        std::all_of(entry.begin(), entry.end(), [](const Json& one) { return one.is_number_integer(); });
    if (!three) throw bad_input("--shapes", path, "has a shape that is not three integers");
    shapes.push_back({entry[0], entry[1], entry[2]});
  }
}

void append_named(std::vector<Shape>& shapes, const std::string& name, const std::string& path) {
  const Json sets = read_sets(path);
  std::vector<std::string> known{"all"};
  for (const auto& [key, set] : sets.items()) {
    if (name == key || name == "all") append_set(shapes, set, path);
    known.push_back(key);
  }
  if (std::find(known.begin(), known.end(), name) == known.end())
    throw bad_input("--shapes", name,
                    "is neither MxNxK nor a set of shapes; did you mean " + nearest(name, known) + "?");
}

// What is timed is judged, and the float64 reference has no bound on rounding beyond that (judge/reference.h).
void require_judgeable(Shape shape) {
  require_library_shape(shape);
  if (shape.K >= 1 << 24) throw bad_input("K", std::to_string(shape.K), "must be below 16777216");
}

}  // namespace

std::vector<DeclaredSet> declared_sets(const std::string& sets_path) {
  const Json file_sets = read_sets(sets_path);
  std::vector<DeclaredSet> sets;
  for (const auto& [name, set] : file_sets.items())
    append_set(sets.emplace_back(DeclaredSet{name, {}}).shapes, set, sets_path);
  return sets;
}

std::vector<Shape> parse_shapes(const std::string& list, const std::string& sets_path) {
  std::vector<Shape> all, shapes;
  std::istringstream stream(list);
  for (std::string part; std::getline(stream, part, ',');) {
    const bool name =
        !part.empty() && part.find_first_not_of("abcdefghijklmnopqrstuvwyz_") == std::string::npos;
    if (name)
      append_named(all, part, sets_path);
    else
      all.push_back(parse_shape(part, "--shapes"));
  }
  for (const Shape& shape : all) {
    require_judgeable(shape);
    if (std::find(shapes.begin(), shapes.end(), shape) == shapes.end()) shapes.push_back(shape);
  }
  if (shapes.empty()) throw bad_input("--shapes", list, "names nothing");
  return shapes;
}

}  // namespace tilewright
