// SPDX-License-Identifier: MIT
//
// tilewright tune: short verified trials of every rung at every shape, and the table for auto that they come to.
#include "bench/tune.h"

#include <fmt/format.h>
#include <unistd.h>

#include "bench/shape_sets.h"
#include "cli/app.h"
#include "cli/auto_choice.h"
#include "cli/kernel_choice.h"
#include "cli/record_file.h"
#include "core/error.h"
#include "gemm/row_alignment.h"

namespace tilewright {
namespace {

struct TuneOptions {
  std::vector<std::string> names;
  std::string shapes = "all", out, trials, table_out;
  bool restart = false;
  TimingPlan plan = TuneRequest().plan;
};

Json rows_json(const TunedTable& table) {
  Json rows = Json::array();
  for (const TunedRow& row : table.rows) {
    const bool alone = row.runner_up.empty();
    rows.push_back({{"shape", shape_json(row.shape)},
                    {"rung", row.rung},
                    {"median_us", row.median_us},
                    {"runner_up", alone ? Json(nullptr) : Json(row.runner_up)},
                    {"runner_up_us", alone ? Json(nullptr) : Json(row.runner_up_us)}});
  }
  return rows;
}

std::string rows_text(const TunedTable& table) {
  std::vector<std::vector<std::string>> rows{
      {"shape", "rows of 16 bytes", "fastest", "median us", "runner-up", "median us", "ratio"}};
  for (const TunedRow& row : table.rows) {
    const bool alone = row.runner_up.empty();
    rows.push_back({to_string(row.shape), std::string(name_of(row_alignment(row.shape))), row.rung,
                    fmt::format("{:.2f}", row.median_us), alone ? "-" : row.runner_up,
                    alone ? "-" : fmt::format("{:.2f}", row.runner_up_us),
                    alone ? "-" : fmt::format("{:.2f}", row.runner_up_us / row.median_us)});
  }
  return text_table(rows);
}

std::string verdict_of(const TuneResult& result, const TunedTable& table) {
  if (result.failed > 0 || result.lost) return "FAIL";
  return table.rows.empty() ? "UNSUPPORTED(nothing was timed)" : "PASS";
}

void report(App& app, const TuneResult& result, const TunedTable& table) {
  const std::string verdict = verdict_of(result, table);
  if (app.json) {
    print_json({{"schema", record_schema},
                {"verdict", verdict},
                {"timed", result.timed},
                {"hopeless", result.hopeless},
                {"unsupported", result.unsupported},
                {"failed", result.failed},
                {"from_before", result.skipped},
                {"notes", result.notes},
                {"rows", rows_json(table)}});
  } else {
    fmt::print("{}", rows_text(table));
    for (const std::string& note : result.notes) fmt::print("{}\n", note);
    fmt::print("\n{} timed, {} hopeless, {} unsupported, {} failed, {} from before: {}\n", result.timed,
               result.hopeless, result.unsupported, result.failed, result.skipped, verdict);
  }
  app.status = verdict == "PASS" ? exit_well : verdict == "FAIL" ? exit_verdict : exit_unavailable;
}

void run_trials(App& app, const TuneOptions& options) {
  if (options.out.empty()) throw bad_input("--out", "", "is needed: the file of trials, JSON Lines");
  if (!options.table_out.empty())
    throw bad_input("-o", options.table_out, "belongs to --table, which makes a table of trials");
  Catalog catalog;
  TuneRequest request;
  request.shapes = parse_shapes(options.shapes, app.installation().resources() + "/bench_shapes.json");
  KernelChoice choice;
  choice.names = options.names;
  request.kernels = choice.resolve(app.installation(), catalog);
  request.plan = options.plan;
  request.origin = run_origin();
  const std::unique_ptr<TimingDevice> device = make_gpu_timing_device();
  TrialFile file(options.out, tune_head(request, *device), options.restart);
  const bool shown = isatty(STDERR_FILENO) != 0;
  const TuneResult result = tune(*device, request, file, [&](const std::string& what) {
    if (shown) fmt::print(stderr, "\r\033[K{}", what);
  });
  if (shown) fmt::print(stderr, "\r\033[K");
  report(app, result, tuned_table_of(file.trials(), options.out));
}

void make_table(App& app, const TuneOptions& options) {
  if (options.table_out.empty()) throw bad_input("-o", "", "is needed with --table: where the table goes");
  if (!options.names.empty() || !options.out.empty() || options.restart)
    throw bad_input("--table", options.trials, "runs no trials: it takes no rungs, --out or --restart");
  Catalog catalog;
  catalog.load_folder(app.installation().rungs());
  const TunedTable table = tuned_table_of(read_trials(options.trials), options.trials);
  const std::string text = text_of(table);
  // What is written is what is read.
  parse_tuned_table(text, options.trials, names_of(catalog));
  if (table.rows.empty()) throw bad_input("--table", options.trials, "holds no timed trial");
  write_whole_file(options.table_out, text);
  if (app.json)
    print_json({{"schema", record_schema},
                {"gpu", table.gpu},
                {"output", options.table_out},
                {"rows", rows_json(table)}});
  else
    fmt::print("{}\nwrote {}: {} shapes on {}\n", rows_text(table), options.table_out, table.rows.size(),
               table.gpu);
}

}  // namespace

void add_tune(App& app) {
  CLI::App* command = app.cli().add_subcommand(
      "tune", "find the fastest rung of each shape on this GPU, for auto to choose by");
  auto options = std::make_shared<TuneOptions>();
  command->add_option("rung", options->names, "rungs (default: every rung)");
  command
      ->add_option("--shapes", options->shapes,
                   "MxNxK and sets of them: square, odd, skinny, llm, all; with commas between")
      ->capture_default_str();
  command->add_option("--out", options->out,
                      "append every trial to this JSON Lines file, and go on with it where it is there");
  command->add_flag("--restart", options->restart, "begin that file anew");
  command->add_option("--seconds", options->plan.seconds, "of timed work for each trial, about")
      ->check(seconds_between(0.005, 10))
      ->capture_default_str();
  command->add_option("--seed", options->plan.seed, "of the inputs")
      ->check(not_negative())
      ->capture_default_str();
  command->add_option("--table", options->trials, "run nothing: make the tuned table of this file of trials");
  command->add_option("-o,--output", options->table_out, "where the table goes, with --table");
  command->footer(
      "Examples:\n"
      "  tilewright tune --shapes all --out trials.jsonl\n"
      "  tilewright tune shared_tile_16 shared_tile_32 --shapes 512x512x512 --out trials.jsonl\n"
      "  tilewright tune --table trials.jsonl -o tuned.json\n\n"
      "Each product is judged before its rung is timed. A rung that takes 2.5 times as long as the best in "
      "its first\n"
      "launches is given up. A run that was cut off goes on when it is called again. Without a GPU it ends "
      "with status 3.");
  command->callback([&app, options] {
    if (options->trials.empty())
      run_trials(app, *options);
    else
      make_table(app, *options);
  });
}

}  // namespace tilewright
