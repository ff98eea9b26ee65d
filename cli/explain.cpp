// SPDX-License-Identifier: MIT
//
// tilewright explain: which rung auto chooses for a shape, why, and what its launch comes to. It launches nothing and
// needs no GPU.
#include <fmt/format.h>

#include <algorithm>

#include "cli/app.h"
#include "cli/auto_choice.h"
#include "core/error.h"
#include "device/gpu_device.h"
#include "gemm/launch_plan.h"
#include "judge/contract.h"

namespace tilewright {
namespace {

constexpr std::size_t most_options_shown = 5;

struct ExplainOptions {
  std::string shape, gpu;
  int multiprocessors = 0;
  AutoChoice automatic;
};

struct Explained {
  Shape shape{};
  std::string gpu;
  int multiprocessors = 0;
  Chosen chosen;
  LaunchPlan plan;
};

// The GPU that is asked about: the one named, this machine's, or the first that is tuned.
Environment environment_of(const ExplainOptions& options, const std::vector<TunedTable>& tables,
                           const Device* device) {
  std::string gpu = options.gpu;
  if (gpu.empty() && device != nullptr) return device->environment();
  if (gpu.empty() && !tables.empty()) gpu = tables.front().gpu;
  int multiprocessors = options.multiprocessors;
  for (const TunedTable& table : tables)
    if (multiprocessors == 0 && table.gpu == gpu) multiprocessors = table.multiprocessors;
  return {{"gpu", gpu}, {"multiprocessors", std::to_string(multiprocessors)}};
}

// What it returns names rungs of the catalog.
Explained explain(const App& app, const ExplainOptions& options, Catalog& catalog) {
  Explained explained;
  explained.shape = parse_shape(options.shape, "shape");
  require_library_shape(explained.shape);
  catalog.load_folder(app.installation().rungs());
  const std::vector<TunedTable> tables = options.automatic.tables(app.installation(), catalog);
  std::unique_ptr<Device> device;
  if (options.gpu.empty() && gpu_unavailable().empty()) device = make_gpu_device({});
  const Chooser chooser(catalog.rungs(), tables, environment_of(options, tables, device.get()));
  explained.gpu = chooser.gpu();
  explained.multiprocessors = chooser.multiprocessors();
  const Problem problem{explained.shape.M, explained.shape.N, explained.shape.K, chooser.multiprocessors()};
  explained.chosen = chooser.choose(explained.shape, [&](const Rung& rung) {
    return device ? launch_refusal(*device, rung, problem) : launch_refusal(rung, problem);
  });
  explained.plan = plan_launch(explained.chosen.rung, problem);
  return explained;
}

Json options_json(const std::vector<Option>& options) {
  Json json = Json::array();
  for (const Option& option : options) json.push_back({{"rung", option.rung}, {"reason", option.why}});
  return json;
}

Json explained_json(const Explained& explained) {
  const Rung& rung = explained.chosen.rung;
  const LaunchPlan& plan = explained.plan;
  const auto or_null = [](const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); };
  return {
      {"schema", record_schema},
      {"shape", shape_json(explained.shape)},
      {"gpu", or_null(explained.gpu)},
      {"multiprocessors", explained.multiprocessors > 0 ? Json(explained.multiprocessors) : Json(nullptr)},
      {"rung", rung.name},
      {"reason", explained.chosen.choice.reason},
      {"tile", {rung.tile.BM, rung.tile.BN, rung.tile.BK}},
      {"block", {rung.block.x, rung.block.y}},
      {"grid", {plan.grid.x, plan.grid.y, plan.grid.z}},
      {"blocks", plan.blocks},
      {"tiles", plan.tiles},
      {"splits", plan.splits},
      {"waves", plan.waves ? Json(*plan.waves) : Json(nullptr)},
      {"scratch_bytes", plan.scratch_bytes},
      {"first_grid",
       plan.first_grid ? Json{plan.first_grid->x, plan.first_grid->y, plan.first_grid->z} : Json(nullptr)},
      {"runners_up", options_json(explained.chosen.choice.runners_up)},
      {"passed_over", options_json(explained.chosen.choice.passed_over)}};
}

void print_options(const char* title, const std::vector<Option>& options) {
  if (options.empty()) return;
  fmt::print("{}\n", title);
  std::size_t widest = 0;
  for (std::size_t i = 0; i < std::min(options.size(), most_options_shown); ++i)
    widest = std::max(widest, options[i].rung.size());
  for (std::size_t i = 0; i < std::min(options.size(), most_options_shown); ++i)
    fmt::print("  {:<{}}  {}\n", options[i].rung, widest, options[i].why);
  if (options.size() > most_options_shown)
    fmt::print("  … and {} more (--json lists them)\n", options.size() - most_options_shown);
}

void print_text(const Explained& explained) {
  const Rung& rung = explained.chosen.rung;
  const LaunchPlan& plan = explained.plan;
  const std::string gpu = explained.gpu.empty() ? "no GPU" : explained.gpu;
  fmt::print("{} on {}: {}\n", to_string(explained.shape), gpu, rung.name);
  fmt::print("  reason   {}\n", explained.chosen.choice.reason);
  fmt::print("  tile     {}x{}x{}, by {}x{} threads\n", rung.tile.BM, rung.tile.BN, rung.tile.BK,
             rung.block.x, rung.block.y);
  fmt::print("  grid     {}x{}x{}: {} blocks for {} tiles, {} a tile\n", plan.grid.x, plan.grid.y,
             plan.grid.z, with_commas(plan.blocks), with_commas(plan.tiles), plan.splits);
  if (plan.waves)
    fmt::print("  waves    {} over {} multiprocessors, at one block on each\n", with_commas(*plan.waves),
               explained.multiprocessors);
  fmt::print("  scratch  {} bytes\n", with_commas(plan.scratch_bytes));
  if (plan.first_grid)
    fmt::print("  first    another kernel, by a grid of {}x{}x{} blocks of {}x{} threads\n",
               plan.first_grid->x, plan.first_grid->y, plan.first_grid->z, rung.first.block.x,
               rung.first.block.y);
  print_options("next in order:", explained.chosen.choice.runners_up);
  print_options("cannot be launched:", explained.chosen.choice.passed_over);
}

}  // namespace

void add_explain(App& app) {
  CLI::App* command = app.cli().add_subcommand("explain", "say which rung auto chooses for a shape, and why");
  auto options = std::make_shared<ExplainOptions>();
  command->add_option("shape", options->shape, "MxNxK")->required();
  command->add_option("--gpu", options->gpu,
                      "as if on this GPU, named as its driver does (default: this machine's; without one, "
                      "the first that is tuned)");
  command
      ->add_option("--multiprocessors", options->multiprocessors,
                   "of that GPU (default: what its tuned table says)")
      ->check(CLI::Range(1, 4096));
  options->automatic.add_options(*command);
  command->footer(
      "Examples:\n"
      "  tilewright explain 4096x4096x64\n"
      "  tilewright explain 1x8192x8192 --gpu 'NVIDIA H200' --json");
  command->callback([&app, options] {
    Catalog catalog;
    const Explained explained = explain(app, *options, catalog);
    if (app.json)
      print_json(explained_json(explained));
    else
      print_text(explained);
  });
}

}  // namespace tilewright
