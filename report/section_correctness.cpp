// SPDX-License-Identifier: MIT
//
// What the judge and the sanitizers said, by which contract, over which shapes.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "judge/verdict.h"
#include "report/blocks.h"
#include "report/sections.h"

namespace tilewright {
namespace {

struct Tally {
  std::int64_t products = 0, passed = 0, exact = 0, launches = 1;
  const JudgedRow* worst = nullptr;  // of those with an error
};

void count(Tally& tally, const JudgedRow& row) {
  ++tally.products;
  tally.passed += row.verdict == "PASS";
  tally.exact += row.verdict == "PASS" && row.bitwise;
  tally.launches = std::max(tally.launches, row.launches);
  if (row.max_r && (!tally.worst || *row.max_r > *tally.worst->max_r)) tally.worst = &row;
}

std::vector<Json> cells_of(const std::string& name, const Tally& tally) {
  std::vector<Json> cells{name,        tally.products, tally.passed, tally.products - tally.passed,
                          tally.exact, tally.launches};
  if (!tally.worst) {
    cells.insert(cells.end(), 7, nullptr);
    return cells;
  }
  const JudgedRow& worst = *tally.worst;
  cells.insert(cells.end(), {*worst.max_r, to_string(worst.shape), worst.inputs, or_nothing(worst.row),
                             or_nothing(worst.column), or_nothing(worst.got), or_nothing(worst.expected)});
  return cells;
}

TableBlock tally_table(const std::string& name, const std::string& caption, const std::string& first) {
  TableBlock table(name, caption);
  table.text(first)
      .count("products")
      .count("passed")
      .count("failed")
      .count("bit for bit")
      .count("launches, at most");
  table.number("worst r", "", 3).text("at shape").text("inputs").count("row").count("column");
  table.number("got", "", 7).number("expected", "", 7);
  return table;
}

Json kernels_table(const ReportView& view) {
  std::map<std::string, Tally> tallies;
  for (const JudgedRow& row : view.main().judged) count(tallies[row.kernel], row);
  TableBlock table = tally_table(
      "correctness", fmt::format("Each kernel's products beside float64; r may be {:g} at most", max_r_limit),
      "kernel");
  for (const std::string& kernel : view.kernels()) {
    const auto found = tallies.find(kernel);
    if (found != tallies.end()) table.row(cells_of(kernel, found->second));
  }
  return table.json();
}

Json inputs_table(const Evidence& evidence) {
  std::map<std::string, Tally> tallies;
  for (const JudgedRow& row : evidence.judged) count(tallies[row.inputs], row);
  TableBlock table = tally_table("inputs", "The same by inputs", "inputs");
  for (const auto& [inputs, tally] : tallies) table.row(cells_of(inputs, tally));
  return table.json();
}

TableBlock failures_table(const Evidence& evidence) {
  TableBlock table("failures", "Every product that did not pass");
  table.text("kernel").text("shape").text("inputs").verdict("verdict").count("findings").count("launches");
  table.count("that differ").text("why").text("run");
  for (const JudgedRow& row : evidence.judged)
    if (row.verdict != "PASS")
      table.row({row.kernel, to_string(row.shape), row.inputs, row.verdict, row.findings, row.launches,
                 row.differing, row.why, run_number(row.run)});
  return table;
}

TableBlock sanitizer_table(const Evidence& evidence) {
  TableBlock table("sanitizers", "compute-sanitizer");
  table.text("tool").text("kernel").text("inputs").count("shapes").count("errors").text("in its words");
  table.verdict("verdict").text("run");
  for (const SanitizerRow& row : evidence.sanitizers)
    table.row({row.tool, row.kernel, row.inputs, row.shapes.size(), row.errors, row.summary, row.verdict,
               run_number(row.run)});
  return table;
}

TableBlock skipped_table(const Evidence& evidence) {
  std::map<std::string, std::int64_t> rules;
  for (const std::string& rule : evidence.skipped) ++rules[rule];
  TableBlock table("skipped", "Planned and not run, by rule");
  table.verdict("rule").count("products");
  for (const auto& [rule, products] : rules) table.row({rule, products});
  return table;
}

std::string numbers_text(const std::set<std::int64_t>& numbers) {
  std::string text;
  for (const std::int64_t number : numbers) text += (text.empty() ? "" : ", ") + std::to_string(number);
  return text;
}

}  // namespace

Section correctness_section(const ReportView& view) {
  Section section{
      "correctness",
      "Correctness",
      "Errors are in rounding units: r = 1 is the size of an honest float32 rounding error of that element.",
      {}};
  const Evidence& evidence = view.main();
  if (!evidence.judged.empty()) section.blocks = {kernels_table(view), inputs_table(evidence)};
  for (const TableBlock& table :
       {failures_table(evidence), sanitizer_table(evidence), skipped_table(evidence)})
    if (!table.empty()) section.blocks.push_back(table.json());
  return section;
}

// What the runs themselves recorded of their rules.
Section contract_section(const ReportView& view) {
  Section section{
      "contract", "Contract and tolerance", "What a product must be, and what a time must be, to count.", {}};
  const RunHead *check = nullptr, *bench = nullptr;
  for (const RunHead& run : view.main().runs) {
    if (run.command == "check" && run.record.contains("tolerance")) check = &run;
    if (run.command == "bench" && run.record.contains("rules")) bench = &run;
  }
  std::vector<std::string> paragraphs{
      "C[MxN] = A[MxK] * B[KxN], row-major float32 in and out, float32 accumulation; 2MNK useful FLOP."};
  if (check) {
    const Json& tolerance = check->record["tolerance"];
    paragraphs.push_back(
        fmt::format("Values: an element's error over Y + u|c|, where Y is the size of an honest rounding "
                    "error of its sum and u = {}, "
                    "must be at most {}; the root of the mean square of all at most {} times {}. Where all "
                    "sums are exact, bit equality "
                    "is demanded instead. The tolerance is {}.",
                    tolerance.value("u", Json()).dump(), tolerance.value("max_r", Json()).dump(),
                    tolerance.value("rms_r", Json()).dump(), tolerance.value("rms_r_of_n_elements", "1"),
                    tolerance.value("element", "not recorded")));
  }
  if (bench) {
    const Json& rules = bench->record["rules"];
    paragraphs.push_back(fmt::format(
        "Times: the interval of a median has a confidence of at least {}; two kernels within {} are the "
        "same; a spread "
        "above {} or a drift beyond {} makes a figure UNSTABLE. Timed products are verified before, after "
        "and, by a "
        "fingerprint of every output, at each batch.",
        rules.value("confidence", Json()).dump(), rules.value("same_band", Json()).dump(),
        rules.value("largest_spread", Json()).dump(), rules.value("largest_drift", Json()).dump()));
    paragraphs.emplace_back(
        "Caches: warm, the same buffers each launch; rotate, operand sets that fill the L2 at least twice, "
        "in turn; cold, "
        "the L2 written over before each launch. Mode: boost, short batches with pauses; sustained, batch "
        "upon batch. "
        "Boundary: device, launches alone; end-to-end, with allocation and copies.");
  }
  paragraphs.emplace_back(
      "Verdicts: PASS; FAIL(kind), wrong; UNSUPPORTED(rule), not run by that rule; REJECTED(why), impossible "
      "or not to be "
      "told from a mistake; UNSTABLE(why), right but not steady; AMBIGUOUS, the samples do not decide; "
      "UNAVAILABLE(reason), could not be had.");
  section.blocks.push_back(text_block(std::move(paragraphs)));
  return section;
}

Section shapes_section(const ReportView& view) {
  Section section{"shapes", "Shapes and seeds", "Every shape that was judged or timed.", {}};
  struct Use {
    std::set<std::string> judged, inputs, timed, ways;
  };
  std::map<Shape, Use> uses;
  std::set<std::int64_t> judge_seeds, bench_seeds;
  for (const JudgedRow& row : view.main().judged) {
    uses[row.shape].judged.insert(row.kernel);
    uses[row.shape].inputs.insert(row.inputs);
    judge_seeds.insert(row.seed);
  }
  for (const TimingRow& row : view.main().timings) {
    if (row.role == "rung") uses[row.shape].timed.insert(row.kernel);
    uses[row.shape].ways.insert(row.way());
    bench_seeds.insert(row.seed);
  }
  if (uses.empty()) return section;
  TableBlock table("shapes", "Shapes, MxNxK");
  table.text("shape").count("kernels judged").count("inputs").count("kernels timed").text("timed how");
  for (const auto& [shape, use] : uses) {
    std::string ways;
    for (const std::string& way : use.ways) ways += (ways.empty() ? "" : "; ") + way;
    table.row({to_string(shape), use.judged.size(), use.inputs.size(), use.timed.size(), ways});
  }
  std::vector<std::string> seeds;
  if (!judge_seeds.empty()) seeds.push_back("Seeds of the judged inputs: " + numbers_text(judge_seeds) + ".");
  if (!bench_seeds.empty()) seeds.push_back("Seeds of the timed inputs: " + numbers_text(bench_seeds) + ".");
  section.blocks = {text_block(std::move(seeds)), table.json()};
  return section;
}

}  // namespace tilewright
