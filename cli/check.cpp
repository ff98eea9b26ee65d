// SPDX-License-Identifier: MIT
//
// tilewright check: a plan of kernels × shapes × inputs, on one device, judged in float64.
#include "cli/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "bench/cublas_device.h"
#include "cli/npy.h"
#include "cli/record_file.h"
#include "core/error.h"
#include "device/cpu_device.h"
#include "device/emulator_device.h"
#include "device/gpu_device.h"
#include "gemm/launch_plan.h"
#include "judge/gate.h"

namespace tilewright {
namespace {

std::vector<std::string> split(const std::string& option, const std::string& list) {
  std::vector<std::string> parts;
  std::istringstream stream(list);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  if (parts.empty()) throw bad_input(option, list, "names nothing");
  return parts;
}

// {"cases": [{"shape": [M, N, K], "precision": "fp32"}, …]}
std::vector<DeclaredShape> read_cases(const std::string& path) {
  std::ifstream stream(path);
  const Json json = Json::parse(stream, nullptr, false);
  if (json.is_discarded() || !json.contains("cases"))
    throw bad_input("--shapes", path, "is not a file of cases");
  std::vector<DeclaredShape> cases;
  for (const Json& entry : json["cases"]) {
    const Json shape = entry.value("shape", Json());
    if (!shape.is_array() || shape.size() != 3 || !entry.contains("precision"))
      throw bad_input("--shapes", path,
                      "case " + std::to_string(cases.size()) + " has no shape of three and precision");
    cases.push_back({{shape[0], shape[1], shape[2]}, entry["precision"]});
  }
  return cases;
}

PlanRequest request_of(App& app, const CheckOptions& options, std::vector<Rung> kernels) {
  PlanRequest request;
  request.kernels = std::move(kernels);
  request.seed = options.seed;
  request.launches = options.launches;
  request.matrix = options.shapes == "matrix" || options.shapes == "all";
  if (options.shapes == "cases" || options.shapes == "all")
    request.declared = read_cases(app.installation().resources() + "/shapes.json");
  else if (!request.matrix)
    for (const std::string& shape : split("--shapes", options.shapes))
      request.declared.push_back({parse_shape(shape, "--shapes"), "fp32"});
  if (options.inputs == "all")
    for (const Family& family : families()) request.inputs.emplace_back(family.name);
  else
    request.inputs = split("--inputs", options.inputs);
  if (!options.operands.empty())
    request.operands = Operands{read_npy(options.operands[0]), read_npy(options.operands[1])};
  return request;
}

std::string chosen_device(const CheckOptions& options) {
  if (options.device != "auto") return options.device;
  const bool own_file = !options.kernel.kernel.empty();
  return !own_file && gpu_unavailable().empty() ? "gpu" : "emulator";
}

std::unique_ptr<Device> make_device(const std::string& name, const CheckOptions& options,
                                    const Catalog& catalog) {
  if (name == "cpu") return std::make_unique<CpuDevice>();
  if (name == "cublas") return make_cublas_device();
  if (name == "emulator")
    return std::make_unique<EmulatorDevice>(catalog, options.emulator.settings(options.seed));
  GpuSettings settings;
  settings.seed = options.seed;
  if (options.exact_allocations) settings.red_zone_bytes = 0;
  return make_gpu_device(settings);
}

// Of a library's kernels those that were named, or all of them.
std::vector<Rung> named_of(const std::vector<Rung>& kernels, const std::vector<std::string>& names) {
  if (names.empty()) return kernels;
  std::vector<Rung> named;
  for (const std::string& name : names) {
    const auto found =
        std::find_if(kernels.begin(), kernels.end(), [&](const Rung& kernel) { return kernel.name == name; });
    if (found == kernels.end())
      throw bad_input("kernel", name, "is a CUDA kernel: it runs on --device gpu or emulator");
    named.push_back(*found);
  }
  return named;
}

// Run what the cell names, or what is chosen for its shape where it names auto.
Json run_cell(Device& device, const Plan& plan, const Cell& cell, const CellInputs& inputs,
              const Chooser* chooser) {
  const Rung& kernel = plan.kernels[cell.kernel];
  const Operands& in = inputs.operands();
  if (!is_auto(kernel))
    return cell_record(plan, cell,
                       run_and_judge(device, kernel, in.A, in.B, inputs.reference(), plan.launches));
  const Problem problem{cell.shape.M, cell.shape.N, cell.shape.K, chooser->multiprocessors()};
  try {
    const Chosen chosen =
        chooser->choose(cell.shape, [&](const Rung& rung) { return launch_refusal(device, rung, problem); });
    Json record = cell_record(
        plan, cell, run_and_judge(device, chosen.rung, in.A, in.B, inputs.reference(), plan.launches));
    record["tile"] = {chosen.rung.tile.BM, chosen.rung.tile.BN, chosen.rung.tile.BK};
    record["choice"] = to_json(chosen.choice);
    return record;
  } catch (const Error& error) {
    if (error.code != Code::unsupported) throw;
    Outcome outcome;
    outcome.verdict = {Verdict::Kind::unsupported, error.rule};
    outcome.error = error.what();
    return cell_record(plan, cell, outcome);
  }
}

// `chooser` may be null where no kernel of the plan is auto.
void run_here(Device& device, const Plan& plan, std::size_t from, const Chooser* chooser,
              const RecordSink& sink) {
  CellInputs inputs(plan);
  for (std::size_t i = from; i < plan.cells.size(); ++i) {
    const Cell& cell = plan.cells[i];
    inputs.prepare(cell);
    sink(run_cell(device, plan, cell, inputs, chooser));
  }
}

// In a child: each record as a line, at once; a fault ends the process, since the GPU is of no more use to
// it.
void stream_cells(App& app, Device& device, const Plan& plan, std::size_t from, const Chooser* chooser) {
  run_here(device, plan, from, chooser, [&](const Json& record) {
    fmt::print("{}\n", record.dump());
    std::fflush(stdout);
    if (record["verdict"] == "FAIL(fault)") std::_Exit(exit_restart);
  });
  app.status = exit_well;
}

void reject(App& app, const Plan& plan, const std::string& reason) {
  app.status = exit_bad_input;
  if (app.json)
    print_json({{"schema", record_schema},
                {"verdict", "REJECTED(plan)"},
                {"reason", reason},
                {"planned", plan.cells.size() + plan.skipped.size()},
                {"passed", 0},
                {"failed", 0},
                {"skipped", plan.skipped.size()}});
  fmt::print(stderr, "tilewright: REJECTED(plan): {}\n", reason);
}

void sanitize(App& app, const CheckOptions& options, const Plan& plan, RecordFile& file) {
  bool clean = true;
  std::vector<std::vector<std::string>> rows{{"kernel", options.sanitizer, "errors", "cells"}};
  Json results = Json::array();
  for (const Json& record : run_sanitizer(app, options, plan)) {
    file.add(record);
    clean = clean && record["verdict"] == "PASS";
    rows.push_back({record["kernel"], record["verdict"], record["errors"].dump(),
                    std::to_string(record["cell_verdicts"].size())});
    results.push_back(record);
  }
  file.finish();
  if (app.json)
    print_json({{"schema", record_schema},
                {"verdict", clean ? "PASS" : "FAIL(" + options.sanitizer + ")"},
                {"results", results}});
  else
    fmt::print("{}", text_table(rows));
  if (!clean) app.status = exit_verdict;
}

void check(App& app, const CheckOptions& options) {
  const std::string device_name = chosen_device(options);
  Catalog catalog;
  std::vector<Rung> kernels;
  if (device_name == "cpu")
    kernels = named_of({openblas_kernel()}, options.kernel.names);
  else if (device_name == "cublas")
    kernels = named_of(cublas_kernels(), options.kernel.names);
  else
    kernels = options.kernel.resolve(app.installation(), catalog);
  if (device_name == "gpu" && !options.kernel.kernel.empty())
    throw Error(Code::unavailable, "--device", "gpu",
                "a kernel file runs on the emulator; --device emulator");
  const Plan plan = make_plan(request_of(app, options, std::move(kernels)));
  const std::unique_ptr<Device> device = make_device(device_name, options, catalog);
  std::optional<Chooser> chooser;
  if (std::any_of(plan.kernels.begin(), plan.kernels.end(), is_auto))
    chooser = options.automatic.chooser(app.installation(), catalog, device->environment());
  const Chooser* choosing = chooser ? &*chooser : nullptr;
  if (options.stream_from >= 0)
    return stream_cells(app, *device, plan, static_cast<std::size_t>(options.stream_from), choosing);

  if (const std::string reason = plan_rejection(plan); !reason.empty()) return reject(app, plan, reason);
  RecordFile file(options.out);
  file.add(run_record(run_origin(), device->environment(), plan));
  if (!options.sanitizer.empty()) return sanitize(app, options, plan, file);
  if (!app.json)
    fmt::print("plan: {} kernels, {} cells on {}, seed {}; {} skipped by rule\n\n", plan.kernels.size(),
               plan.cells.size(), device_name, plan.seed, plan.skipped.size());
  std::fflush(stdout);
  CheckSummary summary(plan);
  {
    Progress progress(plan.cells.size());
    const RecordSink sink = [&](const Json& record) {
      progress.step(record["kernel"].get<std::string>());
      file.add(record);
      summary.add(record);
    };
    if (device_name == "gpu")
      run_in_children(app, options, plan, {}, sink);
    else
      run_here(*device, plan, 0, choosing, sink);
  }
  file.finish();
  if (app.json)
    print_json(summary.json());
  else
    fmt::print("{}", summary.text());
  app.status = summary.passed()                                 ? exit_well
               : summary.verdict().rfind("UNSUPPORTED", 0) == 0 ? exit_unavailable
                                                                : exit_verdict;
}

}  // namespace

void add_check(App& app) {
  CLI::App* command = app.cli().add_subcommand("check", "judge kernels over shapes and inputs, in float64");
  auto options = std::make_shared<CheckOptions>();
  options->kernel.takes_auto = true;
  command->add_option("rung", options->kernel.names, "rungs, auto, or one FILE.cu (default: every rung)");
  command
      ->add_option(
          "--shapes", options->shapes,
          "matrix (round each kernel's tile), cases (shapes at which public kernels failed), all, or a list "
          "17x19x23,…")
      ->capture_default_str();
  command->add_option("--inputs", options->inputs, "all, or a list of families: ones,uniform,…")
      ->capture_default_str();
  command->add_option("--operands", options->operands, "check on these real matrices too: A.npy B.npy")
      ->expected(2)
      ->check(CLI::ExistingFile);
  command->add_option("--seed", options->seed, "of inputs, sentinels and shuffled order")
      ->check(not_negative())
      ->capture_default_str();
  command
      ->add_option("--device", options->device,
                   "auto, gpu, emulator, cpu (OpenBLAS) or cublas (the library itself, on the GPU)")
      ->check(CLI::IsMember({"auto", "gpu", "emulator", "cpu", "cublas"}))
      ->capture_default_str();
  command
      ->add_option("--launches", options->launches,
                   "launch every cell so often: all products must be the same bit for bit")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  command->add_option("--out", options->out, "write every cell's record to this JSON Lines file");
  command
      ->add_option("--sanitizer", options->sanitizer,
                   "on the GPU, under compute-sanitizer: memcheck, racecheck, initcheck or synccheck")
      ->check(CLI::IsMember({"memcheck", "racecheck", "initcheck", "synccheck"}));
  command->add_flag("--exact-allocations", options->exact_allocations,
                    "on the GPU, no red zones: every allocation as large as its matrix");
  command
      ->add_option("--hang-limit", options->hang_limit,
                   "on the GPU, give a cell up as hung after this many seconds without an answer")
      ->check(CLI::Range(1, 86400))
      ->capture_default_str();
  command->add_option("--stream-from", options->stream_from)->group("");
  options->kernel.add_options(*command);
  options->emulator.add_options(*command);
  options->automatic.add_options(*command);
  command->footer(
      "Examples:\n"
      "  tilewright check\n"
      "  tilewright check shared_tile_16 --shapes 17x19x23,64x64x64 --inputs ones,uniform\n"
      "  tilewright check --operands A.npy B.npy --shapes 17x19x23 --inputs uniform\n"
      "  tilewright check my.cu --kernel 'tiled<16>' --block 16x16 --tile 16x16\n"
      "  tilewright check --device gpu --shapes all --out records.jsonl\n"
      "  tilewright check auto --device gpu --shapes 640x640x4096 --inputs uniform --launches 100\n\n"
      "A plan whose inputs could not tell a wrong kernel from an honest one is rejected (status 2).");
  command->callback([&app, options] { check(app, *options); });
}

}  // namespace tilewright
