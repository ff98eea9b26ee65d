// SPDX-License-Identifier: MIT
//
// tilewright report: records as a page that people read, as JSON or CSV that programs read, and the proof that such a page
// follows from its records.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <sstream>

#include "cli/app.h"
#include "cli/explore.h"
#include "cli/record_file.h"
#include "core/read_file.h"
#include "report/page_file.h"

namespace tilewright {
namespace {

constexpr std::size_t most_shown = 20;

struct ReportOptions {
  std::vector<std::string> records, against;
  std::string output, verify, table = "timings";
  bool csv = false;
};

ReportInputs inputs_of(const App& app, const ReportOptions& options) {
  ReportInputs inputs;
  inputs.sets.push_back(read_input_set(options.records, "RECORDS"));
  if (!options.against.empty()) inputs.sets.push_back(read_input_set(options.against, "--against"));
  const std::string share = app.installation().resources();
  if (std::filesystem::is_directory(app.installation().rungs()))
    inputs.steps = read_steps(share + "/source", app.installation().rungs());
  inputs.declared = declared_sets(share + "/bench_shapes.json");
  const RunOrigin origin = run_origin();
  inputs.revision = origin.revision;
  inputs.dirty = origin.dirty;
  return inputs;
}

void print_list(const char* title, const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  fmt::print(stderr, "{}:\n", title);
  for (std::size_t i = 0; i < std::min(lines.size(), most_shown); ++i) fmt::print(stderr, "  {}\n", lines[i]);
  if (lines.size() > most_shown) fmt::print(stderr, "  … and {} more\n", lines.size() - most_shown);
}

// The figures that stand first, for who has no browser at hand.
void print_headline(const Json& document) {
  fmt::print("{}\n", document.at("title").get<std::string>());
  std::vector<std::vector<std::string>> rows;
  for (const Json& card : document.at("headline")) rows.push_back({card.at("label"), card.at("value")});
  std::istringstream lines(text_table(rows));
  std::string line;
  for (const Json& card : document.at("headline")) {
    std::getline(lines, line);
    fmt::print("{}  {}\n", line, card.at("note").get<std::string>());
  }
}

void make(App& app, const ReportOptions& options) {
  const ReportInputs inputs = inputs_of(app, options);
  const ReportDocument document = report_document(inputs);
  std::string csv;
  if (options.csv) csv = csv_of(document.json, options.table);
  if (!options.output.empty())
    write_whole_file(options.output,
                     report_page(whole_page(report_shell(), "report"), document.json, inputs));
  print_list("the records contradict themselves", document.contradictions);
  if (!document.contradictions.empty()) app.status = exit_verdict;
  if (app.json) return print_json(document.json);
  if (options.csv) return (void)fmt::print("{}", csv);
  print_headline(document.json);
  if (options.output.empty())
    fmt::print("-o report.html writes all of it as a page.\n");
  else
    fmt::print("{}: open this file in a browser; tilewright report --verify {} counts it again\n",
               std::filesystem::absolute(options.output).lexically_normal().string(), options.output);
}

std::size_t numbers_in(const Json& json) {
  if (json.is_number()) return 1;
  std::size_t numbers = 0;
  if (json.is_structured())
    for (const Json& one : json) numbers += numbers_in(one);
  return numbers;
}

// What is said of the page round the data: it draws the numbers, so it must be the one that this program would write.
std::string page_remark(const ReportFile& file) {
  const Page shell = report_shell();
  if (shell.pieces.empty()) return "not compared: this program has no page: " + std::string(shell.absent);
  if (file.shell == whole_page(shell, "report")) return "";
  if (file.inputs.revision != run_origin().revision)
    return "not compared: it was made by another revision of this program";
  return "differs from the page that this program writes";
}

void verify(App& app, const ReportOptions& options) {
  const ReportFile file = read_report_page(read_file(options.verify, "--verify"), options.verify);
  const ReportDocument document = report_document(file.inputs);
  std::vector<std::string> found = differences(file.document, document.json);
  // A number may be written in more digits than it has.
  if (found.empty() && file.text != document_text(document.json))
    found.emplace_back("a number or a text is written otherwise than this program writes it");
  const std::string remark = page_remark(file);
  const bool page_differs = remark.rfind("differs", 0) == 0;
  const bool as_made = found.empty() && !page_differs, well = as_made && document.contradictions.empty();
  const char* verdict = well ? "PASS" : as_made ? "FAIL(contradiction)" : "FAIL(differs)";
  if (!well) app.status = exit_verdict;
  const std::size_t numbers = numbers_in(document.json);
  if (app.json)
    return print_json({{"schema", record_schema},
                       {"file", options.verify},
                       {"verdict", verdict},
                       {"numbers", numbers},
                       {"differences", found},
                       {"contradictions", document.contradictions},
                       {"page", remark.empty() ? "is that of this program" : remark}});
  print_list("not what its records say", found);
  print_list("the records contradict themselves", document.contradictions);
  if (!remark.empty()) fmt::print(stderr, "the page round the data: {}\n", remark);
  fmt::print("{}: {}: {} numbers made again from the embedded records, {} differ\n", options.verify, verdict,
             with_commas(static_cast<std::int64_t>(numbers)), found.size());
}

void require_one_purpose(const ReportOptions& options, bool json) {
  if (!options.verify.empty()) {
    if (!options.records.empty() || !options.against.empty() || !options.output.empty() || options.csv)
      throw bad_input("--verify", options.verify, "stands alone: a report holds its own records");
    return;
  }
  if (options.records.empty()) throw bad_input("RECORDS", "", "must name record files or folders of them");
  if (options.csv && json) throw bad_input("--csv", "", "and --json both want standard output");
}

}  // namespace

void add_report(App& app) {
  CLI::App* command = app.cli().add_subcommand(
      "report", "make a page of records, or prove that a page follows from its records");
  auto options = std::make_shared<ReportOptions>();
  command->add_option("RECORDS", options->records, "record files, and folders of files that end in .jsonl");
  command->add_option("--against", options->against, "a second set of records, to stand beside the first");
  command->add_option("-o,--output", options->output, "write the page to this file");
  command->add_flag("--csv", options->csv, "print a table of the report as CSV");
  CLI::Option* table =
      command->add_option("--table", options->table, "which table --csv prints")->capture_default_str();
  table->needs("--csv");
  command->add_option("--verify", options->verify,
                      "make every number of this report again from the records in it");
  command->footer(
      "The page is one file that asks nothing of the network. It holds the records that it was made of.\n"
      "Exit status 1: the records contradict themselves, or the report is not what its records say.\n\n"
      "Examples:\n"
      "  tilewright report results/h200 -o report.html\n"
      "  tilewright report --verify report.html\n"
      "  tilewright report today.jsonl --against results/h200/bench -o report.html\n"
      "  tilewright report results/h200 --csv --table comparisons\n"
      "  tilewright report results/h200 --json");
  command->callback([&app, options] {
    require_one_purpose(*options, app.json);
    options->verify.empty() ? make(app, *options) : verify(app, *options);
  });
}

}  // namespace tilewright
