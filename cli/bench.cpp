// SPDX-License-Identifier: MIT
//
// tilewright bench: how long rungs take on the GPU beside cuBLAS, every sample kept, every timed product verified.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "bench/regression.h"
#include "bench/run_bench.h"
#include "bench/shape_sets.h"
#include "cli/app.h"
#include "cli/auto_choice.h"
#include "cli/kernel_choice.h"
#include "cli/record_file.h"
#include "core/error.h"

namespace tilewright {
namespace {

struct BenchOptions {
  std::vector<std::string> names;
  std::string shapes = "1024x1024x1024", baseline = "cublas", control = "none", out, gate;
  TimingPlan plan;
  AutoChoice automatic;
  int hang_limit = 120;
};

BenchRequest request_of(const App& app, const BenchOptions& options, Catalog& catalog) {
  BenchRequest request;
  request.shapes = parse_shapes(options.shapes, app.installation().resources() + "/bench_shapes.json");
  KernelChoice choice;
  choice.takes_auto = true;
  choice.names = options.names;
  request.kernels = choice.resolve(app.installation(), catalog);
  request.plan = options.plan;
  request.cublas = options.baseline == "cublas";
  request.control = options.control == "aa";
  request.origin = run_origin();
  request.hang_limit_seconds = options.hang_limit;
  return request;
}

std::string number(const std::optional<double>& value, const char* form) {
  return value ? fmt::format(fmt::runtime(form), *value) : "-";
}

std::string table_of(const BenchRequest& request, const BenchResult& result) {
  std::vector<std::vector<std::string>> rows{
      {"shape", "rung", "median us", "TFLOP/s", "of FMA ceiling", "timing", "cuBLAS/own", "verdict"}};
  if (request.control) rows.front().insert(rows.front().end(), {"itself/own", "control"});
  for (const BenchRow& row : result.rows) {
    rows.push_back(
        {to_string(row.shape), row.kernel, number(row.microseconds, "{:.2f}"), number(row.tflops, "{:.3g}"),
         row.fraction_of_fma_ceiling ? fmt::format("{:.1f} %", *row.fraction_of_fma_ceiling * 100) : "-",
         row.verdict, number(row.against_cublas, "{:.3f}"), row.cublas.empty() ? "-" : row.cublas});
    if (request.control)
      rows.back().insert(rows.back().end(),
                         {number(row.against_itself, "{:.4f}"), row.control.empty() ? "-" : row.control});
  }
  return text_table(rows);
}

std::string verdict_of(const BenchResult& result, const GateResult* gate) {
  if (result.failed) return "FAIL";
  if (gate && !gate->regressions.empty()) return "FAIL(regression)";
  return result.measured > 0 ? "PASS" : "UNSUPPORTED(nothing was measured)";
}

Json regressions_json(const GateResult& gate) {
  Json json = Json::array();
  for (const Regression& one : gate.regressions) json.push_back({{"what", one.what}, {"reason", one.reason}});
  return {{"compared", gate.compared}, {"regressions", json}};
}

void print_text(const BenchRequest& request, const BenchResult& result, const TimingDevice& device) {
  const Ceilings& ceilings = device.ceilings();
  fmt::print("{}, {}, {}: measured ceilings {:.1f} TFLOP/s FMA, {:.0f} GB/s copy, {:.0f} GB/s read\n\n",
             to_string(request.plan.cache), to_string(request.plan.mode), to_string(request.plan.boundary),
             ceilings.fma_tflops, ceilings.copy_gbps, ceilings.read_gbps);
  fmt::print("{}", table_of(request, result));
  if (!result.notes.empty()) fmt::print("\n");
  for (const std::string& note : result.notes) fmt::print("{}\n", note);
}

BenchListener listener_for(RecordFile& file, bool json) {
  return {.say =
              [](const std::string& what) {
                if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\033[K{}", what);
              },
          .keep = [&file](const Json& record) { file.add(record); },
          .abandon =
              [&file, json](const std::string& message) {
                file.finish();
                leave_with(Error(Code::fault, "bench", "gpu", message), json);
              }};
}

void bench(App& app, const BenchOptions& options) {
  Catalog catalog;
  BenchRequest request = request_of(app, options, catalog);
  std::vector<Json> before;
  if (!options.gate.empty()) before = read_bench_records(options.gate);
  const bool chooses = std::any_of(request.kernels.begin(), request.kernels.end(), is_auto);
  const std::vector<TunedTable> tables =
      chooses ? options.automatic.tables(app.installation(), catalog) : std::vector<TunedTable>{};
  RecordFile file(options.out);
  const std::unique_ptr<TimingDevice> device = make_gpu_timing_device();
  const Chooser chooser(catalog.rungs(), tables, device->environment());
  request.choose = [&](Shape shape, const Refusal& refusal) { return chooser.choose(shape, refusal); };
  const BenchResult result = run_bench(*device, request, listener_for(file, app.json));
  if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\033[K");
  file.finish();
  std::optional<GateResult> gate;
  if (!options.gate.empty()) gate = find_regressions(before, result.records);
  const std::string verdict = verdict_of(result, gate ? &*gate : nullptr);
  if (app.json) {
    Json json{{"schema", record_schema}, {"verdict", verdict}, {"measured", result.measured}};
    if (gate) json["gate"] = regressions_json(*gate);
    json["records"] = result.records;
    print_json(json);
  } else {
    print_text(request, result, *device);
    if (gate) fmt::print("\ngate {}: {} compared\n", options.gate, gate->compared);
    for (const Regression& one : gate ? gate->regressions : std::vector<Regression>{})
      fmt::print("REGRESSION {}: {}\n", one.what, one.reason);
    fmt::print("\nverdict: {}\n", verdict);
  }
  app.status = verdict == "PASS"                        ? exit_well
               : result.measured == 0 && !result.failed ? exit_unavailable
                                                        : exit_verdict;
}

template <class Value>
CLI::Option* add_choice(CLI::App& command, const std::string& name, Value& value,
                        const std::vector<std::pair<std::string, Value>>& words, const std::string& help) {
  std::vector<std::string> names;
  names.reserve(words.size());
  for (const auto& [word, meaning] : words) names.push_back(word);
  return command
      .add_option_function<std::string>(
          name,
          [&value, words](const std::string& word) {
            for (const auto& [known, meaning] : words)
              if (known == word) value = meaning;
          },
          help)
      ->check(CLI::IsMember(names))
      ->default_str(names.front());
}

}  // namespace

void add_bench(App& app) {
  CLI::App* command = app.cli().add_subcommand(
      "bench", "time rungs on the GPU beside cuBLAS; every timed product is verified");
  auto options = std::make_shared<BenchOptions>();
  command->add_option("rung", options->names, "rungs, or auto (default: every rung)");
  command
      ->add_option("--shapes", options->shapes,
                   "MxNxK and sets of them: square, odd, skinny, llm, all; with commas between")
      ->capture_default_str();
  command->add_option("--baseline", options->baseline, "cublas or none")
      ->check(CLI::IsMember({"cublas", "none"}))
      ->capture_default_str();
  add_choice<Cache>(
      *command, "--cache", options->plan.cache,
      {{"warm", Cache::warm}, {"rotate", Cache::rotate}, {"cold", Cache::cold}},
      "what a launch finds in the L2: its operands as the last one left them, other operands, or nothing");
  add_choice<Mode>(*command, "--mode", options->plan.mode,
                   {{"boost", Mode::boost}, {"sustained", Mode::sustained}},
                   "short batches with pauses, or seconds of work first and no pauses");
  add_choice<Boundary>(*command, "--boundary", options->plan.boundary,
                       {{"device", Boundary::device}, {"end-to-end", Boundary::end_to_end}},
                       "time the launches alone, or allocation and copies with them");
  command
      ->add_option("--control", options->control,
                   "none, or aa: each rung against itself, which must not differ")
      ->check(CLI::IsMember({"none", "aa"}))
      ->capture_default_str();
  command->add_option("--seconds", options->plan.seconds, "of timed work for each contender of a cell, about")
      ->check(seconds_between(0.01, 600))
      ->capture_default_str();
  command->add_option("--seed", options->plan.seed, "of the inputs")
      ->check(not_negative())
      ->capture_default_str();
  command
      ->add_option("--hang-limit", options->hang_limit,
                   "seconds that a batch may take; then it is FAIL(hang), and the run ends there")
      ->check(CLI::Range(1, 86400))
      ->capture_default_str();
  command->add_option("--out", options->out,
                      "write every record to this JSON Lines file; until the end they are in FILE.part-PID");
  options->automatic.add_options(*command);
  command->add_option("--gate", options->gate,
                      "fail when a rung is slower than in this file of an earlier run");
  command->footer(
      "Examples:\n"
      "  tilewright bench shared_tile_32 --shapes 4096x4096x4096\n"
      "  tilewright bench --shapes square,odd --cache rotate --out bench.jsonl\n"
      "  tilewright bench direct --control aa --mode sustained\n"
      "  tilewright bench auto --shapes llm\n"
      "  tilewright bench shared_tile_32 --gate bench.jsonl\n\n"
      "cuBLAS/own above 1 means that the rung is faster than the best of cuBLAS's default and the fastest of "
      "its\n"
      "heuristic list, measured in turn on the same buffers. Without a GPU it ends with status 3.");
  command->callback([&app, options] { bench(app, *options); });
}

}  // namespace tilewright
