// SPDX-License-Identifier: MIT
//
// The records of many runs of the bench, as a page asks for them: of each kernel and shape the newest measurement, with
// the run that it comes from.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "core/shape.h"
#include "judge/record.h"

namespace tilewright {

struct BenchFile {
  std::string name;
  std::vector<Json> records;
  std::size_t first_line = 1;  // of the records, in the file
};

struct BenchedRun {
  std::string file, revision, started, gpu, driver, toolkit, cublas, cache, mode, boundary;
  bool dirty = false;
  double fma_tflops = 0;  // the ceiling that it measured
};

// Rival's time over own time: above 1 the kernel is faster.
struct BenchedRatio {
  double median = 0, low = 0, high = 0;
  std::string verdict;  // FASTER, SLOWER, SAME or AMBIGUOUS
};

struct BenchedCell {
  std::size_t run = 0;
  std::string kernel, verdict;
  Shape shape{};
  std::optional<double> microseconds;       // the median; none where there is no figure
  double tflops = 0, of_ceiling = 0;        // where there are microseconds
  std::optional<BenchedRatio> cublas = {};  // the best of cuBLAS, in the same cell
  double cublas_microseconds = 0;           // where there is that ratio
};

struct BenchedControl {
  std::size_t run = 0;
  std::string kernel;
  Shape shape{};
  BenchedRatio itself;
};

class BenchRecords {
 public:
  // Throws bad_input naming file and line on a record of another schema or without its keys, and on records of more
  // than one GPU.
  explicit BenchRecords(const std::vector<BenchFile>& files);

  const std::vector<BenchedRun>& runs() const { return runs_; }
  // The newest in mode boost, of the device alone; null when there is none. One that was not measured (UNSUPPORTED) says
  // nothing, and gives way to an older one that was.
  const BenchedCell* find(const std::string& kernel, Shape shape, const std::string& cache) const;
  // The newest of each kernel, shape and way of measuring, in the order of those.
  std::vector<const BenchedCell*> cells() const;
  // Likewise.
  std::vector<BenchedControl> controls() const;

 private:
  using Key = std::tuple<std::string, Shape, std::string, std::string, std::string>;

  void add_run(const Json& record, const std::string& file);
  void add_timing(const Json& record);
  void add_comparison(const Json& record);
  void end_run();
  Key key_of(const std::string& kernel, Shape shape, std::size_t run) const;

  std::vector<BenchedRun> runs_;
  std::map<Key, BenchedCell> cells_;
  std::map<Key, BenchedControl> controls_;
  // Of the run that is being read. What was refused together shares one number of a cell.
  std::map<std::tuple<std::int64_t, std::string, Shape>, BenchedCell> reading_;
  std::map<std::pair<std::int64_t, std::string>, double> rivals_us_;
};

}  // namespace tilewright
