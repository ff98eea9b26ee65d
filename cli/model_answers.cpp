// SPDX-License-Identifier: MIT
//
// The answers of tilewright model: numbers from model/, as a table and as JSON.
#include <fmt/format.h>

#include "cli/model.h"
#include "model/bound.h"
#include "model/phases.h"
#include "model/traffic.h"
#include "model/waves.h"

namespace tilewright {
namespace {

Json shape_json(ProductSize product) { return {product.M, product.N, product.K}; }

std::string percent(double share) { return fmt::format("{:.1f} %", 100.0 * share); }

// A real number of elements, rounded towards zero: "13,436,928"; beyond 64 bits as a power of ten.
std::string elements(double number) {
  return number < 9e18 ? with_commas(static_cast<std::int64_t>(number)) : fmt::format("{:.6g}", number);
}

std::string gigabytes(std::int64_t element_count, std::int64_t element_bytes) {
  return fmt::format("{:.3f} GB",
                     static_cast<double>(element_count) * static_cast<double>(element_bytes) * 1e-9);
}

}  // namespace

void print_answer(const App& app, const ModelAnswer& answer) {
  if (app.json) {
    Json json{{"schema", record_schema}, {"model", true}};
    json.update(answer.json);
    json["assumptions"] = Json::array();
    for (const std::string_view assumption : answer.assumptions) json["assumptions"].push_back(assumption);
    return print_json(json);
  }
  fmt::print("{}: a model, not a measurement\n\n{}\nassumptions:\n", answer.question,
             text_table(answer.rows));
  for (const std::string_view assumption : answer.assumptions) fmt::print("  - {}\n", assumption);
}

ModelAnswer traffic_answer(ProductSize product, OutputTile tile, std::int64_t element_bytes) {
  const Traffic traffic = matmul_traffic(product, tile);
  const double intensity = block_intensity(tile, element_bytes);
  const auto row = [&](const char* what, std::int64_t count) {
    return std::vector<std::string>{what, with_commas(count), gigabytes(count, element_bytes)};
  };
  return {.question = fmt::format("traffic {}, tile {}", text_of(product), text_of(tile)),
          .rows = {{"", "elements", fmt::format("at {} B", element_bytes)},
                   row("naive, 2MNK", traffic.naive),
                   row("tiled, MK*ceil(N/BN) + KN*ceil(M/BM)", traffic.tiled),
                   row("minimum, MK + KN", traffic.minimum),
                   row("minimum with C, + MN", traffic.minimum_with_output),
                   {"intensity of a block", fmt::format("{:.2f} FLOP/B", intensity)}},
          .json = {{"question", "traffic"},
                   {"shape", shape_json(product)},
                   {"tile", {tile.BM, tile.BN}},
                   {"element_bytes", element_bytes},
                   {"naive", traffic.naive},
                   {"tiled", traffic.tiled},
                   {"minimum", traffic.minimum},
                   {"minimum_with_output", traffic.minimum_with_output},
                   {"block_intensity", intensity}},
          .assumptions = traffic_assumptions};
}

ModelAnswer tiled_answer(ProductSize product, std::int64_t b) {
  const TiledCounts counts = tiled_counts(product, b);
  return {.question = fmt::format("tiled {}, b = {}", text_of(product), b),
          .rows = {{"", "elements"},
                   {"global reads", with_commas(counts.global_reads)},
                   {"shared reads, 2MNK", with_commas(counts.shared_reads)},
                   {"shared reads with padding", with_commas(counts.padded_shared_reads)}},
          .json = {{"question", "tiled"},
                   {"shape", shape_json(product)},
                   {"tile", b},
                   {"global_reads", counts.global_reads},
                   {"shared_reads", counts.shared_reads},
                   {"padded_shared_reads", counts.padded_shared_reads}},
          .assumptions = tiled_assumptions};
}

ModelAnswer two_level_answer(ProductSize product, std::int64_t b, std::int64_t t) {
  const TwoLevelCounts counts = two_level_counts(product, b, t);
  const double reads = shared_reads_per_multiply_add({t, t});
  return {.question = fmt::format("two-level {}, b = {}, t = {}", text_of(product), b, t),
          .rows = {{"", "elements"},
                   {"global reads", with_commas(counts.global_reads)},
                   {"shared reads", with_commas(counts.shared_reads)},
                   {"shared reads per multiply-add of a whole register tile", fmt::format("{:.4g}", reads)}},
          .json = {{"question", "two-level"},
                   {"shape", shape_json(product)},
                   {"tile", b},
                   {"register", t},
                   {"global_reads", counts.global_reads},
                   {"shared_reads", counts.shared_reads},
                   {"shared_reads_per_multiply_add", reads}},
          .assumptions = two_level_assumptions};
}

ModelAnswer roofline_answer(ProductSize product, std::int64_t T, Machine machine,
                            std::int64_t element_bytes) {
  const Roofline result = roofline(product, T, machine, element_bytes);
  const char* const bound_by = result.memory_bound ? "memory" : "compute";
  return {.question = fmt::format("roofline {}, T = {}, {} GB/s, {} TFLOP/s", text_of(product), T,
                                  machine.bandwidth_gb_per_s, machine.compute_tflop_per_s),
          .rows = {{"intensity", fmt::format("{:.3f} FLOP/B", result.intensity)},
                   {"ridge point", fmt::format("{:.3f} FLOP/B", result.ridge)},
                   {"traffic", fmt::format("{:.3f} GB", result.traffic_bytes * 1e-9)},
                   {"shared memory of a block",
                    fmt::format("{:.3f} KiB", static_cast<double>(result.shared_bytes) / 1024)},
                   {"memory bound", fmt::format("{:.4f} ms", result.memory_ms)},
                   {"compute bound", fmt::format("{:.4f} ms", result.compute_ms)},
                   {fmt::format("combined bound ({})", bound_by), fmt::format("{:.4f} ms", result.bound_ms)},
                   {"attainable", fmt::format("{:.3f} TFLOP/s", result.attainable_tflop_per_s)}},
          .json = {{"question", "roofline"},
                   {"shape", shape_json(product)},
                   {"tile", T},
                   {"element_bytes", element_bytes},
                   {"bandwidth_gb_per_s", machine.bandwidth_gb_per_s},
                   {"compute_tflop_per_s", machine.compute_tflop_per_s},
                   {"flop", result.flop},
                   {"intensity", result.intensity},
                   {"ridge", result.ridge},
                   {"traffic_bytes", result.traffic_bytes},
                   {"shared_bytes", result.shared_bytes},
                   {"memory_ms", result.memory_ms},
                   {"compute_ms", result.compute_ms},
                   {"bound_ms", result.bound_ms},
                   {"bound_by", bound_by},
                   {"attainable_tflop_per_s", result.attainable_tflop_per_s}},
          .assumptions = roofline_assumptions};
}

ModelAnswer bound_answer(ProductSize product, std::int64_t on_chip) {
  const Bound bound = traffic_bound(product, on_chip);
  return {.question = fmt::format("bound {}, S = {} elements on chip", text_of(product), on_chip),
          .rows = {{"", "elements"},
                   {bound.lower_bound < 0 ? "lower bound (below zero: says nothing)" : "lower bound",
                    elements(bound.lower_bound)},
                   {"minimum, MK + KN", with_commas(bound.minimum)},
                   {"at least, the larger of both", elements(bound.at_least)},
                   {"tiling reaches, side sqrt(S/3)", elements(bound.tiling)},
                   {fmt::format("tiles of side {}, exact", bound.tile_side), with_commas(bound.tiled)}},
          .json = {{"question", "bound"},
                   {"shape", shape_json(product)},
                   {"on_chip", on_chip},
                   {"lower_bound", bound.lower_bound},
                   {"tiling", bound.tiling},
                   {"minimum", bound.minimum},
                   {"at_least", bound.at_least},
                   {"tile_side", bound.tile_side},
                   {"tiled", bound.tiled}},
          .assumptions = bound_assumptions};
}

ModelAnswer mma_answer(ProductSize product, MmaShape mma) {
  const MmaCount count = mma_count(product, mma);
  const std::string name = fmt::format("m{}n{}k{}", mma.m, mma.n, mma.k);
  return {.question = fmt::format("mma {}, {}", text_of(product), name),
          .rows = {{"instructions", with_commas(count.instructions)},
                   {"utilization", percent(count.utilization)}},
          .json = {{"question", "mma"},
                   {"shape", shape_json(product)},
                   {"mma", {mma.m, mma.n, mma.k}},
                   {"instructions", count.instructions},
                   {"utilization", count.utilization}},
          .assumptions = mma_assumptions};
}

ModelAnswer waves_answer(ProductSize product, OutputTile tile, std::int64_t sms, std::int64_t blocks_per_sm) {
  const Waves waves = count_waves(product, tile, sms, blocks_per_sm);
  return {.question = fmt::format("waves {}, tile {}, {} SMs x {} blocks", text_of(product), text_of(tile),
                                  sms, blocks_per_sm),
          .rows = {{"tiles", with_commas(waves.tiles)},
                   {"waves", with_commas(waves.waves)},
                   {"tiles in the last wave",
                    fmt::format("{} of {}", with_commas(waves.last_wave_tiles), with_commas(waves.slots))},
                   {"last wave full", percent(waves.last_wave_efficiency)},
                   {"all waves full", percent(waves.efficiency)},
                   {"tiles full, at the edges", percent(waves.edge_efficiency)}},
          .json = {{"question", "waves"},
                   {"shape", shape_json(product)},
                   {"tile", {tile.BM, tile.BN}},
                   {"sms", sms},
                   {"blocks_per_sm", blocks_per_sm},
                   {"tiles", waves.tiles},
                   {"waves", waves.waves},
                   {"last_wave_tiles", waves.last_wave_tiles},
                   {"last_wave_efficiency", waves.last_wave_efficiency},
                   {"efficiency", waves.efficiency},
                   {"edge_efficiency", waves.edge_efficiency}},
          .assumptions = waves_assumptions};
}

ModelAnswer occupancy_answer(const Architecture& architecture, BlockResources block) {
  const Occupancy result = occupancy(architecture, block);
  std::string limits;
  for (const std::string& limit : result.limited_by) limits += (limits.empty() ? "" : ", ") + limit;
  return {
      .question = fmt::format("occupancy on {}: {} registers, {} threads, {} shared bytes", architecture.name,
                              block.registers_per_thread, block.threads, block.shared_bytes),
      .rows = {{"blocks per SM", std::to_string(result.blocks_per_sm)},
               {"warps per SM", fmt::format("{} of {}", result.warps_per_sm, architecture.warps_per_sm)},
               {"occupancy", percent(result.occupancy)},
               {"limited by", limits},
               {"blocks that warps allow", std::to_string(result.blocks_by_warps)},
               {"blocks that the block limit allows", std::to_string(result.blocks_by_count)},
               {"blocks that registers allow", std::to_string(result.blocks_by_registers)},
               {"blocks that shared memory allows", std::to_string(result.blocks_by_shared)}},
      .json = {{"question", "occupancy"},
               {"arch", architecture.name},
               {"registers", block.registers_per_thread},
               {"threads", block.threads},
               {"shared_bytes", block.shared_bytes},
               {"blocks_per_sm", result.blocks_per_sm},
               {"warps_per_sm", result.warps_per_sm},
               {"occupancy", result.occupancy},
               {"limited_by", result.limited_by},
               {"blocks_by",
                {{"warps", result.blocks_by_warps},
                 {"blocks", result.blocks_by_count},
                 {"registers", result.blocks_by_registers},
                 {"shared", result.blocks_by_shared}}}},
      .assumptions = occupancy_assumptions};
}

ModelAnswer phases_answer(ProductSize product, std::int64_t T) {
  ModelAnswer answer{.question = fmt::format("phases {}, T = {}", text_of(product), T),
                     .rows = {{"block (x, y)", "phase", "valid k", "zero-filled k", "threads taking part",
                               "threads that store"}},
                     .json = {{"question", "phases"}, {"shape", shape_json(product)}, {"tile", T}},
                     .assumptions = phases_assumptions};
  answer.json["phases"] = Json::array();
  for (const Phase& phase : list_phases(product, T)) {
    answer.rows.push_back({fmt::format("({}, {})", phase.block_x, phase.block_y), std::to_string(phase.phase),
                           std::to_string(phase.valid_k), std::to_string(phase.zero_filled_k),
                           std::to_string(phase.participating_threads),
                           std::to_string(phase.storing_threads)});
    answer.json["phases"].push_back({{"block", {phase.block_x, phase.block_y}},
                                     {"phase", phase.phase},
                                     {"valid_k", phase.valid_k},
                                     {"zero_filled_k", phase.zero_filled_k},
                                     {"participating_threads", phase.participating_threads},
                                     {"storing_threads", phase.storing_threads},
                                     {"loaded_elements", phase.loaded_elements},
                                     {"zero_elements", phase.zero_elements}});
  }
  return answer;
}

}  // namespace tilewright
