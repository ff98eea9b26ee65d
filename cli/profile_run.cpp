// SPDX-License-Identifier: MIT
#include "cli/profile_run.h"

#include <algorithm>

#include "cli/profile_model.h"
#include "judge/contract.h"

namespace tilewright {
namespace {

std::string chosen_blocks(const ProfileRequest& request, Shape shape) {
  if (request.blocks != "auto" && request.blocks != "all" && request.counts_only)
    throw bad_input("--blocks", request.blocks, "counts are compared where the emulator runs all blocks");
  if (request.counts_only) return "all";
  if (request.blocks != "auto") return request.blocks;
  return shape.multiply_adds() <= most_emulated_multiply_adds ? "all" : "sample";
}

// The counters that are compared exactly are read by themselves: beside many others ncu's numbers of them are at times a
// little off. Their values stand where both runs read one.
void add(MeasuredCounters& counters, MeasuredCounters more) {
  if (counters.launch.is_null()) {
    counters = std::move(more);
    return;
  }
  for (Metric& metric : more.metrics)
    if (std::none_of(counters.metrics.begin(), counters.metrics.end(),
                     [&](const Metric& own) { return own.name == metric.name; }))
      counters.metrics.push_back(std::move(metric));
  for (std::string& name : more.unknown)
    if (std::find(counters.unknown.begin(), counters.unknown.end(), name) == counters.unknown.end())
      counters.unknown.push_back(std::move(name));
  counters.passes = more.passes;
  if (counters.launch["verdict"] == "PASS") counters.launch = std::move(more.launch);
}

void measure(Profile& profile, bool compared) {
  const ProfileStand& stand = profile.stand;
  profile.ncu_version = ncu_version(stand.ncu);
  const auto read = [&](std::vector<std::string> kernels, std::vector<std::string> metrics) {
    return read_counters({.ncu = stand.ncu,
                          .kernels = std::move(kernels),
                          .command = stand.command,
                          .metrics = std::move(metrics)});
  };
  std::vector<std::string> kernels{stand.symbol};
  if (!stand.first_symbol.empty()) kernels.insert(kernels.begin(), stand.first_symbol);
  try {
    if (compared) add(profile.counters, read(kernels, agreement_metrics()));
    profile.compared = profile.counters.metrics;
    // Sums over two kernels are no readings of the one.
    if (kernels.size() > 1 && !profile.request.counts_only) profile.counters.metrics.clear();
    if (!profile.request.counts_only) add(profile.counters, read({stand.symbol}, reading_metrics()));
  } catch (const Error& error) {
    if (error.code != Code::unavailable) throw;
    throw profile_unavailable(profile.request.kernel, error.rule);
  }
  try {
    const std::string capability = value_in(stand.environment, "compute_capability");
    if (!stand.first_symbol.empty())
      profile.first_sass = read_sass(stand.program, stand.first_symbol, capability);
    profile.sass = read_sass(stand.program, stand.symbol, capability);
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
  request.multiprocessors = problem_of(profile).multiprocessors;
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
    profile.agreement = compare(*profile.emulated, profile.compared, profile.sass ? &*profile.sass : nullptr,
                                profile.first_sass ? &*profile.first_sass : nullptr);
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
  // The emulator counts both kernels together, and what is read is of one.
  if (profile.emulated && profile.stand.first_symbol.empty()) add_emulated(predictions, *profile.emulated);
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

Problem problem_of(const Profile& profile) {
  const std::string count = value_in(profile.stand.environment, "multiprocessors");
  return problem_of(profile.shape, count.empty() ? nominal_multiprocessors : std::stoi(count));
}

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
  if (!request.counts_only) {
    profile.readings = readings_of(profile.counters.metrics, predictions_of(profile));
    profile.limit = limiting_resource(profile.readings);
  }
  profile.verdict = verdict_of(profile);
  return profile;
}

}  // namespace tilewright
