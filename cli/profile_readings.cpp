// SPDX-License-Identifier: MIT
#include "cli/profile_readings.h"

#include <algorithm>

namespace tilewright {
namespace {

// How a quantity follows from its metrics.
enum class From {
  first,  // the first of its names that is there
  sum,    // the first and whatever there is of the others
  ratio,  // the first half's sum over that of the second half
};

struct Known {
  const char* section;
  const char* quantity;
  const char* unit;
  std::vector<std::string> metrics;
  From from = From::first;
};

constexpr const char* load_sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
constexpr const char* load_requests = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum";
constexpr const char* store_sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum";
constexpr const char* store_requests = "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum";
// The same for cp.async, which is counted apart.
constexpr const char* copy_sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ldgsts.sum";
constexpr const char* copy_requests = "l1tex__t_requests_pipe_lsu_mem_global_op_ldgsts.sum";

std::vector<Known> launch_quantities() {
  return {
      {"launch", "grid_x", "block", {"launch__grid_dim_x"}},
      {"launch", "grid_y", "block", {"launch__grid_dim_y"}},
      {"launch", "blocks", "block", {"launch__grid_size"}},
      {"launch", "block_x", "thread", {"launch__block_dim_x"}},
      {"launch", "block_y", "thread", {"launch__block_dim_y"}},
      {"launch", "threads_per_block", "thread", {"launch__block_size"}},
      {"launch", "registers_per_thread", "register", {"launch__registers_per_thread"}},
      {"launch", "static_shared_bytes", "byte", {"launch__shared_mem_per_block_static"}},
      {"launch", "dynamic_shared_bytes", "byte", {"launch__shared_mem_per_block_dynamic"}},
      {"launch", "duration", "nsecond", {"gpu__time_duration.sum"}},
      {"occupancy", "blocks_by_registers", "block", {"launch__occupancy_limit_registers"}},
      {"occupancy", "blocks_by_shared", "block", {"launch__occupancy_limit_shared_mem"}},
      {"occupancy", "blocks_by_warps", "block", {"launch__occupancy_limit_warps"}},
      {"occupancy", "blocks_by_count", "block", {"launch__occupancy_limit_blocks"}},
      {"occupancy", "occupancy_possible", "%", {"sm__maximum_warps_per_active_cycle_pct"}},
      {"occupancy", "occupancy_achieved", "%", {"sm__warps_active.avg.pct_of_peak_sustained_active"}},
      {"occupancy", "waves", "", {"launch__waves_per_multiprocessor"}},
  };
}

std::vector<Known> work_quantities() {
  return {
      {"throughput", "compute", "%", {"sm__throughput.avg.pct_of_peak_sustained_elapsed"}},
      {"throughput", "memory", "%", {"gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"}},
      {"throughput", "fma_pipe", "%", {"sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active"}},
      {"throughput", "issue_slots", "%", {"smsp__issue_active.avg.pct_of_peak_sustained_active"}},
      {"throughput", "load_store_queue", "%", {"l1tex__lsuin_requests.avg.pct_of_peak_sustained_elapsed"}},
      {"throughput", "data_pipe", "%", {"l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed"}},
      {"throughput",
       "data_pipe_shared",
       "%",
       {"l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed"}},
      {"throughput", "l1", "%", {"l1tex__throughput.avg.pct_of_peak_sustained_active"}},
      {"throughput", "l2", "%", {"lts__throughput.avg.pct_of_peak_sustained_elapsed"}},
      {"throughput", "dram", "%", {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"}},
      {"instructions", "instructions", "inst", {"smsp__inst_executed.sum"}},
      {"instructions", "fma_pipe_instructions", "inst", {"sm__inst_executed_pipe_fma.sum"}},
      // Registers spilled to memory.
      {"instructions", "local_loads", "inst", {"smsp__inst_executed_op_local_ld.sum"}},
      {"instructions", "local_stores", "inst", {"smsp__inst_executed_op_local_st.sum"}},
  };
}

std::vector<Known> memory_quantities() {
  return {
      {"memory", "dram_read_bytes", "byte", {"dram__bytes_read.sum"}},
      {"memory", "dram_write_bytes", "byte", {"dram__bytes_write.sum"}},
      {"memory", "l2_bytes", "byte", {"lts__t_bytes.sum"}},
      {"memory", "l2_hit_rate", "%", {"lts__t_sector_hit_rate.pct"}},
      {"memory", "l1_bytes", "byte", {"l1tex__t_bytes.sum"}},
      {"memory", "l1_hit_rate", "%", {"l1tex__t_sector_hit_rate.pct"}},
      {"memory", "load_requests", "request", {load_requests, copy_requests}, From::sum},
      {"memory", "load_sectors", "sector", {load_sectors, copy_sectors}, From::sum},
      {"memory",
       "sectors_per_load",
       "sector/request",
       {load_sectors, copy_sectors, load_requests, copy_requests},
       From::ratio},
      {"memory", "store_requests", "request", {store_requests}},
      {"memory", "store_sectors", "sector", {store_sectors}},
      {"memory", "sectors_per_store", "sector/request", {store_sectors, store_requests}, From::ratio},
      {"shared", "load_wavefronts", "wavefront", {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"}},
      {"shared", "store_wavefronts", "wavefront", {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"}},
      {"shared",
       "load_bank_conflicts",
       "wavefront",
       {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"}},
      {"shared",
       "store_bank_conflicts",
       "wavefront",
       {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"}},
  };
}

// Why warps that are there do not issue: of each reason, how many warps wait for it whenever one issues.
std::vector<Known> stall_quantities() {
  std::vector<Known> stalls;
  for (const char* reason :
       {"barrier", "branch_resolving", "dispatch_stall", "drain", "gmma", "imc_miss", "lg_throttle",
        "long_scoreboard", "math_pipe_throttle", "membar", "mio_throttle", "misc", "no_instruction",
        "not_selected", "short_scoreboard", "sleeping", "tex_throttle", "wait"})
    stalls.push_back(
        {"stalls",
         reason,
         "warp/issue",
         {std::string("smsp__average_warps_issue_stalled_") + reason + "_per_issue_active.ratio"}});
  return stalls;
}

const std::vector<Known>& known_quantities() {
  static const std::vector<Known> all = [] {
    std::vector<Known> known;
    for (std::vector<Known> part :
         {launch_quantities(), work_quantities(), memory_quantities(), stall_quantities()})
      known.insert(known.end(), part.begin(), part.end());
    return known;
  }();
  return all;
}

// The sum of what there is, if the first is.
std::optional<double> sum_of(const std::vector<Metric>& metrics,
                             std::vector<std::string>::const_iterator first,
                             std::vector<std::string>::const_iterator end) {
  std::optional<double> sum = value_of(metrics, *first);
  if (!sum) return {};
  while (++first != end) *sum += value_of(metrics, *first).value_or(0);
  return sum;
}

void measure(Reading& reading, const Known& known, const std::vector<Metric>& metrics) {
  const auto first = known.metrics.begin(), end = known.metrics.end();
  switch (known.from) {
    case From::first:
      for (const std::string& name : known.metrics) {
        reading.measured = value_of(metrics, name);
        if (!reading.measured) continue;
        reading.metrics = {name};
        return;
      }
      return;
    case From::sum:
      reading.measured = sum_of(metrics, first, end);
      return;
    case From::ratio: {
      const auto middle = first + static_cast<std::ptrdiff_t>(known.metrics.size() / 2);
      const std::optional<double> above = sum_of(metrics, first, middle),
                                  below = sum_of(metrics, middle, end);
      if (above && below && *below > 0) reading.measured = *above / *below;
      return;
    }
  }
}

}  // namespace

std::vector<std::string> reading_metrics() {
  std::vector<std::string> names;
  for (const Known& known : known_quantities())
    for (const std::string& name : known.metrics)
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

std::vector<Reading> readings_of(const std::vector<Metric>& metrics, const Predictions& predictions) {
  std::vector<Reading> readings;
  for (const Known& known : known_quantities()) {
    Reading reading{known.section, known.quantity, known.unit, known.metrics, {}, {}};
    measure(reading, known, metrics);
    if (const auto found = predictions.find(known.quantity); found != predictions.end())
      reading.predicted = found->second;
    readings.push_back(std::move(reading));
  }
  const auto stalls = std::find_if(readings.begin(), readings.end(),
                                   [](const Reading& one) { return one.section == "stalls"; });
  std::stable_sort(stalls, readings.end(), [](const Reading& a, const Reading& b) {
    return a.measured.value_or(-1) > b.measured.value_or(-1);
  });
  return readings;
}

std::optional<double> measured_of(const std::vector<Reading>& readings, std::string_view quantity) {
  for (const Reading& reading : readings)
    if (reading.quantity == quantity) return reading.measured;
  return {};
}

}  // namespace tilewright
