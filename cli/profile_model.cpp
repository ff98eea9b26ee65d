// SPDX-License-Identifier: MIT
#include "cli/profile_model.h"

#include "model/occupancy.h"

namespace tilewright {
namespace {

constexpr std::int64_t element_bytes = sizeof(float), sector_bytes = 32, warp_threads = 32;

const Architecture* known_architecture(const std::string& name) {
  for (const Architecture& architecture : architectures())
    if (name == architecture.name) return &architecture;
  return nullptr;
}

void add_occupancy(Predictions& predictions, const Rung& rung, Shape shape, const LaunchedOn& machine) {
  const Architecture* architecture = known_architecture(machine.architecture);
  if (architecture == nullptr || !machine.registers_per_thread) return;
  const Occupancy resident = occupancy(
      *architecture, {.registers_per_thread = static_cast<std::int64_t>(*machine.registers_per_thread),
                      .threads = std::int64_t{rung.block.x} * rung.block.y,
                      .shared_bytes = rung.static_shared_bytes + rung.dynamic_shared_bytes});
  const auto add = [&](const char* quantity, double value) { predictions[quantity] = {value, "model"}; };
  add("blocks_by_registers", static_cast<double>(resident.blocks_by_registers));
  add("blocks_by_shared", static_cast<double>(resident.blocks_by_shared));
  add("blocks_by_warps", static_cast<double>(resident.blocks_by_warps));
  add("blocks_by_count", static_cast<double>(resident.blocks_by_count));
  add("occupancy_possible", 100 * resident.occupancy);
  if (machine.multiprocessors < 1) return;
  const Grid grid = grid_of(rung, problem_of(shape, static_cast<int>(machine.multiprocessors)));
  add("waves", static_cast<double>(grid.count()) /
                   static_cast<double>(machine.multiprocessors * resident.blocks_per_sm));
}

}  // namespace

std::int64_t compulsory_read_bytes(Shape shape) {
  return element_bytes * (shape.M * shape.K + shape.K * shape.N);
}

std::int64_t compulsory_write_bytes(Shape shape) { return element_bytes * shape.M * shape.N; }

Predictions predict_launch(const Rung& rung, Shape shape, const LaunchedOn& machine) {
  Predictions predictions;
  const auto add = [&](const char* quantity, std::int64_t value, const char* by) {
    predictions[quantity] = {static_cast<double>(value), by};
  };
  const Grid grid = grid_of(rung, problem_of(shape, static_cast<int>(machine.multiprocessors)));
  add("grid_x", grid.x, "rung");
  add("grid_y", grid.y, "rung");
  add("blocks", grid.count(), "rung");
  add("block_x", rung.block.x, "rung");
  add("block_y", rung.block.y, "rung");
  add("threads_per_block", std::int64_t{rung.block.x} * rung.block.y, "rung");
  add("static_shared_bytes", rung.static_shared_bytes, "rung");
  add("dynamic_shared_bytes", rung.dynamic_shared_bytes, "rung");
  // FFMA alone, each of a whole warp; the pipe executes integer arithmetic as well.
  add("fma_pipe_instructions", ceil_div(executed_multiply_adds(rung, shape), warp_threads), "model");
  add("local_loads", 0, "rung");  // the source keeps nothing there
  add("local_stores", 0, "rung");
  if (rung.first.kernel == nullptr) {  // else the rung's own kernel reads what the first one wrote
    add("dram_read_bytes", compulsory_read_bytes(shape), "model");
    add("dram_write_bytes", compulsory_write_bytes(shape), "model");
  }
  add_occupancy(predictions, rung, shape, machine);
  return predictions;
}

void add_emulated(Predictions& predictions, const Prediction& emulated) {
  const auto add = [&](const char* quantity, std::int64_t value) {
    predictions[quantity] = {static_cast<double>(value), "emulator"};
  };
  const auto add_ratio = [&](const char* quantity, const WarpCounts& warps) {
    if (warps.requests > 0)
      predictions[quantity] = {static_cast<double>(warps.sectors) / static_cast<double>(warps.requests),
                               "emulator"};
  };
  add("load_requests", emulated.global_reads.requests);
  add("load_sectors", emulated.global_reads.sectors);
  add_ratio("sectors_per_load", emulated.global_reads);
  add("store_requests", emulated.global_writes.requests);
  add("store_sectors", emulated.global_writes.sectors);
  add_ratio("sectors_per_store", emulated.global_writes);
  add("l1_bytes", sector_bytes * (emulated.global_reads.sectors + emulated.global_writes.sectors));
  add("load_wavefronts", emulated.shared_reads.wavefronts);
  add("load_bank_conflicts", emulated.shared_reads.bank_conflicts);
  add("store_wavefronts", emulated.shared_writes.wavefronts);
  add("store_bank_conflicts", emulated.shared_writes.bank_conflicts);
}

}  // namespace tilewright
