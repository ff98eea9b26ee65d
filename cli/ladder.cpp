// SPDX-License-Identifier: MIT
//
// tilewright ladder: every rung with its idea, its tile and what it needs.
#include <fmt/format.h>

#include "cli/app.h"
#include "device/catalog.h"
#include "device/gpu_device.h"
#include "judge/contract.h"

namespace tilewright {
namespace {

Json rung_json(const Rung& rung) {
  return {{"name", rung.name},
          {"idea", rung.idea},
          {"source", rung.source},
          {"precision", "fp32"},
          {"contract", "exercise"},
          {"tile", {rung.tile.BM, rung.tile.BN, rung.tile.BK}},
          {"block", {rung.block.x, rung.block.y}},
          {"threads", rung.block.x * rung.block.y},
          {"static_shared_bytes", rung.static_shared_bytes},
          {"grid", rung.grid == nullptr ? "a block a tile" : "its own"},
          {"scratch", takes_scratch(rung)},
          {"first_kernel", rung.first.kernel != nullptr},
          {"deterministic", !rung.adds_to_output},
          {"compiled_for_gpu", gpu_has(rung)},
          {"shapes", {{"smallest", 1}, {"largest", largest_exercise_dimension}}}};
}

void print_ladder(App& app) {
  Catalog catalog;
  catalog.load_folder(app.installation().rungs());
  if (app.json) {
    Json rungs = Json::array();
    for (const Rung& rung : catalog.rungs()) rungs.push_back(rung_json(rung));
    return print_json({{"schema", record_schema}, {"rungs", rungs}});
  }
  std::vector<std::vector<std::string>> rows{
      {"rung", "tile MxNxK", "block", "threads", "shared", "GPU code"}};
  for (const Rung& rung : catalog.rungs())
    rows.push_back({rung.name, fmt::format("{}x{}x{}", rung.tile.BM, rung.tile.BN, rung.tile.BK),
                    fmt::format("{}x{}", rung.block.x, rung.block.y),
                    std::to_string(rung.block.x * rung.block.y),
                    fmt::format("{} B", rung.static_shared_bytes), gpu_has(rung) ? "yes" : "no"});
  fmt::print("{}\n", text_table(rows));
  std::string last;
  for (const Rung& rung : catalog.rungs()) {
    if (rung.source == last) continue;
    last = rung.source;
    fmt::print("  {}\n      {}\n", rung.source, rung.idea);
  }
  fmt::print("\nEvery rung takes any M, N, K from 1 to {}; float32 in, float32 accumulation, float32 out.\n",
             largest_exercise_dimension);
}

}  // namespace

void add_ladder(App& app) {
  CLI::App* command =
      app.cli().add_subcommand("ladder", "list every rung: idea, tile, threads, shared memory, shapes");
  command->footer("Examples:\n  tilewright ladder\n  tilewright ladder --json");
  command->callback([&app] { print_ladder(app); });
}

}  // namespace tilewright
