// SPDX-License-Identifier: MIT
#include "report/evidence.h"

#include <sstream>

#include "bench/records.h"
#include "core/error.h"
#include "report/audit.h"
#include "report/fields.h"

namespace tilewright {
namespace {

// Kinds that belong to no run.
bool stands_alone(const std::string& kind) { return kind == "profile" || kind == "multiply"; }

constexpr int deepest_nesting = 32;

Json parsed(const std::string& line, const Place& place) {
  const auto refuse = [&](const std::string& rule) {
    return bad_input("record file", place.file, "line " + std::to_string(place.line) + " " + rule);
  };
  Json record;
  try {
    record = Json::parse(line, [&](int depth, Json::parse_event_t, Json&) {
      if (depth > deepest_nesting) throw refuse("is nested deeper than any record");
      return true;
    });
  } catch (const Json::exception& error) {
    throw refuse(std::string("is no JSON, or is cut off: ") + error.what());
  }
  if (!record.is_object() || !record.contains("record") || !record.contains("schema"))
    throw refuse("is no record: it must be an object with \"schema\" and \"record\"");
  if (record["schema"] != record_schema)
    throw refuse("is of schema " + record["schema"].dump(-1, ' ', true) + "; this program reads " +
                 std::to_string(record_schema));
  return record;
}

std::optional<double> edge_of(const Fields& fields, const std::string& key, bool largest) {
  std::optional<double> edge;
  if (!fields.has(key)) return edge;
  if (!fields.json()[key].is_array()) throw fields.refusal(key, "must be a list");
  for (const Json& value : fields.json()[key]) {
    if (value.is_null()) continue;
    if (!value.is_number()) throw fields.refusal(key, "must be a list of numbers");
    const double number = value;
    if (!edge || (largest ? number > *edge : number < *edge)) edge = number;
  }
  return edge;
}

std::int64_t throttled(const Fields& fields) {
  std::int64_t batches = 0;
  if (!fields.has("throttle_bits")) return batches;
  for (const Json& bits : fields.json()["throttle_bits"])
    batches += bits.is_number_integer() && bits.get<std::int64_t>() != 0;
  return batches;
}

std::string why_of(const Fields& cell) {
  if (cell.has("findings"))
    for (const Fields& finding : cell.objects("findings")) {
      const std::string file = finding.text_or("file", "");
      if (file.empty() || !finding.has("line")) return finding.text("message");
      return file + ":" + std::to_string(finding.count("line")) + ": " + finding.text("message");
    }
  return cell.text_or("error", "");
}

class Reader {
 public:
  explicit Reader(const InputSet& set) {
    evidence_.name = set.name;
    for (const InputFile& file : set.files) read(file);
    evidence_.benched = BenchRecords(bench_);
    for (const BenchFile& run : bench_) append(bench_contradictions(run));
    for (const BenchFile& run : checks_) append(check_contradictions(run));
  }

  Evidence take() { return std::move(evidence_); }

 private:
  void append(const std::vector<std::string>& problems) {
    evidence_.contradictions.insert(evidence_.contradictions.end(), problems.begin(), problems.end());
  }

  void read(const InputFile& file) {
    FileRow row{file.name, file.text.size(), {}};
    run_ = nullptr;
    std::istringstream lines(file.text);
    std::size_t number = 0;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
      const Place place{file.name, number};
      Json record = parsed(line, place);
      add(Fields(record, place));
      const std::string kind = record["record"];
      ++row.records[kind];
      if (run_ && !stands_alone(kind)) run_->records.push_back(std::move(record));
    }
    if (row.records.empty()) throw bad_input("record file", file.name, "holds no record");
    evidence_.files.push_back(std::move(row));
  }

  void add(const Fields& fields) {
    const std::string kind = fields.text("record");
    if (kind == "run" || kind == "tune") return add_run(fields, kind);
    if (kind == "profile") return add_profile(fields);
    // A rival that was not there, and a product of one's own matrices, have no figures.
    if (kind == "rival" || kind == "multiply") return;
    static const std::map<std::string, std::pair<const char*, void (Reader::*)(const Fields&)>> belonging{
        {"timing", {"bench", &Reader::add_timing}},
        {"comparison", {"bench", &Reader::add_comparison}},
        {"cell", {"check", &Reader::add_judged}},
        {"sanitizer", {"check", &Reader::add_sanitizer}},
        {"trial", {"tune", &Reader::add_trial}}};
    const auto found = belonging.find(kind);
    if (found == belonging.end())
      throw fields.refusal("record", "must be a kind of record that this program knows");
    if (evidence_.runs.empty() || evidence_.runs.back().file != fields.place().file ||
        evidence_.runs.back().command != found->second.first)
      throw fields.refusal(
          "record", std::string("must follow the run of ") + found->second.first + " that it belongs to");
    (this->*found->second.second)(fields);
  }

  void add_run(const Fields& fields, const std::string& kind) {
    RunHead run;
    run.file = fields.place().file;
    run.command = kind == "tune" ? "tune" : fields.text_or("command", "check");
    run.revision = fields.text("revision");
    run.started = fields.text("started");
    run.dirty = fields.flag("dirty");
    const Fields environment = fields.object("environment");
    for (const auto& [key, value] : environment.json().items()) run.environment[key] = environment.text(key);
    if (fields.has("seed")) run.seed = fields.count("seed");
    if (fields.has("planned")) run.planned = fields.count("planned");
    run.record = fields.json();
    if (run.command == "check" && fields.has("skipped"))
      for (const Fields& skipped : fields.objects("skipped"))
        evidence_.skipped.push_back(skipped.text("verdict"));
    run_ = nullptr;
    const BenchFile begun{run.file, {}, fields.place().line};
    if (run.command == "bench") run_ = &bench_.emplace_back(begun);
    if (run.command == "check") run_ = &checks_.emplace_back(begun);
    evidence_.runs.push_back(std::move(run));
  }

