// SPDX-License-Identifier: MIT
#include "bench/tune.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/measure.h"
#include "bench/records.h"
#include "core/error.h"
#include "gemm/row_alignment.h"

namespace tilewright {
namespace {

// Longer launches than this are known from one: what a first one costs besides is small beside it.
constexpr double sure_after_one_us = 1e3;
constexpr int batches_of_an_estimate = 2;

// A rung that computes the product, and about how long it takes.
struct Candidate {
  std::unique_ptr<Contender> contender;
  double estimate_us = 0;
};

class TuneRun {
 public:
  TuneRun(TimingDevice& device, const TuneRequest& request, TrialFile& file,
          const std::function<void(const std::string&)>& say)
      : device_(device), request_(request), file_(file), say_(say) {}

  TuneResult run() {
    try {
      for (const Shape& shape : request_.shapes) run_shape(shape);
    } catch (const Error& error) {
      if (error.code != Code::fault) throw;
      // The device is of no more use to this process. The same call again goes on behind what faulted.
      result_.lost = true;
      if (!now_.empty())
        add_failed(now_, "fault", error.what());
      else
        result_.notes.push_back("at " + to_string(shape_) + ": " + error.what());
    }
    return std::move(result_);
  }

 private:
  void run_shape(Shape shape) {
    shape_ = shape;
    // The furthest developed first, so that the best is known early.
    std::vector<const Rung*> pending;
    for (auto rung = request_.kernels.rbegin(); rung != request_.kernels.rend(); ++rung)
      if (!file_.has(shape, rung->name)) pending.push_back(&*rung);
    result_.skipped += request_.kernels.size() - pending.size();
    if (pending.empty()) return;
    std::unique_ptr<Stand> stand;
    try {
      stand = device_.set_up(shape, request_.plan);
    } catch (const Error& error) {
      if (error.code != Code::unsupported) throw;
      for (const Rung* rung : pending) add_unsupported(rung->name, error);
      return;
    }
    stand->renew_inputs(request_.plan.seed);
    best_us_ = file_.best_us(shape);
    std::vector<Candidate> candidates;
    for (const Rung* rung : pending) {
      now_ = rung->name;
      say_(to_string(shape) + " " + now_);
      if (auto candidate = try_rung(*stand, *rung)) candidates.push_back(std::move(*candidate));
    }
    now_.clear();
    time_in_turn(*stand, candidates);
  }

  std::optional<Candidate> try_rung(Stand& stand, const Rung& rung) {
    try {
      Candidate candidate{stand.contender(rung), 0};
      const Batch first = stand.run(*candidate.contender, {.launches = 1});
      if (const std::string kind = what_is_wrong(stand, first); !kind.empty()) {
        add_failed(rung.name, kind, "");
        return std::nullopt;
      }
      candidate.estimate_us = estimate(stand, *candidate.contender, first.microseconds);
      best_us_ = std::min(best_us_.value_or(candidate.estimate_us), candidate.estimate_us);
      return candidate;
    } catch (const Error& error) {
      if (error.code != Code::unsupported) throw;
      add_unsupported(rung.name, error);
      return std::nullopt;
    }
  }

  static std::string what_is_wrong(Stand& stand, const Batch& batch) {
    for (const Fingerprint& output : batch.outputs) {
      if (output.unwritten > 0) return "unwritten_output";
      if (output.non_finite > 0) return "non_finite";
    }
    return stand.judge(0, true).judgement.pass ? "" : "wrong_value";
  }

  bool is_hopeless(double microseconds) const {
    return best_us_ && microseconds > hopeless_ratio * *best_us_;
  }

  double estimate(Stand& stand, Contender& contender, double first_us) const {
    double best = first_us;
    const BatchOrder order = order_of_an_estimate(first_us);
    for (int i = 0; i < batches_of_an_estimate; ++i) {
      if (best > sure_after_one_us && is_hopeless(best)) break;
      best = std::min(best, stand.run(contender, order).microseconds);
    }
    return best;
  }

