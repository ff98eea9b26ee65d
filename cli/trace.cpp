// SPDX-License-Identifier: MIT
//
// tilewright trace: one kernel at one shape under the emulator: what it accesses, line by line, and what is
// wrong.
#include "cli/trace.h"

#include <fmt/format.h>

#include <string>
#include <tuple>

#include "cli/app.h"
#include "core/error.h"
#include "device/emulator_device.h"
#include "judge/contract.h"
#include "judge/inputs.h"
#include "judge/outcome.h"

namespace tilewright {
namespace {

// Sectors are what a request moves, beside the fewest that would hold what it asks for; ways are the distinct words
// asked of one bank at once, at worst: 1 is free of conflicts.
std::vector<std::vector<std::string>> line_rows(const std::vector<LineCount>& lines) {
  std::vector<std::vector<std::string>> rows{{"line", "space", "op", "elements", "requests", "lanes",
                                              "sectors/request", "ideal", "bank ways", "conflicts"}};
  for (const LineCount& line : lines) {
    const WarpCounts& warps = line.warps;
    const auto per_request = [&](std::int64_t count) {
      return fmt::format("{:.2f}", static_cast<double>(count) / static_cast<double>(warps.requests));
    };
    const bool global = line.space == "global";
    rows.push_back(
        {fmt::format("{}:{}", line.file, line.line), std::string(line.space), std::string(line.op),
         with_commas(line.count.elements), with_commas(warps.requests), per_request(warps.lanes),
         global ? per_request(warps.sectors) : "-", global ? per_request(warps.ideal_sectors) : "-",
         global ? "-" : std::to_string(warps.most_ways), global ? "-" : with_commas(warps.bank_conflicts)});
  }
  return rows;
}

// As a compiler would: the place and the kind, and below it a few of the events.
void print_findings(const std::vector<Finding>& findings) {
  constexpr int most_shown = 3;
  const Finding* previous = nullptr;
  int shown = 0;
  for (const Finding& finding : findings) {
    if (previous == nullptr || previous->kind != finding.kind || previous->line != finding.line) {
      fmt::print("{}:{}: {} ({} in all)\n", finding.file, finding.line, name_of(finding.kind), finding.total);
      shown = 0;
    }
    if (shown++ < most_shown) fmt::print("    {}\n", finding.message);
    previous = &finding;
  }
}

void print_trace(const Trace& trace) {
  const auto& [options, rung, shape, outcome] =
      std::tie(trace.request, trace.rung, trace.shape, trace.outcome);
  const Counts& counts = *outcome.product.counts;
  fmt::print("{} at {}, {} inputs, seed {}, threads {}\n\n", rung.name, to_string(shape), options.inputs,
             options.seed, options.emulator.order);
  const auto row = [](const char* what, const Count& count) {
    return std::vector<std::string>{what, with_commas(count.elements), with_commas(count.accesses)};
  };
  fmt::print("{}\n", text_table({{"", "elements", "accesses"},
                                 row("global reads", counts.global_reads),
                                 row("global writes", counts.global_writes),
                                 row("shared reads", counts.shared_reads),
                                 row("shared writes", counts.shared_writes)}));
  fmt::print("{}\n", text_table(line_rows(outcome.product.lines)));
  if (outcome.product.findings.empty()) fmt::print("findings: none\n");
  print_findings(outcome.product.findings);
  const Judgement& judgement = *outcome.judgement;
  if (judgement.bitwise)
    fmt::print("values: judged bit for bit, {} elements differ\n", judgement.failing);
  else
    fmt::print("values: max r {} (limit {}), rms r {}, {} elements fail\n", short_number(judgement.max_r),
               max_r_limit, short_number(judgement.rms_r), judgement.failing);
  if (!judgement.pass)
    fmt::print("    worst at C[{}, {}]: {} instead of {}\n", judgement.worst.row, judgement.worst.column,
               judgement.worst.got ? fmt::format("{}", *judgement.worst.got) : "not a finite number",
               judgement.worst.expected);
  fmt::print("verdict: {}\n", outcome.verdict.text());
}

}  // namespace

Trace run_trace(const Installation& installation, const TraceRequest& request) {
  const Shape shape = parse_shape(request.shape);
  require_exercise_shape(shape);
  const Family& family = find_family(request.inputs);
  auto catalog = std::make_unique<Catalog>();
  const Rung rung = request.kernel.resolve(installation, *catalog).front();
  EmulatorSettings settings = request.emulator.settings(request.seed);
  settings.see_warps = true;
  EmulatorDevice device(*catalog, settings);
  device.require_launchable(rung, shape);
  const Operands operands = make_inputs(family, shape, request.seed);
  const Reference reference = make_reference(operands.A, operands.B, family.order_term);
  Outcome outcome = run_and_judge(device, rung, operands.A, operands.B, reference);
  return {request, std::move(catalog), rung, shape, std::move(outcome)};
}

Json to_json(const Trace& trace) {
  const auto& [rung, shape, outcome] = std::tie(trace.rung, trace.shape, trace.outcome);
  Json json{{"schema", record_schema},
            {"kernel", rung.name},
            {"source", rung.source},
            {"shape", {shape.M, shape.N, shape.K}},
            {"inputs", trace.request.inputs},
            {"seed", trace.request.seed},
            {"order", trace.request.emulator.order}};
  json.update(to_json(*outcome.product.counts));
  const Counts& counts = *outcome.product.counts;
  json["accesses"] = {{"global_reads", counts.global_reads.accesses},
                      {"global_writes", counts.global_writes.accesses},
                      {"shared_reads", counts.shared_reads.accesses},
                      {"shared_writes", counts.shared_writes.accesses}};
  json["findings_total"] = outcome.product.findings_total;
  json["findings"] = Json::array();
  for (const Finding& finding : outcome.product.findings) json["findings"].push_back(to_json(finding));
  json["lines"] = Json::array();
  for (const LineCount& line : outcome.product.lines) json["lines"].push_back(to_json(line));
  json["judgement"] = to_json(*outcome.judgement);
  json["verdict"] = outcome.verdict.text();
  return json;
}

void add_trace(App& app) {
  CLI::App* command = app.cli().add_subcommand(
      "trace", "run one kernel on the emulator: counts per line, races, bounds, verdict");
  auto options = std::make_shared<TraceRequest>();
  command->add_option("rung", options->kernel.names, "a rung, or FILE.cu")->required()->expected(1);
  command->add_option("--shape", options->shape, "MxNxK, such as 17x19x23")->required();
  command->add_option("--inputs", options->inputs, "the family of inputs")->capture_default_str();
  command->add_option("--seed", options->seed, "of inputs and shuffled order")
      ->check(not_negative())
      ->capture_default_str();
  options->kernel.add_options(*command);
  options->emulator.add_options(*command);
  command->footer(
      "Examples:\n"
      "  tilewright trace shared_tile_16 --shape 17x19x23\n"
      "  tilewright trace direct_rows --shape 64x64x64 --order shuffled --json\n"
      "  tilewright trace my.cu --kernel 'tiled<16>' --block 16x16 --tile 16x16 --shape 17x19x23\n\n"
      "A file's kernel has the signature\n"
      "  (const float* A, const float* B, float* C, int M, int N, int K)\n"
      "and needs no CUDA toolkit.");
  command->callback([&app, options] {
    const Trace trace = run_trace(app.installation(), *options);
    if (app.json)
      print_json(to_json(trace));
    else
      print_trace(trace);
    if (trace.outcome.verdict.kind != Verdict::Kind::pass) app.status = exit_verdict;
  });
}

}  // namespace tilewright
