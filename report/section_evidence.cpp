// SPDX-License-Identifier: MIT
//
// What stands behind each kernel at a glance: the steps of trust, from values to machine counters, and what is missing.
#include <fmt/format.h>

#include <algorithm>

#include "core/commas.h"
#include "report/blocks.h"
#include "report/sections.h"
#include "report/standing.h"

namespace tilewright {
namespace {

constexpr const char* tools[] = {"memcheck", "racecheck", "initcheck", "synccheck"};
constexpr const char* nothing = "no record";

struct Verdicts {
  std::int64_t all = 0, failed = 0;
  std::string first_failure, first_kernel;
  void add(const std::string& verdict, const std::string& kernel) {
    ++all;
    if (verdict == "PASS" || failed++ > 0) return;
    first_failure = verdict;
    first_kernel = kernel;
  }
  // "PASS, 955" where all of them pass, else "FAIL, 2 of 955" by the first that does not.
  std::string text() const {
    if (all == 0) return nothing;
    if (failed == 0) return fmt::format("PASS, {}", all);
    return fmt::format("{}, {} of {}", first_failure.substr(0, first_failure.find('(')), failed, all);
  }
};

std::vector<Json> row_of(const ReportView& view, const std::string& kernel) {
  const Evidence& evidence = view.main();
  Verdicts values, repeats, timed, counters;
  for (const JudgedRow& row : evidence.judged)
    if (row.kernel == kernel) (row.launches > 1 ? repeats : values).add(row.verdict, row.kernel);
  for (const TimingRow& row : evidence.timings)
    if (row.kernel == kernel && row.role == "rung") timed.add(row.verdict, row.kernel);
  std::int64_t limits = 0;
  for (const ProfileRow& row : evidence.profiles) {
    if (row.kernel != kernel) continue;
    if (!row.counts.empty()) counters.add(row.verdict, row.kernel);
    limits += !row.limit.empty();
  }
  std::vector<Json> cells{kernel, values.text(), repeats.text()};
  for (const char* tool : tools) {
    Verdicts clean;
    for (const SanitizerRow& row : evidence.sanitizers)
      if (row.kernel == kernel && row.tool == tool) clean.add(row.verdict, row.kernel);
    cells.emplace_back(clean.text());
  }
  cells.insert(cells.end(),
               {counters.text(), timed.text(), limits == 0 ? nothing : fmt::format("PASS, {}", limits)});
  return cells;
}

Json card(const std::string& label, const std::string& value, const std::string& note,
          const std::string& tone) {
  return {{"label", label}, {"value", value}, {"note", note}, {"tone", tone}};
}

void add_speed_cards(Json& cards, const ReportView& view) {
  const BenchRecords& records = view.main().benched;
  const std::vector<Shape> shapes = all_shapes(view.inputs.declared);
  for (const char* cache : library_caches) {
    const Standing stand = standing(records, shapes, cache);
    if (stand.measured == 0) continue;
    cards.push_back(card(std::string("auto over the best of cuBLAS, ") + cache,
                         fmt::format("{:.3f}×", stand.mean),
                         fmt::format("geometric mean of {} of {} shapes; SLOWER at {}", stand.measured,
                                     shapes.size(), stand.slower),
                         stand.mean >= 1 ? "good" : "bad"));
    cards.push_back(card(std::string("its worst shape, ") + cache,
                         fmt::format("{:.3f}×", stand.worst->cublas->median), to_string(stand.worst->shape),
                         stand.worst->cublas->median >= 1 ? "good" : "bad"));
  }
  const std::optional<Shape> square = view.ladder_shape();
  const BenchedCell* fastest = nullptr;
  for (const std::string& kernel : view.kernels()) {
    const BenchedCell* cell = square ? records.find(kernel, *square, ladder_cache) : nullptr;
    if (cell && cell->microseconds && (!fastest || cell->tflops > fastest->tflops)) fastest = cell;
  }
  if (fastest)
    cards.push_back(card(
        "fastest at " + to_string(*square), fmt::format("{:.1f} TFLOP/s", fastest->tflops),
        fmt::format("{}, {:.1f} % of the measured FMA ceiling", fastest->kernel, 100 * fastest->of_ceiling),
        "plain"));
}

void add_proof_cards(Json& cards, const ReportView& view) {
  const Evidence& evidence = view.main();
  Verdicts products, sanitized, counters;
  // Where there are rungs they count: what else was run beside them may be meant to fail.
  const std::vector<std::string> kernels = view.kernels();
  const bool rungs =
      std::any_of(kernels.begin(), kernels.end(), [&](const auto& one) { return view.is_rung(one); });
  for (const JudgedRow& row : evidence.judged)
    if (view.is_rung(row.kernel) || !rungs) products.add(row.verdict, row.kernel);
  for (const SanitizerRow& row : evidence.sanitizers)
    if (view.is_rung(row.kernel) || !rungs) sanitized.add(row.verdict, row.kernel);
  for (const ProfileRow& row : evidence.profiles)
    if (!row.counts.empty()) counters.add(row.verdict, row.kernel);
  const auto add = [&](const char* label, const Verdicts& verdicts, const std::string& good) {
    if (verdicts.all == 0) return;
    cards.push_back(card(label,
                         with_commas(verdicts.all - verdicts.failed) + " of " + with_commas(verdicts.all),
                         verdicts.failed == 0 ? good : verdicts.first_kernel + ": " + verdicts.first_failure,
                         verdicts.failed == 0 ? "good" : "bad"));
  };
  add(rungs ? "products of rungs right" : "products right", products, "judged against float64");
  add("sanitizer runs clean", sanitized, "memcheck, racecheck, initcheck, synccheck");
  add("launches counted as predicted", counters, "the emulator's counts beside Nsight Compute's");
}

}  // namespace

Json headline(const ReportView& view) {
  Json cards = Json::array();
  if (view.sets.size() > 1) {
    int common = 0;
    const auto verdicts = verdicts_against(view);
    for (const auto& [verdict, number] : verdicts) common += number;
    if (common == 0) cards.push_back(card("A beside B", "nothing in common", "", "plain"));
    for (const auto& [verdict, number] : verdicts)
      if (common > 0)
        cards.push_back(card("A is " + verdict, std::to_string(number), "kernels at a shape, beside B",
                             verdict == "SLOWER" && number > 0 ? "bad" : "plain"));
  }
  add_speed_cards(cards, view);
  add_proof_cards(cards, view);
  std::size_t problems = 0;
  std::int64_t records = 0;
  for (const Evidence& evidence : view.sets) {
    problems += evidence.contradictions.size();
    records += evidence.records();
  }
  cards.push_back(card("records counted again", with_commas(records),
                       problems == 0 ? "no contradiction" : fmt::format("{} contradictions", problems),
                       problems == 0 ? "good" : "bad"));
  return cards;
}

Section evidence_section(const ReportView& view) {
  Section section{
      "evidence",
      "What stands behind each kernel",
      "From values to machine counters; each number says how many records. A kernel without a record is not "
      "thereby wrong, it is not known.",
      {}};
  TableBlock table("evidence", "The evidence at a glance");
  table.text("kernel").verdict("values").verdict("same bits each launch");
  for (const char* tool : tools) table.verdict(tool);
  table.verdict("counters as predicted").verdict("timed").verdict("profiled");
  for (const std::string& kernel : view.kernels()) table.row(row_of(view, kernel));
  if (!table.empty()) section.blocks.push_back(table.json());
  return section;
}

}  // namespace tilewright
