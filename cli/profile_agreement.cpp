// SPDX-License-Identifier: MIT
#include "cli/profile_agreement.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/traffic.h"

namespace tilewright {
namespace {

// How a count changes when the compiler makes one wide access of several of the source's.
enum class Merging {
  none,       // it does not
  requests,   // as the number of instructions does, exactly
  conflicts,  // a wide request has at most as many as those that it stands for, or none
  parts,      // a wide request has at least one part and at most as many as the requests that it stands for
};

struct Quantity {
  const char* name;
  std::vector<const char*> metrics;  // the first that is there counts
  std::int64_t (*predicted)(const Prediction&);
  Merging merging;
  const char* family;  // of the instructions that make it
  // Of `parts`: the requests that they are parts of.
  std::int64_t (*requests)(const Prediction&) = nullptr;
  const char* asynchronous = nullptr;  // the metric of the same for cp.async, which is counted apart
};

constexpr const char* wavefronts_of_instructions =
    "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum";
constexpr const char* wavefronts_of_pipe = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum";
constexpr const char* conflicts_of_pipe = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum";

// Names differ between versions of ncu and between GPUs, so there are alternatives: hardware counters first where the
// issue of a warp is what they count, then counts by instrumented machine code.
const std::vector<Quantity>& quantities() {
  using P = const Prediction&;
  static const std::vector<Quantity> all{
      {"global_load_requests",
       {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"},
       [](P p) { return p.global_reads.requests; },
       Merging::requests,
       "LDG",
       nullptr,
       "l1tex__t_requests_pipe_lsu_mem_global_op_ldgsts.sum"},
      {"global_load_sectors",
       {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"},
       [](P p) { return p.global_reads.sectors; },
       Merging::parts,
       "LDG",
       [](P p) { return p.global_reads.requests; },
       "l1tex__t_sectors_pipe_lsu_mem_global_op_ldgsts.sum"},
      {"global_store_requests",
       {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"},
       [](P p) { return p.global_writes.requests; },
       Merging::requests,
       "STG"},
      {"global_store_sectors",
       {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"},
       [](P p) { return p.global_writes.sectors; },
       Merging::parts,
       "STG",
       [](P p) { return p.global_writes.requests; }},
      {"shared_load_requests",
       {"smsp__sass_inst_executed_op_shared_ld.sum", "smsp__inst_executed_op_shared_ld.sum",
        "sass__inst_executed_shared_loads"},
       [](P p) { return p.shared_reads.requests; },
       Merging::requests,
       "LDS"},
      {"shared_load_wavefronts",
       {wavefronts_of_instructions, wavefronts_of_pipe},
       [](P p) { return p.shared_reads.wavefronts; },
       Merging::parts,
       "LDS",
       [](P p) { return p.shared_reads.requests; }},
      {"shared_load_bank_conflicts",
       {conflicts_of_pipe, "smsp__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"},
       [](P p) { return p.shared_reads.bank_conflicts; },
       Merging::conflicts,
       "LDS"},
      {"multiply_adds",
       {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
        "sm__sass_thread_inst_executed_op_ffma_pred_on.sum"},
       [](P p) { return p.multiply_adds; },
       Merging::none,
       "FFMA"},
      // Registers spilled to memory: the source keeps nothing there.
      {"local_loads",
       {"smsp__sass_inst_executed_op_local_ld.sum", "smsp__inst_executed_op_local_ld.sum"},
       [](P) { return std::int64_t{0}; },
       Merging::none,
       "LDL"},
      {"local_stores",
       {"smsp__sass_inst_executed_op_local_st.sum", "smsp__inst_executed_op_local_st.sum"},
       [](P) { return std::int64_t{0}; },
       Merging::none,
       "STL"},
  };
  return all;
}

// "8 LDS.128 + 32 LDS"
std::string instruction_text(const SassCounts& sass, const std::string& family) {
  std::string text;
  for (const char* width : {".128", ".64", ""})
    if (const int count = sass.count(family + width); count > 0)
      text += fmt::format("{}{} {}{}", text.empty() ? "" : " + ", count, family, width);
  return text;
}

// The machine code of a launch's kernels: one, or two.
using MachineCode = std::vector<SassCounts>;

SassCounts sum_of(const MachineCode& kernels) {
  SassCounts sum;
  for (const SassCounts& kernel : kernels)
    for (const auto& [opcode, count] : kernel.opcodes) sum.opcodes[opcode] += count;
  return sum;
}

bool any_merged(const MachineCode& kernels, const char* family) {
  return std::any_of(kernels.begin(), kernels.end(),
                     [&](const SassCounts& one) { return one.merged(family); });
}

// Whether the widths of the instructions explain the measured number. Unrolled copies of a loop all have the same mix,
// so a kernel's static counts are in the ratio of the executed ones; of two kernels the ratio of their sum lies between.
bool explained_by_widths(const Quantity& quantity, const Prediction& prediction, double measured,
                         const MachineCode& kernels) {
  double fewest = 1, most = 0;
  for (const SassCounts& kernel : kernels) {
    if (kernel.instructions(quantity.family) == 0) continue;
    const double ratio =
        static_cast<double>(kernel.instructions(quantity.family)) / kernel.accesses(quantity.family);
    fewest = std::min(fewest, ratio);
    most = std::max(most, ratio);
  }
  const double predicted = static_cast<double>(quantity.predicted(prediction));
  if (quantity.merging == Merging::requests)
    return measured >= predicted * fewest && measured <= predicted * most;
  if (quantity.merging == Merging::conflicts) return measured <= predicted;
  return measured >= static_cast<double>(quantity.requests(prediction)) * fewest && measured <= predicted;
}

// The pipe's counters of wavefronts and of conflicts also hold wavefronts that it repeated because something else wanted
// the data banks in that cycle; what the instructions' addresses need is counted apart. Zero where that is not there.
double arbitrated_wavefronts(const std::vector<Metric>& measured) {
  const std::optional<double> all = value_of(measured, wavefronts_of_pipe);
  const std::optional<double> own = value_of(measured, wavefronts_of_instructions);
  if (!all || !own) return 0;
  return *all - *own;
}

void judge_quantity(Agreement& agreement, const Quantity& quantity, const Prediction& prediction,
                    const std::vector<Metric>& measured, const MachineCode& kernels) {
  const double arbitrated = agreement.metric == conflicts_of_pipe ? arbitrated_wavefronts(measured) : 0;
  if (*agreement.measured == static_cast<double>(agreement.predicted)) {
    agreement.status = "equal";
  } else if (*agreement.measured - arbitrated == static_cast<double>(agreement.predicted)) {
    agreement.status = "arbitrated";
    agreement.note = fmt::format(
        "{:.0f} wavefronts of the pipe are beyond those that the instructions' addresses need", arbitrated);
  } else if (quantity.merging != Merging::none && any_merged(kernels, quantity.family) &&
             explained_by_widths(quantity, prediction, *agreement.measured - arbitrated, kernels)) {
    const SassCounts sass = sum_of(kernels);
    agreement.status = "merged";
    agreement.note = fmt::format("{}: {} instructions for {} accesses of the source",
                                 instruction_text(sass, quantity.family), sass.instructions(quantity.family),
                                 sass.accesses(quantity.family));
  } else if (quantity.asynchronous != nullptr && sum_of(kernels).instructions("LDGSTS") > 0 &&
             *agreement.measured > static_cast<double>(agreement.predicted)) {
    agreement.status = "masked";
    agreement.note =
        "cp.async with nothing to read, outside of the matrix, is a request of the hardware and none of the "
        "source";
  } else {
    agreement.status = "different";
  }
}

}  // namespace

std::int64_t executed_multiply_adds(const Rung& rung, Shape shape) {
  if (rung.multiply_adds != nullptr) return rung.multiply_adds(problem_of(shape, 0));
  if (rung.static_shared_bytes + rung.dynamic_shared_bytes == 0) return shape.multiply_adds();
  return padded_multiply_adds({shape.M, shape.N, shape.K}, {rung.tile.BM, rung.tile.BN}, rung.tile.BK);
}

Prediction predict_counters(const Rung& rung, Shape shape, const std::vector<LineCount>& lines) {
  Prediction prediction;
  for (const LineCount& line : lines) {
    // Without atomics, which are instructions of their own with counters of their own.
    WarpCounts warps = line.warps;
    warps.requests -= line.atomic_requests;
    warps.sectors -= line.atomic_sectors;
    if (line.space == "global" && line.op == "read") prediction.global_reads += warps;
    if (line.space == "global" && line.op == "write") prediction.global_writes += warps;
    if (line.space == "shared" && line.op == "read") prediction.shared_reads += warps;
    if (line.space == "shared" && line.op == "write") prediction.shared_writes += warps;
  }
  prediction.multiply_adds = executed_multiply_adds(rung, shape);
  return prediction;
}

std::vector<std::string> agreement_metrics() {
  std::vector<std::string> metrics;
  for (const Quantity& quantity : quantities()) {
    metrics.insert(metrics.end(), quantity.metrics.begin(), quantity.metrics.end());
    if (quantity.asynchronous != nullptr) metrics.emplace_back(quantity.asynchronous);
  }
  return metrics;
}

std::vector<Agreement> compare(const Prediction& prediction, const std::vector<Metric>& measured,
                               const SassCounts* sass, const SassCounts* first) {
  MachineCode kernels;
  for (const SassCounts* kernel : {first, sass})
    if (kernel != nullptr) kernels.push_back(*kernel);
  std::vector<Agreement> all;
  for (const Quantity& quantity : quantities()) {
    Agreement& agreement = all.emplace_back();
    agreement.quantity = quantity.name;
    agreement.metric = quantity.metrics.front();
    agreement.predicted = quantity.predicted(prediction);
    for (const char* name : quantity.metrics) {
      agreement.measured = value_of(measured, name);
      if (!agreement.measured) continue;
      agreement.metric = name;
      break;
    }
    if (quantity.asynchronous != nullptr && agreement.measured)
      *agreement.measured += value_of(measured, quantity.asynchronous).value_or(0);
    if (agreement.measured)
      judge_quantity(agreement, quantity, prediction, measured, kernels);
    else
      agreement.status = "unavailable(ncu has no such metric here)";
  }
  return all;
}

}  // namespace tilewright
