// SPDX-License-Identifier: MIT
//
// tilewright profile: one launch of a rung under Nsight Compute, its counters beside what the emulator and the model
// predict. Nothing is estimated: what ncu does not have is said to be unavailable.
#include <fmt/format.h>

#include <cmath>

#include "cli/app.h"
#include "cli/profile_agreement.h"
#include "cli/profile_counters.h"
#include "cli/profile_sass.h"
#include "cli/record_file.h"
#include "cli/trace.h"
#include "core/error.h"
#include "device/gpu_device.h"
#include "judge/contract.h"

namespace tilewright {
namespace {

struct ProfileOptions {
  std::string kernel, shape, out;
  std::uint64_t seed = 1;
};

constexpr const char* profiled_inputs = "uniform";  // counts do not depend on the values

struct Profile {
  Catalog catalog;  // holds the module that `rung` points into
  Rung rung;
  Shape shape;
  std::string symbol, ncu_version;
  int multiprocessors = 0;
  Environment environment;
  MeasuredCounters counters;
  std::optional<SassCounts> sass;
  std::string sass_unavailable;
  Trace trace;
  Prediction prediction;
  std::vector<Agreement> agreement;
  std::string verdict;
};

Error unavailable(const std::string& kernel, const std::string& reason) {
  return {Code::unavailable, "profile", kernel, Verdict{Verdict::Kind::unavailable, reason}.text()};
}

// The child that ncu watches: one cell of a check, judged there, its record printed as a line.
std::vector<std::string> launch_command(const App& app, const ProfileOptions& options) {
  return {app.self(),
          "check",
          options.kernel,
          "--shapes",
          options.shape,
          "--inputs",
          profiled_inputs,
          "--device",
          "gpu",
          "--seed",
          std::to_string(options.seed),
          "--stream-from",
          "0"};
}

std::string compute_capability_of(const Environment& environment) {
  for (const auto& [key, value] : environment)
    if (key == "compute_capability") return value;
  return {};
}

void measure(const App& app, const ProfileOptions& options, Profile& profile) {
  const std::string ncu = find_cuda_program("ncu");
  if (ncu.empty()) throw unavailable(options.kernel, "ncu, Nsight Compute's command line, is not installed");
  const std::unique_ptr<Device> device = make_gpu_device({});
  device->require_launchable(profile.rung, profile.shape);
  profile.environment = device->environment();
  profile.multiprocessors = device->multiprocessors();
  profile.ncu_version = ncu_version(ncu);
  profile.symbol = gpu_symbol(profile.rung);
  try {
    profile.counters = read_counters({.ncu = ncu,
                                      .kernel = profile.symbol,
                                      .command = launch_command(app, options),
                                      .metrics = profiled_metrics()});
  } catch (const Error& error) {
    if (error.code != Code::unavailable) throw;
    throw unavailable(options.kernel, error.rule);
  }
  try {
    profile.sass = read_sass(app.self(), profile.symbol, compute_capability_of(profile.environment));
  } catch (const Error& error) {
    if (error.code != Code::unavailable) throw;
    profile.sass_unavailable = error.what();
  }
}

// Of the launch on the GPU, of the emulated one, then of the comparison: a count of a wrong kernel says nothing.
std::string verdict_of(const Profile& profile) {
  if (std::string launch = profile.counters.launch["verdict"]; launch != "PASS") return launch;
  if (profile.trace.outcome.verdict.kind != Verdict::Kind::pass) return profile.trace.outcome.verdict.text();
  for (const Agreement& agreement : profile.agreement)
    if (agreement.status == "different")
      return Verdict{Verdict::Kind::fail, "counters_differ_from_prediction"}.text();
  return "PASS";
}

Profile run_profile(const App& app, const ProfileOptions& options) {
  Profile profile;
  profile.shape = parse_shape(options.shape);
  require_exercise_shape(profile.shape);
  profile.catalog.load_folder(app.installation().rungs());
  profile.rung = profile.catalog.find(options.kernel);
  if (const std::string reason = gpu_unavailable(); !reason.empty())
    throw unavailable(options.kernel, reason);
  TraceRequest request;
  request.kernel.names = {options.kernel};
  request.shape = options.shape;
  request.inputs = profiled_inputs;
  request.seed = options.seed;
  measure(app, options, profile);
  request.multiprocessors = profile.multiprocessors;  // on which a grid may depend
  profile.trace = run_trace(app.installation(), request);
  profile.prediction = predict_counters(profile.rung, profile.shape, profile.trace.outcome.product.lines);
  profile.agreement =
      compare(profile.prediction, profile.counters.metrics, profile.sass ? &*profile.sass : nullptr);
  profile.verdict = verdict_of(profile);
  return profile;
}

// A count as an integer.
Json number_json(double value) {
  return value == std::trunc(value) && std::abs(value) < 9e15 ? Json(static_cast<std::int64_t>(value))
                                                              : Json(value);
}

Json to_json(const Agreement& agreement) {
  Json json{
      {"quantity", agreement.quantity}, {"metric", agreement.metric}, {"predicted", agreement.predicted}};
  json["measured"] = agreement.measured ? number_json(*agreement.measured) : Json(nullptr);
  json["status"] = agreement.status;
  if (!agreement.note.empty()) json["note"] = agreement.note;
  return json;
}

Json metrics_json(const MeasuredCounters& counters) {
  Json metrics = Json::array();
  for (const Metric& metric : counters.metrics)
    if (metric.value)
      metrics.push_back(
          {{"name", metric.name}, {"unit", metric.unit}, {"value", number_json(*metric.value)}});
    else
      metrics.push_back({{"name", metric.name}, {"value", nullptr}});
  return metrics;
}

Json predicted_json(const Profile& profile) {
  const auto requests = [](const WarpCounts& warps) {
    return Json{{"requests", warps.requests}, {"sectors", warps.sectors}};
  };
  const Prediction& prediction = profile.prediction;
  Json json = to_json(*profile.trace.outcome.product.counts);
  json["global_load"] = requests(prediction.global_reads);
  json["global_store"] = requests(prediction.global_writes);
  json["shared_load"] = {{"requests", prediction.shared_reads.requests},
                         {"wavefronts", prediction.shared_reads.wavefronts},
                         {"bank_conflicts", prediction.shared_reads.bank_conflicts}};
  json["multiply_adds"] = prediction.multiply_adds;
  return json;
}

Json sass_json(const Profile& profile) {
  if (!profile.sass) return {{"unavailable", profile.sass_unavailable}};
  Json json{{"arch", profile.sass->arch}};
  for (const auto& [opcode, count] : profile.sass->opcodes) json[opcode] = count;
  return json;
}

Json profile_record(const Profile& profile, const ProfileOptions& options) {
  const RunOrigin origin = run_origin();
  const Rung& rung = profile.rung;
  Json json{{"schema", record_schema},
            {"record", "profile"},
            {"revision", origin.revision},
            {"dirty", origin.dirty},
            {"started", origin.started},
            {"kernel", rung.name},
            {"symbol", profile.symbol},
            {"contract", "exercise"},
            {"precision", "fp32"},
            {"tile", {rung.tile.BM, rung.tile.BN, rung.tile.BK}},
            {"shape", shape_json(profile.shape)},
            {"inputs", profiled_inputs},
            {"seed", options.seed}};
  for (const auto& [key, value] : profile.environment) json["environment"][key] = value;
  json["environment"]["ncu"] = profile.ncu_version;
  json["environment"]["clock_control"] = "none";
  json["predicted"] = predicted_json(profile);
  json["metrics"] = metrics_json(profile.counters);
  json["metrics_unknown"] = profile.counters.unknown;
  json["sass"] = sass_json(profile);
  json["agreement"] = Json::array();
  for (const Agreement& agreement : profile.agreement) json["agreement"].push_back(to_json(agreement));
  json["verdict"] = profile.verdict;
  return json;
}

void print_profile(const Profile& profile) {
  fmt::print("{} at {} under Nsight Compute {}\n\n", profile.rung.name, to_string(profile.shape),
             profile.ncu_version);
  std::vector<std::vector<std::string>> rows{{"quantity", "predicted", "measured", "status"}};
  for (const Agreement& agreement : profile.agreement)
    rows.push_back({agreement.quantity, with_commas(agreement.predicted),
                    agreement.measured ? fmt::format("{}", number_json(*agreement.measured).dump()) : "-",
                    agreement.status});
  fmt::print("{}\n", text_table(rows));
  for (const Agreement& agreement : profile.agreement)
    if (!agreement.note.empty()) fmt::print("{}: {}\n", agreement.quantity, agreement.note);
  if (!profile.sass) fmt::print("machine code not read: {}\n", profile.sass_unavailable);
  fmt::print("verdict: {}\n", profile.verdict);
}

}  // namespace

void add_profile(App& app) {
  CLI::App* command = app.cli().add_subcommand(
      "profile", "measure one launch of a rung with Nsight Compute, beside what is predicted");
  auto options = std::make_shared<ProfileOptions>();
  command->add_option("rung", options->kernel, "a rung (`tilewright ladder`)")->required();
  command->add_option("--shape", options->shape, "MxNxK, such as 131x257x67")->required();
  command->add_option("--seed", options->seed, "of the inputs")->check(not_negative())->capture_default_str();
  command->add_option("--out", options->out, "write the record to this JSON Lines file");
  command->footer(
      "Examples:\n"
      "  tilewright profile shared_tile_32 --shape 256x256x256\n"
      "  tilewright profile direct --shape 131x257x67 --json --out profile.jsonl\n\n"
      "Needs a GPU, ncu, and the right to read the GPU's counters; without them it ends with status 3.");
  command->callback([&app, options] {
    RecordFile file(options->out);
    const Profile profile = run_profile(app, *options);
    const Json record = profile_record(profile, *options);
    file.add(record);
    file.finish();
    if (app.json)
      print_json(record);
    else
      print_profile(profile);
    if (profile.verdict != "PASS") app.status = exit_verdict;
  });
}

}  // namespace tilewright
