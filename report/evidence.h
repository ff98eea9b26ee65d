// SPDX-License-Identifier: MIT
//
// One set of records, read whole and strictly: a report is made of what stands here and of nothing else. What is no
// record of this schema, is cut off, lacks a key or holds a number that cannot be is refused with its file and line.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "report/bench_records.h"
#include "report/inputs.h"

namespace tilewright {

// A `run` or `tune` record, which the records behind it belong to.
struct RunHead {
  std::string file, command;  // bench, check or tune
  std::string revision, started;
  bool dirty = false;
  std::map<std::string, std::string> environment;
  std::optional<std::int64_t> seed;
  std::optional<std::int64_t> planned;
  Json record;

  std::string in_environment(const std::string& key) const;  // "" where it is not known
};

struct TimingRow {
  std::size_t run = 0;
  std::string kernel, role, cache, mode, boundary, verdict;
  std::int64_t cell = 0, seed = 0, launches = 0;
  Shape shape{};
  std::vector<double> samples;  // µs of one launch; none where nothing was timed
  std::optional<double> lowest_clock_mhz, highest_clock_mhz, highest_power_w, highest_temperature_c;
  std::int64_t throttled_batches = 0;

  std::string way() const;  // "warm, boost, device"
};

struct ComparisonRow {
  std::size_t run = 0;
  std::string kernel, rival, rival_is, cache, mode, boundary, verdict;
  Shape shape{};
  std::vector<double> ratios;  // rival's time over own, round by round
};

struct JudgedRow {  // a `cell` of check
  std::size_t run = 0;
  std::string kernel, inputs, verdict;
  std::string why;  // the first finding with its line, or the error; "" where there is neither
  Shape shape{};
  std::int64_t seed = 0, launches = 1, differing = 0, findings = 0;
  bool bitwise = false;
  std::optional<double> max_r, rms_r, got, expected;
  std::optional<std::int64_t> row, column;  // of the worst element
};

struct SanitizerRow {
  std::size_t run = 0;
  std::string tool, kernel, inputs, summary, verdict;
  std::vector<std::string> shapes;
  std::int64_t errors = 0;
};

struct ProfileRow {
  struct Reading {
    std::string section, quantity, unit, by;
    std::optional<double> predicted, measured;
  };
  struct Count {
    std::string quantity, status;
    std::optional<double> predicted, measured;
  };
  std::string kernel, revision, gpu, limit, verdict;
  Shape shape{};
  std::vector<Reading> readings;
  std::vector<Count> counts;  // what the emulator predicts exactly
};

struct TrialRow {
  std::size_t run = 0;
  std::string kernel, verdict;
  Shape shape{};
  std::optional<double> microseconds;
};

struct FileRow {
  std::string name;
  std::size_t bytes = 0;
  std::map<std::string, std::int64_t> records;  // by kind
  std::int64_t all() const;
};

struct Evidence {
  std::string name;
  std::vector<FileRow> files;
  std::vector<RunHead> runs;
  std::vector<TimingRow> timings;
  std::vector<ComparisonRow> comparisons;
  std::vector<JudgedRow> judged;
  std::vector<std::string>
      skipped;  // of each cell that was planned and not run, the verdict that says by which rule
  std::vector<SanitizerRow> sanitizers;
  std::vector<ProfileRow> profiles;
  std::vector<TrialRow> trials;
  BenchRecords benched{{}};
  // What in the records does not follow from their own samples, is impossible, or is not there: file, line, what.
  std::vector<std::string> contradictions;

  std::int64_t records() const;
};

Evidence read_evidence(const InputSet& set);

}  // namespace tilewright
