// SPDX-License-Identifier: MIT
#include "cli/profile_csv.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <regex>
#include <sstream>

#include "core/error.h"

namespace tilewright {
namespace {

Error no_report(const std::string& reason) { return {Code::unavailable, "ncu", "", reason}; }

// "a","b,c","d ""e""" → a; b,c; d "e". Nothing where the line is cut off.
std::optional<std::vector<std::string>> fields_of(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
      fields.back() += line[++i];
    else if (line[i] == '"')
      quoted = !quoted;
    else if (line[i] == ',' && !quoted)
      fields.emplace_back();
    else if (line[i] != '\r')
      fields.back() += line[i];
  }
  // Every field is quoted, so what ends in a comma is cut off too.
  if (quoted || line.find_last_of('"') != line.find_last_not_of('\r')) return std::nullopt;
  return fields;
}

// "8,388,608" and "97.5"; nothing for "n/a", an empty field, or what is not a finite number.
std::optional<double> number_of(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), ','), text.end());
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = failure == std::errc() && end == text.data() + text.size();
  return whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

// The lines of the table alone: ncu starts each of its own with "==", and a field is quoted.
std::vector<std::vector<std::string>> rows_of(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (line.rfind("\"ID\",", 0) == 0)
      rows.clear();
    else if (rows.empty() || line.rfind('"', 0) != 0)
      continue;
    std::optional<std::vector<std::string>> fields = fields_of(line);
    if (!fields) throw no_report("a row of its report is cut off");
    rows.push_back(std::move(*fields));
  }
  return rows;
}

// Decimal multiples, as ncu prints them. A rate or a size of each block keeps what follows its slash.
struct Unit {
  const char* printed;
  const char* base;
  double factor;
};
constexpr Unit units[] = {
    {"byte", "byte", 1},     {"Kbyte", "byte", 1e3},      {"Mbyte", "byte", 1e6}, {"Gbyte", "byte", 1e9},
    {"Tbyte", "byte", 1e12}, {"nsecond", "nsecond", 1},   {"ns", "nsecond", 1},   {"usecond", "nsecond", 1e3},
    {"us", "nsecond", 1e3},  {"msecond", "nsecond", 1e6}, {"ms", "nsecond", 1e6}, {"second", "nsecond", 1e9},
    {"s", "nsecond", 1e9},
};

}  // namespace

std::optional<double> value_of(const std::vector<Metric>& metrics, std::string_view name) {
  const auto found =
      std::find_if(metrics.begin(), metrics.end(), [&](const Metric& metric) { return metric.name == name; });
  return found == metrics.end() ? std::nullopt : found->value;
}

Metric in_base_units(Metric metric) {
  const std::size_t end = std::min(metric.unit.find('/'), metric.unit.size());
  const std::string printed = metric.unit.substr(0, end);
  for (const Unit& unit : units) {
    if (printed != unit.printed) continue;
    metric.unit = unit.base + metric.unit.substr(end);
    if (metric.value) *metric.value *= unit.factor;
    break;
  }
  return metric;
}

std::vector<Metric> parse_ncu_csv(const std::string& text, std::size_t launches) {
  const std::vector<std::vector<std::string>> rows = rows_of(text);
  if (rows.empty()) throw no_report("its report has no table");
  for (const std::vector<std::string>& row : rows)
    if (row.size() != rows[0].size()) throw no_report("a row of its report is cut off");
  // The row of units has no ID.
  if (rows.size() < 3 || !rows[1][0].empty()) throw no_report("its report has no launch");
  if (rows.size() - 2 != launches)
    throw no_report("its report has " + std::to_string(rows.size() - 2) + " launches, not " +
                    (launches == 1 ? "one" : std::to_string(launches)));
  std::vector<Metric> metrics;
  for (std::size_t column = 0; column < rows[0].size(); ++column) {
    std::optional<double> sum = 0;
    for (std::size_t row = 2; row < rows.size(); ++row) {
      const std::optional<double> value = number_of(rows[row][column]);
      sum = sum && value ? std::optional(*sum + *value) : std::nullopt;
    }
    metrics.push_back({rows[0][column], rows[1][column], sum});
  }
  return metrics;
}

std::string ncu_failure(const std::string& text) {
  if (text.find("ERR_NVGPUCTRPERM") != std::string::npos)
    return "this user may not read the GPU's performance counters (ERR_NVGPUCTRPERM)";
  const std::string error = "==ERROR== ";
  if (const std::size_t at = text.find(error); at != std::string::npos)
    return text.substr(at + error.size(), text.find('\n', at) - at - error.size());
  if (text.find("No kernels were profiled") != std::string::npos) return "ncu saw no launch of the kernel";
  return {};
}

std::optional<int> passes_of(const std::string& text) {
  std::smatch found;
  if (!std::regex_search(text, found, std::regex("==PROF== Profiling [^\\n]*?([0-9]+) pass"))) return {};
  return std::stoi(found[1]);
}

std::vector<std::string> metrics_unknown_to_ncu(const std::string& text,
                                                const std::vector<std::string>& asked) {
  std::vector<std::string> unknown;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (line.find("ind metric") == std::string::npos)
      continue;  // "Failed to find metric", "Could not find metric"
    // The name may be shown as the regular expression it was made into: a\.sum.
    line.erase(std::remove(line.begin(), line.end(), '\\'), line.end());
    for (const std::string& name : asked) {
      const std::string base = name.substr(0, name.find('.'));
      const std::size_t at = line.find(base), end = at + base.size();
      // Not a longer name that begins with this one.
      if (at == std::string::npos ||
          (end < line.size() && (std::isalnum(line[end]) != 0 || line[end] == '_')))
        continue;
      if (std::find(unknown.begin(), unknown.end(), name) == unknown.end()) unknown.push_back(name);
    }
  }
  return unknown;
}

}  // namespace tilewright
