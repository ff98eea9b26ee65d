// SPDX-License-Identifier: MIT
#include "report/bench_records.h"

#include <stdexcept>

#include "bench/possible.h"
#include "bench/records.h"
#include "core/error.h"

namespace tilewright {
namespace {

Shape shape_of(const Json& record) {
  const Json& shape = record.at("shape");
  return {shape.at(0), shape.at(1), shape.at(2)};
}

BenchedRatio ratio_of(const Json& record) {
  const Json& interval = record.at("median_interval");
  return {record.at("median"), interval.at("low"), interval.at("high"), record.at("verdict")};
}

bool says_nothing(const BenchedCell& cell) { return cell.verdict.rfind("UNSUPPORTED", 0) == 0; }

}  // namespace

BenchRecords::BenchRecords(const std::vector<BenchFile>& files) {
  for (const BenchFile& file : files) {
    for (std::size_t line = 0; line < file.records.size(); ++line) {
      const Json& record = file.records[line];
      const auto refuse = [&](const std::string& rule) {
        return bad_input("record file", file.name,
                         "line " + std::to_string(file.first_line + line) + " " + rule);
      };
      if (record.value("schema", 0) != record_schema || !record.contains("record"))
        throw refuse("is no record of this schema");
      try {
        const std::string kind = record.at("record");
        if (line == 0 && kind != "run") throw refuse("is not the run that the others belong to");
        if (kind == "run") add_run(record, file.name);
        if (kind == "timing") add_timing(record);
        if (kind == "comparison") add_comparison(record);
      } catch (const Error&) {
        throw;
      } catch (const std::exception& error) {
        throw refuse(std::string("does not fit: ") + error.what());
      }
    }
    end_run();
  }
}

void BenchRecords::add_run(const Json& record, const std::string& file) {
  end_run();
  const Json& environment = record.at("environment");
  const auto word = [&](const char* key) { return environment.value(key, "unknown"); };
  BenchedRun run{.file = file,
                 .revision = record.at("revision"),
                 .started = record.at("started"),
                 .gpu = word("gpu"),
                 .driver = word("driver"),
                 .toolkit = word("toolkit"),
                 .cublas = word("cublas"),
                 .cache = record.at("cache"),
                 .mode = record.at("mode"),
                 .boundary = record.at("boundary"),
                 .dirty = record.at("dirty"),
                 .fma_tflops = record.at("ceilings").at("fma_tflops")};
  if (!runs_.empty() && runs_.front().gpu != run.gpu)
    throw bad_input("record file", file,
                    "is of " + run.gpu + ", others are of " + runs_.front().gpu + ": one page is of one GPU");
  runs_.push_back(std::move(run));
}

void BenchRecords::add_timing(const Json& record) {
  const std::int64_t number = record.at("cell");
  const std::string role = record.at("role"), verdict = record.at("verdict");
  std::optional<double> microseconds;
  if (is_figure(verdict)) microseconds = record.at("summary_us").at("median").get<double>();
  if (role == "rival" && microseconds) rivals_us_[{number, record.at("kernel")}] = *microseconds;
  if (role != "rung") return;
  BenchedCell cell{.run = runs_.size() - 1,
                   .kernel = record.at("kernel"),
                   .verdict = verdict,
                   .shape = shape_of(record),
                   .microseconds = microseconds};
  if (microseconds) {
    cell.tflops = tflops(cell.shape, *microseconds);
    if (runs_.back().fma_tflops > 0) cell.of_ceiling = cell.tflops / runs_.back().fma_tflops;
  }
  reading_[{number, cell.kernel, cell.shape}] = cell;
}

void BenchRecords::add_comparison(const Json& record) {
  const std::int64_t number = record.at("cell");
  if (record.at("rival") == "cublas") {
    const auto own = reading_.find({number, record.at("kernel"), shape_of(record)});
    const auto rival = rivals_us_.find({number, record.at("rival_is")});
    if (own == reading_.end() || rival == rivals_us_.end())
      throw std::invalid_argument("it compares what was not timed");
    own->second.cublas = ratio_of(record);
    own->second.cublas_microseconds = rival->second;
  }
  if (record.at("rival") != "itself") return;
  BenchedControl control{runs_.size() - 1, record.at("kernel"), shape_of(record), ratio_of(record)};
  const Key key = key_of(control.kernel, control.shape, control.run);
  const auto found = controls_.find(key);
  if (found == controls_.end() || runs_[found->second.run].started <= runs_.back().started)
    controls_[key] = std::move(control);
}

void BenchRecords::end_run() {
  for (auto& [name, cell] : reading_) {
    const auto [found, is_new] = cells_.try_emplace(key_of(cell.kernel, cell.shape, cell.run), cell);
    BenchedCell& kept = found->second;
    const bool newer = says_nothing(cell) == says_nothing(kept)
                           ? runs_[kept.run].started <= runs_[cell.run].started
                           : says_nothing(kept);
    if (!is_new && newer) kept = std::move(cell);
  }
  reading_.clear();
  rivals_us_.clear();
}

BenchRecords::Key BenchRecords::key_of(const std::string& kernel, Shape shape, std::size_t run) const {
  const BenchedRun& of = runs_[run];
  return {kernel, shape, of.cache, of.mode, of.boundary};
}

const BenchedCell* BenchRecords::find(const std::string& kernel, Shape shape,
                                      const std::string& cache) const {
  const auto found = cells_.find({kernel, shape, cache, "boost", "device"});
  return found == cells_.end() ? nullptr : &found->second;
}

std::vector<const BenchedCell*> BenchRecords::cells() const {
  std::vector<const BenchedCell*> cells;
  for (const auto& [key, cell] : cells_) cells.push_back(&cell);
  return cells;
}

std::vector<BenchedControl> BenchRecords::controls() const {
  std::vector<BenchedControl> controls;
  for (const auto& [key, control] : controls_) controls.push_back(control);
  return controls;
}

}  // namespace tilewright
