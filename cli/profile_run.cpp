// SPDX-License-Identifier: MIT
#include "cli/profile_run.h"

#include <algorithm>

#include "cli/profile_model.h"
#include "judge/contract.h"

namespace tilewright {
namespace {

std::string value_in(const Environment& environment, const std::string& name) {
  for (const auto& [key, value] : environment)
    if (key == name) return value;
  return {};
}

std::string chosen_blocks(const ProfileRequest& request, Shape shape) {
  if (request.blocks != "auto") return request.blocks;
  return shape.multiply_adds() <= most_emulated_multiply_adds ? "all" : "sample";
}

// The comparison's metrics only where it is made: they slow the kernel down.
std::vector<std::string> metrics_to_read(bool compared) {
  std::vector<std::string> metrics = reading_metrics();
  if (!compared) return metrics;
  for (const std::string& name : agreement_metrics())
    if (std::find(metrics.begin(), metrics.end(), name) == metrics.end()) metrics.push_back(name);
  return metrics;
}

void measure(Profile& profile, bool compared) {
  const ProfileStand& stand = profile.stand;
  profile.ncu_version = ncu_version(stand.ncu);
  try {
    profile.counters = read_counters({.ncu = stand.ncu,
                                      .kernel = stand.symbol,
                                      .command = stand.command,
                                      .metrics = metrics_to_read(compared)});
  } catch (const Error& error) {
    if (error.code != Code::unavailable) throw;
    throw profile_unavailable(profile.request.kernel, error.rule);
  }
  try {
    profile.sass = read_sass(stand.program, stand.symbol, value_in(stand.environment, "compute_capability"));
  } catch (const Error& error) {
    if (error.code != Code::unavailable) throw;
    profile.sass_unavailable = error.what();
  }
}

void emulate(const Installation& installation, Profile& profile, const std::string& blocks) {
  if (blocks == "none") {
    profile.emulator_left_out = "no block was asked for";
    return;
  }
  TraceRequest request;
  request.kernel.names = {profile.request.kernel};
  request.shape = profile.request.shape;
  request.inputs = profiled_inputs;
  request.seed = profile.request.seed;
  request.sample_blocks = blocks == "sample";
  if (const std::string count = value_in(profile.stand.environment, "multiprocessors"); !count.empty())
    request.multiprocessors = std::stoi(count);  // on which a grid may depend
  try {
    profile.trace = run_trace(installation, request);
  } catch (const Error& error) {
    // Blocks that do not access alike: a few of them cannot stand for all.
    if (error.code != Code::unsupported) throw;
    profile.emulator_left_out = error.what();
    return;
  }
  profile.emulated = predict_counters(profile.rung, profile.shape, profile.trace->outcome.product.lines);
}

void compare_counts(Profile& profile) {
  if (!profile.trace)
    profile.agreement_left_out = "the emulator did not run: " + profile.emulator_left_out;
  else if (profile.trace->outcome.product.sample)
    profile.agreement_left_out =
        "the emulator ran a few blocks of each class; it compares launches that it ran whole";
  else
    profile.agreement =
        compare(*profile.emulated, profile.counters.metrics, profile.sass ? &*profile.sass : nullptr);
}

Predictions predictions_of(const Profile& profile) {
  std::string architecture = "sm_" + value_in(profile.stand.environment, "compute_capability");
  std::erase(architecture, '.');
  const std::string multiprocessors = value_in(profile.stand.environment, "multiprocessors");
  Predictions predictions = predict_launch(
      profile.rung, profile.shape,
      {.architecture = architecture,
       .multiprocessors = multiprocessors.empty() ? 0 : std::stoll(multiprocessors),
       .registers_per_thread = value_of(profile.counters.metrics, "launch__registers_per_thread")});
  if (profile.emulated) add_emulated(predictions, *profile.emulated);
  return predictions;
}

// Of the launch on the GPU, of the emulated one, then of the comparison: a count of a wrong kernel says nothing.
std::string verdict_of(const Profile& profile) {
  if (std::string launch = profile.counters.launch["verdict"]; launch != "PASS") return launch;
  if (profile.trace && profile.trace->outcome.verdict.kind != Verdict::Kind::pass)
    return profile.trace->outcome.verdict.text();
  for (const Agreement& agreement : profile.agreement)
    if (agreement.status == "different")
      return Verdict{Verdict::Kind::fail, "counters_differ_from_prediction"}.text();
  return "PASS";
}

}  // namespace

Error profile_unavailable(const std::string& kernel, const std::string& reason) {
  return {Code::unavailable, "profile", kernel, Verdict{Verdict::Kind::unavailable, reason}.text()};
}

std::string require_ncu(const std::string& kernel) {
  std::string ncu = find_cuda_program("ncu");
  if (ncu.empty()) throw profile_unavailable(kernel, "ncu, Nsight Compute's command line, is not installed");
  return ncu;
}

Profile run_profile(const Installation& installation, const ProfileRequest& request,
                    const std::function<ProfileStand(const Rung&, Shape)>& prepare) {
  Profile profile;
  profile.request = request;
  profile.shape = parse_shape(request.shape);
  require_exercise_shape(profile.shape);
  profile.catalog.load_folder(installation.rungs());
  profile.rung = profile.catalog.find(request.kernel);
  const std::string blocks = chosen_blocks(request, profile.shape);
  profile.stand = prepare(profile.rung, profile.shape);
  measure(profile, blocks == "all");
  emulate(installation, profile, blocks);
  compare_counts(profile);
  profile.readings = readings_of(profile.counters.metrics, predictions_of(profile));
  profile.limit = limiting_resource(profile.readings);
  profile.verdict = verdict_of(profile);
  return profile;
}

}  // namespace tilewright
