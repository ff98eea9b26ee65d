// SPDX-License-Identifier: MIT
#include "gemm/choose.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/error.h"

namespace tilewright {
namespace {

// Without a table: rungs that take every shape and every alignment, the best general one first.
constexpr std::string_view safe_defaults[] = {"register_double_buffer", "warp_tile", "register_tile",
                                              "shared_tile_32", "direct"};
// In a reason; the others are in Choice::passed_over.
constexpr std::size_t most_passed_over_said = 2;

struct Neighbour {
  const TunedRow* row;
  double distance;
};

// Ties go to the row of more work, whose time says more, then to the smaller shape: any fixed rule.
std::vector<Neighbour> neighbours(const ChoiceRequest& request, const TunedTable& table) {
  const Shape asked = shape_of(request.problem);
  const RowAlignment alignment = row_alignment(asked, request.base_alignment);
  std::vector<Neighbour> all;
  all.reserve(table.rows.size());
  for (const TunedRow& row : table.rows) all.push_back({&row, log_distance(row.shape, asked, alignment)});
  const auto work = [](const Shape& shape) {
    return static_cast<double>(shape.M) * static_cast<double>(shape.N) * static_cast<double>(shape.K);
  };
  std::sort(all.begin(), all.end(), [&](const Neighbour& a, const Neighbour& b) {
    if (a.distance != b.distance) return a.distance < b.distance;
    if (work(a.row->shape) != work(b.row->shape)) return work(a.row->shape) > work(b.row->shape);
    return a.row->shape < b.row->shape;
  });
  return all;
}

// Rungs in the order of preference, each once.
struct Preferences {
  std::vector<Option> options;

  void add(std::string_view rung, const std::string& why) {
    const bool known = std::any_of(options.begin(), options.end(),
                                   [&](const Option& option) { return option.rung == rung; });
    if (!known) options.push_back({std::string(rung), why});
  }
};

void add_tuned(Preferences& preferences, const ChoiceRequest& request, const TunedTable& table) {
  const Shape asked = shape_of(request.problem);
  bool nearest = true;
  for (const auto& [row, distance] : neighbours(request, table)) {
    const std::string at =
        row->shape == asked ? fmt::format("at {} (this shape)", to_string(row->shape))
                            : fmt::format("at {}, {} tuned shape, log distance {:.2f}", to_string(row->shape),
                                          nearest ? "the nearest" : "the next nearest", distance);
    preferences.add(row->rung, fmt::format("the fastest on {} {}", table.gpu, at));
    if (!row->runner_up.empty())
      preferences.add(row->runner_up, fmt::format("{:.2f} times as long as the fastest on {} {}",
                                                  row->runner_up_us / row->median_us, table.gpu, at));
    nearest = false;
  }
}

// Why the table does not speak for this GPU; empty when it does.
std::string untuned_reason(const ChoiceRequest& request, const TunedTable* table) {
  if (request.gpu.empty()) return "no GPU computes this";
  if (table == nullptr || table->gpu != request.gpu) return "untuned GPU '" + request.gpu + "'";
  const int here = request.problem.multiprocessors;
  if (here != 0 && here != table->multiprocessors)
    return fmt::format("'{}' has {} multiprocessors here, {} where it was tuned", request.gpu, here,
                       table->multiprocessors);
  if (table->rows.empty()) return "the table of '" + request.gpu + "' has no rows";
  return {};
}

const Rung* find(std::span<const Rung> available, std::string_view name) {
  const auto rung =
      std::find_if(available.begin(), available.end(), [&](const Rung& one) { return one.name == name; });
  return rung == available.end() ? nullptr : &*rung;
}

void add_defaults(Preferences& preferences, std::span<const Rung> available, const std::string& why) {
  for (const std::string_view name : safe_defaults)
    if (find(available, name) != nullptr) preferences.add(name, why);
  // A program with other rungs: the last of its list is the furthest developed.
  for (auto rung = available.rbegin(); rung != available.rend(); ++rung) preferences.add(rung->name, why);
}

std::string reason_of(const Option& chosen, const std::vector<Option>& passed_over) {
  std::string reason = chosen.why;
  for (std::size_t i = 0; i < passed_over.size() && i < most_passed_over_said; ++i)
    reason += fmt::format("; not {}: {}", passed_over[i].rung, passed_over[i].why);
  if (passed_over.size() > most_passed_over_said)
    reason += fmt::format("; nor {} others", passed_over.size() - most_passed_over_said);
  return reason;
}

}  // namespace

double log_distance(Shape tuned, Shape asked, RowAlignment asked_alignment) {
  const RowAlignment alignment = row_alignment(tuned);
  const auto octaves = [](std::int64_t a, std::int64_t b) {
    return std::log2(static_cast<double>(a)) - std::log2(static_cast<double>(b));
  };
  const double m = octaves(tuned.M, asked.M), n = octaves(tuned.N, asked.N), k = octaves(tuned.K, asked.K);
  const double a = alignment.A == asked_alignment.A ? 0 : 1, b = alignment.B == asked_alignment.B ? 0 : 1;
  return std::sqrt(m * m + n * n + k * k + a + b);
}

Choice choose(const ChoiceRequest& request, const TunedTable* table, std::span<const Rung> available,
              const Refusal& refusal) {
  Preferences preferences;
  const std::string untuned = untuned_reason(request, table);
  if (untuned.empty()) add_tuned(preferences, request, *table);
  add_defaults(preferences, available,
               (untuned.empty() ? "no tuned rung can be launched" : untuned) + ": safe default");
  Choice choice;
  for (const Option& option : preferences.options) {
    const Rung* rung = find(available, option.rung);
    const std::string refused = rung == nullptr ? "it is not in this program" : refusal(*rung);
    if (!refused.empty())
      choice.passed_over.push_back({option.rung, refused});
    else if (choice.rung.empty())
      choice = {.rung = option.rung,
                .reason = reason_of(option, choice.passed_over),
                .runners_up = {},
                .passed_over = choice.passed_over};
    else
      choice.runners_up.push_back(option);
  }
  if (choice.rung.empty())
    throw Error(Code::unsupported, "auto", to_string(shape_of(request.problem)),
                choice.passed_over.empty() ? "there is no rung to choose from"
                                           : choice.passed_over.front().rung +
                                                 " cannot be launched: " + choice.passed_over.front().why);
  return choice;
}

}  // namespace tilewright
