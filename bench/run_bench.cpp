// SPDX-License-Identifier: MIT
#include "bench/run_bench.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/chosen_contender.h"
#include "bench/possible.h"
#include "bench/records.h"
#include "bench/watched_stand.h"
#include "core/error.h"

namespace tilewright {
namespace {

// A flush that does not show in a load's time was none.
constexpr double least_flush_ratio = 1.3;

// A rival at one shape, its fastest candidate chosen.
struct Chosen {
  Rival rival;
  Contender* contender = nullptr;
  Json tried = Json::array();
};

class BenchRun {
 public:
  BenchRun(TimingDevice& device, const BenchRequest& request, const BenchListener& listener)
      : device_(device),
        request_(request),
        listener_(listener),
        watchdog_(request.hang_limit_seconds, [this](const std::string& contender) { give_up(contender); }) {}

  BenchResult run() {
    if (request_.plan.cache == Cache::cold && device_.calibration().flush_ratio < least_flush_ratio)
      throw Error(Code::unavailable, "--cache", "cold",
                  "UNAVAILABLE(a load takes as long after the flush of the L2 as before it)");
    keep(bench_run_record(request_, device_));
    try {
      for (const Shape& shape : request_.shapes) run_shape(shape);
    } catch (const Error& error) {
      if (error.code != Code::fault) throw;
      // The device is of no more use to this process; what it has said so far stands.
      result_.failed = result_.lost = true;
      BenchRow row = row_of(now_);
      row.verdict = Verdict{Verdict::Kind::fail, "fault"}.text();
      add_untimed(row, error.what());
    }
    return std::move(result_);
  }

 private:
  BenchRow row_of(const std::string& kernel) const {
    BenchRow row;
    row.kernel = kernel;
    row.shape = shape_;
    return row;
  }
  CellHead head() const { return {cell_, shape_, &request_.plan}; }

  void keep(Json record) {
    if (listener_.keep) listener_.keep(record);
    result_.records.push_back(std::move(record));
  }
  void say(const std::string& what) const {
    if (listener_.say) listener_.say(what);
  }

  // On the watchdog's thread, while the one that measures waits.
  void give_up(const std::string& contender) {
    BenchRow row = row_of(contender);
    row.verdict = Verdict{Verdict::Kind::fail, "hang"}.text();
    result_.failed = result_.lost = true;
    const std::string why = fmt::format("no answer for {} s", request_.hang_limit_seconds);
    add_untimed(row, why);
    if (listener_.abandon)
      listener_.abandon(contender + " at " + to_string(shape_) + ": " + row.verdict + ": " + why);
  }

  void add_untimed(const BenchRow& row, const std::string& why) {
    Timing timing;
    timing.contender = row.kernel;
    timing.description = Json::object();
    timing.verdict = row.verdict;
    timing.error = why;
    keep(timing_record(head(), timing, "rung", 0, device_));
    result_.notes.push_back(row.kernel + " at " + to_string(row.shape) + ": " + why);
    result_.rows.push_back(row);
  }

  void run_shape(Shape shape) {
    shape_ = shape;
    now_ = "operands";
    std::unique_ptr<Stand> stand;
    try {
      stand = std::make_unique<WatchedStand>(device_.set_up(shape, request_.plan), watchdog_);
    } catch (const Error& error) {
      if (error.code != Code::unsupported) throw;
      for (const Rung& kernel : request_.kernels) refuse(kernel, error);
      return;
    }
    const std::vector<Chosen> rivals = choose_rivals(*stand);
    for (const Rung& kernel : request_.kernels) {
      ++cell_;
      now_ = kernel.name;
      say(to_string(shape) + " " + kernel.name);
      try {
        run_cell(*stand, kernel, rivals);
      } catch (const Error& error) {
        if (error.code != Code::unsupported) throw;
        refuse(kernel, error);
      }
    }
  }

  void refuse(const Rung& kernel, const Error& error) {
    BenchRow row = row_of(kernel.name);
    row.verdict = Verdict{Verdict::Kind::unsupported, error.rule}.text();
    add_untimed(row, error.what());
  }

  std::vector<Chosen> choose_rivals(Stand& stand) {
    std::vector<Chosen> rivals;
    if (!request_.cublas) return rivals;
    for (Rival& rival : stand.rivals()) {
      now_ = rival.name;
      say(to_string(shape_) + " " + rival.name + ": choosing among " +
          std::to_string(rival.candidates.size()));
      Chosen& chosen = rivals.emplace_back();
      chosen.rival = std::move(rival);
      if (!chosen.rival.unavailable.empty())
        note_unavailable(chosen.rival.name, chosen.rival.unavailable);
      else if (chosen.rival.candidates.size() == 1)
        chosen.contender = chosen.rival.candidates.front().get();
      else
        chosen.contender = select_fastest(stand, chosen.rival, chosen.tried);
      if (chosen.rival.unavailable.empty() && !chosen.contender)
        note_unavailable(chosen.rival.name, "none of its algorithms computes the product");
    }
    return rivals;
  }

