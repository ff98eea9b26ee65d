// SPDX-License-Identifier: MIT
//
// tilewright profile: one launch of a rung under Nsight Compute, its counters beside what the model and the emulator
// predict. Nothing is estimated: what ncu does not have is said to be unavailable.
#include <fmt/format.h>

#include "cli/app.h"
#include "cli/profile_run.h"
#include "cli/record_file.h"
#include "device/gpu_device.h"

namespace tilewright {
namespace {

// The child that ncu watches: one cell of a check, judged there, its record printed as a line.
std::vector<std::string> launch_command(const App& app, const ProfileRequest& request) {
  return {app.self(),
          "check",
          request.kernel,
          "--shapes",
          request.shape,
          "--inputs",
          profiled_inputs,
          "--device",
          "gpu",
          "--seed",
          std::to_string(request.seed),
          "--stream-from",
          "0"};
}

ProfileStand gpu_stand(const App& app, const ProfileRequest& request, const Rung& rung, Shape shape) {
  if (const std::string reason = gpu_unavailable(); !reason.empty())
    throw profile_unavailable(request.kernel, reason);
  const std::string ncu = require_ncu(request.kernel);
  const std::unique_ptr<Device> device = make_gpu_device({});
  device->require_launchable(rung, shape);
  const std::vector<std::string> symbols = gpu_symbols(rung, problem_of(shape, device->multiprocessors()));
  return {.environment = device->environment(),
          .ncu = ncu,
          .program = app.self(),
          .symbol = symbols.back(),
          .command = launch_command(app, request),
          .first_symbol = symbols.size() > 1 ? symbols.front() : std::string()};
}

void profile_rung(App& app, const ProfileRequest& request, const std::string& out) {
  RecordFile file(out);
  const Profile profile = run_profile(app.installation(), request, [&](const Rung& rung, Shape shape) {
    return gpu_stand(app, request, rung, shape);
  });
  const Json record = profile_record(profile);
  file.add(record);
  file.finish();
  if (app.json)
    print_json(record);
  else
    fmt::print("{}", profile_text(profile));
  if (profile.verdict != "PASS") app.status = exit_verdict;
}

}  // namespace

void add_profile(App& app) {
  CLI::App* command = app.cli().add_subcommand(
      "profile", "measure one launch of a rung with Nsight Compute, beside what is predicted");
  struct ProfileOptions {
    ProfileRequest request;
    std::string out;
  };
  auto options = std::make_shared<ProfileOptions>();
  ProfileRequest& request = options->request;
  command->add_option("rung", request.kernel, "a rung (`tilewright ladder`)")->required();
  command->add_option("--shape", request.shape, "MxNxK, such as 131x257x67")->required();
  command
      ->add_option(
          "--blocks", request.blocks,
          "the blocks that the emulator runs for its predictions: all (then counts are compared one by one), "
          "sample (a few of each class), none; auto: all of them up to 1024x1024x1024, beyond that a sample")
      ->check(CLI::IsMember({"auto", "all", "sample", "none"}))
      ->capture_default_str();
  command->add_flag("--counts-only", request.counts_only,
                    "only the counters that are compared exactly, of all blocks: half the time");
  command->add_option("--seed", request.seed, "of the inputs")->check(not_negative())->capture_default_str();
  command->add_option("--out", options->out, "write the record to this JSON Lines file");
  command->footer(
      "Examples:\n"
      "  tilewright profile shared_tile_32 --shape 256x256x256\n"
      "  tilewright profile direct --shape 131x257x67 --json --out profile.jsonl\n"
      "  tilewright profile shared_tile_32 --shape 4096x4096x4096 --blocks none\n\n"
      "Launch, occupancy, throughput, memory traffic, bank conflicts and stalls, each beside its prediction, "
      "and the\n"
      "resource that limits the launch. Counts of the emulator are compared exactly where it ran every "
      "block. Of a\n"
      "rung with two kernels, counts are summed over both, and everything else is of the rung's own.\n"
      "Needs a GPU, ncu, and the right to read the GPU's counters; without them it ends with status 3.");
  command->callback([&app, options] { profile_rung(app, options->request, options->out); });
}

}  // namespace tilewright
