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

std::string sample_text(const BlockSample& sample) {
  std::size_t ran = 0;
  for (const BlockSample::Class& one : sample.classes) ran += one.ran.size();
  return fmt::format(
      "{} of {} blocks ran, for {} of blocks that access alike: counts are of all blocks; findings and "
      "values of those that ran",
      with_commas(static_cast<std::int64_t>(ran)), with_commas(sample.blocks),
      sample.classes.size() == 1 ? "one class" : fmt::format("{} classes", sample.classes.size()));
}

void print_trace(const Trace& trace, const std::string& resources) {
  const auto& [options, rung, shape, outcome] =
      std::tie(trace.request, trace.rung, trace.shape, trace.outcome);
  const Counts& counts = *outcome.product.counts;
  fmt::print("{} at {}, {} inputs, seed {}, threads {}\n\n", rung.name, to_string(shape), options.inputs,
             options.seed, options.emulator.order);
  if (kernels_of(rung, problem_of(shape, options.multiprocessors)).size() > 1)
    fmt::print("two kernels, one after the other: counts, lines and findings are of both\n\n");
  const auto row = [](const char* what, const Count& count) {
    return std::vector<std::string>{what, with_commas(count.elements), with_commas(count.accesses)};
  };
  fmt::print("{}\n", text_table({{"", "elements", "accesses"},
                                 row("global reads", counts.global_reads),
                                 row("global writes", counts.global_writes),
                                 row("shared reads", counts.shared_reads),
                                 row("shared writes", counts.shared_writes)}));
  fmt::print("{}", annotated_source(trace, resources));
  if (outcome.product.sample) fmt::print("blocks: {}\n", sample_text(*outcome.product.sample));
  fmt::print("findings: {}\n",
             outcome.product.findings_total == 0 ? "none" : with_commas(outcome.product.findings_total));
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

namespace {

struct TraceOptions {
  TraceRequest request;
  std::vector<std::string> compared;
  struct {
    std::string kernel, block, tile;
  } second;
};

void note_verdict(App& app, const Trace& trace) {
  if (trace.outcome.verdict.kind != Verdict::Kind::pass) app.status = exit_verdict;
}

void trace_kernel(App& app, const TraceRequest& request) {
  if (request.kernel.names.empty())
    throw bad_input("kernel", "", "is needed: a rung, FILE.cu, or --compare A B");
  const Trace trace = run_trace(app.installation(), request);
  if (app.json)
    print_json(to_json(trace));
  else
    print_trace(trace, app.installation().resources());
  note_verdict(app, trace);
}

void compare_kernels(App& app, const TraceOptions& options) {
  TraceRequest first = options.request, second = options.request;
  first.kernel.names = {options.compared[0]};
  second.kernel.names = {options.compared[1]};
  const auto differ = [](std::string& own, const std::string& other) {
    if (!other.empty()) own = other;
  };
  differ(second.kernel.kernel, options.second.kernel);
  differ(second.kernel.block, options.second.block);
  differ(second.kernel.tile, options.second.tile);
  const Trace a = run_trace(app.installation(), first), b = run_trace(app.installation(), second);
  if (app.json) {
    print_json({{"schema", record_schema}, {"compare", {to_json(a), to_json(b)}}});
  } else {
    fmt::print("{} inputs, seed {}, {}\n\n{}\n", first.inputs, first.seed, to_string(a.shape),
               side_by_side(a, b));
    for (const Trace* trace : {&a, &b})
      fmt::print("{}\n\n{}", trace->rung.name, annotated_source(*trace, app.installation().resources()));
  }
  note_verdict(app, a);
  note_verdict(app, b);
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
  settings.sample_blocks = request.sample_blocks;
  settings.multiprocessors = request.multiprocessors;
  EmulatorDevice device(*catalog, settings);
  device.require_launchable(rung, shape);
  const Operands operands = make_inputs(family, shape, request.seed);
  const Reference reference = make_reference(operands.A, operands.B, family.order_term);
  Outcome outcome = run_and_judge(device, rung, operands.A, operands.B, reference);
  if (!outcome.product.counts)  // refused only when it ran: the blocks of a sample did not agree
    throw Error(Code::unsupported, "--sample-blocks", rung.name, outcome.verdict.detail);
  return {request, std::move(catalog), rung, shape, std::move(outcome)};
}

Json to_json(const Trace& trace) {
  const auto& [rung, shape, outcome] = std::tie(trace.rung, trace.shape, trace.outcome);
  Json json{{"schema", record_schema},
            {"kernel", rung.name},
            {"source", rung.source},
            {"shape", shape_json(shape)},
            {"inputs", trace.request.inputs},
            {"seed", trace.request.seed},
            {"order", trace.request.emulator.order}};
  const Problem problem = problem_of(shape, trace.request.multiprocessors);
  const Grid grid = grid_of(rung, problem);
  json["grid"] = {grid.x, grid.y, grid.z};
  json["first_grid"] = nullptr;  // counts and findings are of both kernels
  if (const std::vector<Rung> kernels = kernels_of(rung, problem); kernels.size() > 1) {
    const Grid first = grid_of(kernels.front(), problem);
    json["first_grid"] = {first.x, first.y, first.z};
  }
  json["scratch_floats"] = scratch_of(rung, problem);
  json.update(to_json(*outcome.product.counts));
  const Counts& counts = *outcome.product.counts;
  json["accesses"] = {{"global_reads", counts.global_reads.accesses},
                      {"global_writes", counts.global_writes.accesses},
                      {"shared_reads", counts.shared_reads.accesses},
                      {"shared_writes", counts.shared_writes.accesses}};
  for (const LineTotals& total : totals_of(outcome.product.lines))
    if (total.count.accesses > 0)
      json["totals"][fmt::format("{}_{}s", total.space, total.op)] = to_json(total.warps);
  if (outcome.product.sample) json["sampled_blocks"] = to_json(*outcome.product.sample);
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
  auto options = std::make_shared<TraceOptions>();
  TraceRequest& request = options->request;
  CLI::Option* name = command->add_option("rung", request.kernel.names, "a rung, or FILE.cu")->expected(1);
  CLI::Option* compare = command->add_option("--compare", options->compared, "two kernels, side by side: A B")
                             ->expected(2)
                             ->excludes(name);
  command->add_option("--shape", request.shape, "MxNxK, such as 17x19x23")->required();
  command->add_option("--inputs", request.inputs, "the family of inputs")->capture_default_str();
  command->add_option("--seed", request.seed, "of inputs and shuffled order")
      ->check(not_negative())
      ->capture_default_str();
  command->add_flag("--sample-blocks", request.sample_blocks,
                    "run a few blocks of each class that access alike, and count for all; they must agree");
  request.kernel.add_options(*command);
  for (const auto& [option, value, what] :
       {std::tuple{"--second-kernel", &options->second.kernel, "--kernel of B"},
        std::tuple{"--second-block", &options->second.block, "--block of B"},
        std::tuple{"--second-tile", &options->second.tile, "--tile of B"}})
    command->add_option(option, *value, fmt::format("{}, where it differs from A's", what))
        ->needs(compare)
        ->group("Two kernels of your own (--compare)");
  request.emulator.add_options(*command);
  command->footer(
      "Examples:\n"
      "  tilewright trace shared_tile_16 --shape 17x19x23\n"
      "  tilewright trace direct_rows --shape 64x64x64 --order shuffled --json\n"
      "  tilewright trace --compare direct_rows direct --shape 64x64x64\n"
      "  tilewright trace shared_tile_32 --shape 1024x1024x1024 --sample-blocks\n"
      "  tilewright trace my.cu --kernel 'tiled<16>' --block 16x16 --tile 16x16 --shape 17x19x23\n\n"
      "In the margin of a source line: how often it accesses, elements of 4 bytes, reuse (elements over "
      "distinct\n"
      "elements), requests of a warp, lanes active and 32-byte sectors per request beside the fewest that "
      "would\n"
      "hold what is asked for, and of shared memory the words asked of one bank at once, at worst.\n\n"
      "A file's kernel has the signature\n"
      "  (const float* A, const float* B, float* C, int M, int N, int K)\n"
      "and needs no CUDA toolkit.");
  command->callback([&app, options] {
    if (!options->compared.empty())
      compare_kernels(app, *options);
    else
      trace_kernel(app, options->request);
  });
}

}  // namespace tilewright