  void time_in_turn(Stand& stand, const std::vector<Candidate>& candidates) {
    std::vector<Contender*> timed;
    for (const Candidate& candidate : candidates) {
      if (is_hopeless(candidate.estimate_us))
        add_hopeless(candidate);
      else
        timed.push_back(candidate.contender.get());
    }
    if (timed.empty()) return;
    say_(to_string(shape_) + ": timing " + std::to_string(timed.size()) + " in turn");
    for (const Timing& timing : measure(stand, timed, request_.plan)) add_timed(timing);
  }

  Json trial(const std::string& rung, const std::string& verdict) const {
    return {{"schema", record_schema},
            {"record", "trial"},
            {"shape", shape_json(shape_)},
            {"aligned", name_of(row_alignment(shape_))},
            {"kernel", rung},
            {"verdict", verdict}};
  }

  void add_timed(const Timing& timing) {
    Json json = trial(timing.contender, timing_verdict(timing, shape_, request_.plan, device_));
    if (!timing.microseconds.empty()) {
      json["median_us"] = median(timing.microseconds);
      json["samples_us"] = timing.microseconds;
      json["launches_per_batch"] = timing.launches;
    }
    if (timing.first) {
      json["verified"] = timing.first->method;
      json["max_r"] = timing.first->judgement.max_r ? Json(*timing.first->judgement.max_r) : Json(nullptr);
    }
    file_.add(json);
    if (trial_median_us(json)) {
      ++result_.timed;
      return;
    }
    ++(timing.verdict.rfind("UNSUPPORTED", 0) == 0 ? result_.unsupported : result_.failed);
    note(timing.contender, json["verdict"]);
  }

  void add_hopeless(const Candidate& candidate) {
    ++result_.hopeless;
    Json json = trial(candidate.contender->name(), "PASS");
    json["hopeless"] = true;
    json["estimate_us"] = candidate.estimate_us;
    json["best_estimate_us"] = *best_us_;
    file_.add(json);
  }

  void add_unsupported(const std::string& rung, const Error& error) {
    ++result_.unsupported;
    Json json = trial(rung, Verdict{Verdict::Kind::unsupported, error.rule}.text());
    json["error"] = error.what();
    file_.add(json);
    note(rung, error.rule);
  }

  void add_failed(const std::string& rung, const std::string& kind, const std::string& error) {
    ++result_.failed;
    Json json = trial(rung, Verdict{Verdict::Kind::fail, kind}.text());
    if (!error.empty()) json["error"] = error;
    file_.add(json);
    note(rung, json["verdict"].get<std::string>() + (error.empty() ? "" : ": " + error));
  }

  void note(const std::string& rung, const std::string& what) {
    result_.notes.push_back(rung + " at " + to_string(shape_) + ": " + what);
  }

  TimingDevice& device_;
  const TuneRequest& request_;
  TrialFile& file_;
  const std::function<void(const std::string&)>& say_;
  TuneResult result_;
  Shape shape_{};
  std::string now_;  // whose launch a fault would be; empty where several are at work
  std::optional<double> best_us_;
};

}  // namespace

Json tune_head(const TuneRequest& request, const TimingDevice& device) {
  Json json{{"schema", record_schema},
            {"record", "tune"},
            {"revision", request.origin.revision},
            {"dirty", request.origin.dirty},
            {"started", request.origin.started}};
  for (const auto& [key, value] : device.environment()) json["environment"][key] = value;
  json["settings"] = {{"seconds", request.plan.seconds},
                      {"seed", request.plan.seed},
                      {"cache", to_string(request.plan.cache)},
                      {"mode", to_string(request.plan.mode)},
                      {"hopeless_ratio", hopeless_ratio}};
  return json;
}

TuneResult tune(TimingDevice& device, const TuneRequest& request, TrialFile& file,
                const std::function<void(const std::string&)>& say) {
  return TuneRun(device, request, file, say).run();
}

}  // namespace tilewright