  std::size_t run() const { return evidence_.runs.size() - 1; }

  void add_timing(const Fields& fields) {
    TimingRow row;
    row.run = run();
    row.kernel = fields.text("kernel");
    row.role = fields.text("role");
    row.cache = fields.text("cache");
    row.mode = fields.text("mode");
    row.boundary = fields.text("boundary");
    row.verdict = fields.text("verdict");
    row.cell = fields.count("cell");
    row.seed = fields.count("seed");
    row.shape = fields.shape();
    if (fields.has("launches_per_batch")) row.launches = fields.count("launches_per_batch");
    if (fields.has("samples_us")) row.samples = fields.times("samples_us");
    if (is_figure(row.verdict) && row.samples.empty()) throw fields.refusal("samples_us", "must be there");
    row.lowest_clock_mhz = edge_of(fields, "clock_mhz", false);
    row.highest_clock_mhz = edge_of(fields, "clock_mhz", true);
    row.highest_power_w = edge_of(fields, "power_w", true);
    row.highest_temperature_c = edge_of(fields, "temperature_c", true);
    row.throttled_batches = throttled(fields);
    evidence_.timings.push_back(std::move(row));
  }

  void add_comparison(const Fields& fields) {
    ComparisonRow row;
    row.run = run();
    row.kernel = fields.text("kernel");
    row.rival = fields.text("rival");
    row.rival_is = fields.text("rival_is");
    row.cache = fields.text("cache");
    row.mode = fields.text("mode");
    row.boundary = fields.text("boundary");
    row.verdict = fields.text("verdict");
    row.shape = fields.shape();
    row.ratios = fields.times("ratios");
    evidence_.comparisons.push_back(std::move(row));
  }

  void add_judged(const Fields& fields) {
    JudgedRow row;
    row.run = run();
    row.kernel = fields.text("kernel");
    row.inputs = fields.text("inputs");
    row.verdict = fields.text("verdict");
    row.why = why_of(fields);
    row.shape = fields.shape();
    row.seed = fields.count("seed");
    if (fields.has("launches")) row.launches = fields.count("launches");
    if (fields.has("differing_launches")) row.differing = fields.count("differing_launches");
    if (fields.has("findings_total")) row.findings = fields.count("findings_total");
    if (fields.has("bitwise")) row.bitwise = fields.flag("bitwise");
    row.max_r = fields.maybe_number("max_r");
    row.rms_r = fields.maybe_number("rms_r");
    if (fields.has("worst")) {
      const Fields worst = fields.object("worst");
      row.row = worst.count("row");
      row.column = worst.count("column");
      row.got = worst.maybe_number("got");
      row.expected = worst.maybe_number("expected");
    }
    evidence_.judged.push_back(std::move(row));
  }

  void add_sanitizer(const Fields& fields) {
    SanitizerRow row;
    row.run = run();
    row.tool = fields.text("tool");
    row.kernel = fields.text("kernel");
    row.inputs = fields.text("inputs");
    row.summary = fields.text_or("summary", "");
    row.verdict = fields.text("verdict");
    if (fields.has("errors")) row.errors = fields.count("errors");
    for (const Json& shape : fields.json().value("shapes", Json::array())) {
      const Json one{{"shapes[]", shape}};
      row.shapes.push_back(to_string(Fields(one, fields.place()).shape("shapes[]")));
    }
    evidence_.sanitizers.push_back(std::move(row));
  }

  void add_trial(const Fields& fields) {
    TrialRow row{run(), fields.text("kernel"), fields.text("verdict"), fields.shape(), {}};
    row.microseconds = fields.maybe_number(fields.has("median_us") ? "median_us" : "estimate_us");
    evidence_.trials.push_back(std::move(row));
  }

  void add_profile(const Fields& fields) {
    ProfileRow row;
    row.kernel = fields.text("kernel");
    row.revision = fields.text("revision");
    row.gpu = fields.object("environment").text_or("gpu", "");
    row.shape = fields.shape();
    row.verdict = fields.text("verdict");
    if (fields.has("limit")) row.limit = fields.object("limit").text("sentence");
    if (fields.has("readings"))
      for (const Fields& one : fields.objects("readings"))
        row.readings.push_back({one.text("section"), one.text("quantity"), one.text_or("unit", ""),
                                one.text_or("predicted_by", ""), one.maybe_number("predicted"),
                                one.maybe_number("measured")});
    if (fields.has("agreement"))
      for (const Fields& one : fields.objects("agreement"))
        row.counts.push_back({one.text("quantity"), one.text("status"), one.maybe_number("predicted"),
                              one.maybe_number("measured")});
    evidence_.profiles.push_back(std::move(row));
  }

  Evidence evidence_;
  std::vector<BenchFile> bench_, checks_;  // one a run
  BenchFile* run_ = nullptr;               // whose records are being read, to be counted again
};

}  // namespace

std::string RunHead::in_environment(const std::string& key) const {
  const auto found = environment.find(key);
  return found == environment.end() ? "" : found->second;
}

std::string TimingRow::way() const { return cache + ", " + mode + ", " + boundary; }

std::int64_t FileRow::all() const {
  std::int64_t all = 0;
  for (const auto& [kind, count] : records) all += count;
  return all;
}

std::int64_t Evidence::records() const {
  std::int64_t all = 0;
  for (const FileRow& file : files) all += file.all();
  return all;
}

Evidence read_evidence(const InputSet& set) { return Reader(set).take(); }

}  // namespace tilewright
