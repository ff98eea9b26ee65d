// SPDX-License-Identifier: MIT
//
// What every test here asks of a launch: the rung passes, nothing is found, and the emulator counts exactly
// what the rung predicts. The rungs, candidates too, come from the module folders; nothing here lists them.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "device/emulator_device.h"
#include "judge/inputs.h"
#include "judge/outcome.h"

namespace tilewright {

inline const Catalog& ladder() {
  static const Catalog catalog = [] {
    Catalog loaded;
    loaded.load_folder(TILEWRIGHT_LIB_DIR "/rungs");
    if (std::filesystem::exists(TILEWRIGHT_LIB_DIR "/candidates"))  // none are waiting otherwise
      loaded.load_folder(TILEWRIGHT_LIB_DIR "/candidates");
    return loaded;
  }();
  return catalog;
}

inline std::vector<std::string> rung_names() {
  std::vector<std::string> names;
  for (const Rung& rung : ladder().rungs()) names.emplace_back(rung.name);
  return names;
}

inline Outcome run(EmulatorDevice& device, const Rung& rung, Shape shape, const Family& family) {
  const Operands in = make_inputs(family, shape, 1);
  return run_and_judge(device, rung, in.A, in.B, make_reference(in.A, in.B, family.order_term));
}

inline std::string text_of(std::int64_t global_reads, std::int64_t global_writes, std::int64_t shared_reads,
                           std::int64_t shared_writes) {
  return "global " + std::to_string(global_reads) + " read, " + std::to_string(global_writes) +
         " written; shared " + std::to_string(shared_reads) + " read, " + std::to_string(shared_writes) +
         " written";
}
inline std::string text_of(const PredictedCounts& counts) {
  return text_of(counts.global_reads, counts.global_writes, counts.shared_reads, counts.shared_writes);
}
// In elements, as predictions are.
inline std::string text_of(const Counts& counts) {
  return text_of(counts.global_reads.elements, counts.global_writes.elements, counts.shared_reads.elements,
                 counts.shared_writes.elements);
}

// The lines' counts are another way to add up the same accesses.
inline Counts sum_of(const std::vector<LineCount>& lines) {
  Counts sum;
  for (const LineCount& line : lines) {
    Count& of_kind = line.space == "global" ? (line.op == "read" ? sum.global_reads : sum.global_writes)
                                            : (line.op == "read" ? sum.shared_reads : sum.shared_writes);
    of_kind.accesses += line.count.accesses;
    of_kind.elements += line.count.elements;
  }
  return sum;
}

// One string of everything that is wrong; empty where all agrees. For loops over thousands of launches.
inline std::string disagreement(const Rung& rung, Shape shape, const Family& family, const Outcome& outcome,
                                int multiprocessors = nominal_multiprocessors) {
  const std::string where = std::string(rung.name) + " " + to_string(shape) + " " + family.name + ": ";
  if (outcome.verdict.text() != "PASS") return where + outcome.verdict.text();
  if (outcome.product.findings_total != 0 || !outcome.product.findings.empty())
    return where + std::to_string(outcome.product.findings_total) + " findings";
  if (!outcome.product.counts) return where + "nothing was counted";
  // Not by way of run_and_judge, whose verdict is checked above: the rung's own words against the counters.
  const std::string counted = text_of(*outcome.product.counts);
  const std::string predicted = text_of(rung.predict(problem_of(shape, multiprocessors)));
  if (counted != predicted) return where + "counted " + counted + "; predicted " + predicted;
  if (text_of(sum_of(outcome.product.lines)) != counted)
    return where + "the lines do not add up to " + counted;
  if (family.integer && !outcome.judgement->bitwise) return where + "was not judged bit for bit";
  return {};
}

inline std::vector<const Family*> integer_families() {
  std::vector<const Family*> integer;
  for (const Family& family : families())
    if (family.integer) integer.push_back(&family);
  return integer;
}

}  // namespace tilewright