  void note_unavailable(const std::string& rival, const std::string& reason) {
    Json record{{"schema", record_schema},
                {"record", "rival"},
                {"kernel", rival},
                {"shape", shape_json(shape_)},
                {"verdict", Verdict{Verdict::Kind::unavailable, reason}.text()}};
    keep(std::move(record));
    const std::string note = rival + ": " + Verdict{Verdict::Kind::unavailable, reason}.text();
    if (std::find(result_.notes.begin(), result_.notes.end(), note) == result_.notes.end())
      result_.notes.push_back(note);
  }

  std::unique_ptr<Contender> contender(Stand& stand, const Rung& kernel) const {
    if (!is_auto(kernel)) return stand.contender(kernel);
    return chosen_contender(stand, shape_, request_.choose);
  }

  void run_cell(Stand& stand, const Rung& kernel, const std::vector<Chosen>& rivals) {
    const std::unique_ptr<Contender> own = contender(stand, kernel), again = contender(stand, kernel);
    std::vector<Contender*> contenders{own.get()};
    if (request_.control) contenders.push_back(again.get());
    const std::size_t first_rival = contenders.size();
    std::vector<const Chosen*> present;
    for (const Chosen& chosen : rivals) {
      if (!chosen.contender) continue;
      contenders.push_back(chosen.contender);
      present.push_back(&chosen);
    }
    std::vector<Timing> timings = measure(stand, contenders, request_.plan);
    for (std::size_t i = 0; i < timings.size(); ++i) {
      Timing& timing = timings[i];
      if (i >= first_rival && !present[i - first_rival]->tried.empty())
        timing.description["tried"] = present[i - first_rival]->tried;
      const std::string role = i == 0 ? "rung" : i < first_rival ? "control" : "rival";
      keep(timing_record(head(), timing, role, stand.sets(), device_));
    }
    BenchRow row = row_of(kernel.name);
    describe(row, timings.front());
    if (request_.control) compare_with_itself(row, timings);
    compare_with_cublas(row, timings, first_rival);
    result_.rows.push_back(row);
  }

  void describe(BenchRow& row, const Timing& own) {
    row.verdict = timing_verdict(own, shape_, request_.plan, device_);
    if (own.failed() || row.verdict.rfind("REJECTED", 0) == 0) result_.failed = true;
    if (own.microseconds.empty()) {
      result_.notes.push_back(own.contender + " at " + to_string(shape_) + ": " + row.verdict);
      return;
    }
    ++result_.measured;
    row.microseconds = median(own.microseconds);
    row.tflops = tflops(shape_, *row.microseconds);
    if (device_.ceilings().fma_tflops > 0)
      row.fraction_of_fma_ceiling = *row.tflops / device_.ceilings().fma_tflops;
  }

  // What is wrong or impossible has no speed to compare.
  bool comparable(const Timing& timing) const {
    const std::string verdict = timing_verdict(timing, shape_, request_.plan, device_);
    return verdict == "PASS" || verdict.rfind("UNSTABLE", 0) == 0;
  }

  std::optional<Comparison> compare(const Timing& own, const Timing& rival, const std::string& name) {
    const std::vector<double> ratios = paired_ratios(own, rival);
    if (ratios.empty() || !comparable(own) || !comparable(rival)) return std::nullopt;
    const Comparison comparison = compare_paired(ratios);
    keep(comparison_record(head(), own.contender, name, rival.contender, ratios, comparison));
    return comparison;
  }

  void compare_with_itself(BenchRow& row, const std::vector<Timing>& timings) {
    const auto comparison = compare(timings[0], timings[1], "itself");
    if (!comparison) return;
    row.against_itself = comparison->median;
    row.control = comparison->verdict;
    // A bench that sees a difference where there is none has no say on others.
    if (row.control == "FASTER" || row.control == "SLOWER") result_.failed = true;
  }

  // Each way to call it, and the fastest of them as what cuBLAS can do.
  void compare_with_cublas(BenchRow& row, const std::vector<Timing>& timings, std::size_t first_rival) {
    const Timing* best = nullptr;
    for (std::size_t i = first_rival; i < timings.size(); ++i) {
      if (timings[i].failed()) result_.notes.push_back(timings[i].contender + ": " + timings[i].verdict);
      if (!compare(timings.front(), timings[i], timings[i].contender)) continue;
      if (!best || median(timings[i].microseconds) < median(best->microseconds)) best = &timings[i];
    }
    if (!best) return;
    const auto comparison = compare(timings.front(), *best, "cublas");
    row.against_cublas = comparison->median;
    row.cublas = comparison->verdict;
  }

  TimingDevice& device_;
  const BenchRequest& request_;
  const BenchListener& listener_;
  BenchResult result_;
  Shape shape_{};
  std::int64_t cell_ = 0;
  std::string now_;    // who was at work, should the device fault
  Watchdog watchdog_;  // the last member: it ends before what it looks at
};

}  // namespace

BenchResult run_bench(TimingDevice& device, const BenchRequest& request, const BenchListener& listener) {
  return BenchRun(device, request, listener).run();
}

}  // namespace tilewright
