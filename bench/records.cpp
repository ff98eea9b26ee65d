// SPDX-License-Identifier: MIT
#include "bench/records.h"

#include <cmath>

#include "bench/possible.h"

namespace tilewright {
namespace {

Json or_null(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

Json head_json(const CellHead& head, const char* record) {
  return {{"schema", record_schema},
          {"record", record},
          {"cell", head.cell},
          {"shape", shape_json(head.shape)},
          {"contract", "library"},
          {"precision", "fp32"},
          {"inputs", "uniform"},
          {"seed", head.plan->seed},
          {"cache", to_string(head.plan->cache)},
          {"mode", to_string(head.plan->mode)},
          {"boundary", to_string(head.plan->boundary)}};
}

Json interval_json(const Interval& interval) {
  return {{"low", interval.low}, {"high", interval.high}, {"confidence", interval.confidence}};
}

Json summary_json(const Summary& summary) {
  return {{"samples", summary.samples},
          {"smallest", summary.smallest},
          {"quarter", summary.quarter},
          {"median", summary.median},
          {"three_quarters", summary.three_quarters},
          {"largest", summary.largest},
          {"median_interval", interval_json(summary.interval)},
          {"spread", summary.spread},
          {"drift", summary.drift}};
}

Json judged_json(const std::optional<JudgedOutput>& judged) {
  if (!judged) return nullptr;
  Json json{{"method", judged->method}, {"elements", judged->elements}, {"pass", judged->judgement.pass}};
  json.update(to_json(judged->judgement));
  return json;
}

// One column of the conditions beside the batches.
template <class Member>
Json column(const std::vector<Conditions>& conditions, Member member) {
  Json values = Json::array();
  for (const Conditions& one : conditions)
    values.push_back((one.*member) ? Json(*(one.*member)) : Json(nullptr));
  return values;
}

}  // namespace

Json bench_run_record(const BenchRequest& request, const TimingDevice& device) {
  Json json{{"schema", record_schema},
            {"record", "run"},
            {"command", "bench"},
            {"revision", request.origin.revision},
            {"dirty", request.origin.dirty},
            {"started", request.origin.started}};
  for (const auto& [key, value] : device.environment()) json["environment"][key] = value;
  const Ceilings& ceilings = device.ceilings();
  json["ceilings"] = {{"fma_tflops", ceilings.fma_tflops},
                      {"copy_gbps", ceilings.copy_gbps},
                      {"read_gbps", ceilings.read_gbps},
                      {"clock_mhz", or_null(ceilings.clock_mhz)}};
  const Calibration& calibration = device.calibration();
  json["calibration"] = {{"event_pair_us", calibration.event_pair_us},
                         {"single_launch_us", calibration.single_launch_us},
                         {"empty_launch_us", calibration.empty_launch_us},
                         {"flushed_over_cached_load", calibration.flush_ratio}};
  json["rules"] = {{"confidence", confidence_of_intervals},
                   {"same_band", same_band},
                   {"largest_spread", largest_spread},
                   {"largest_drift", largest_drift}};
  json["seed"] = request.plan.seed;
  json["seconds"] = request.plan.seconds;
  json["cache"] = to_string(request.plan.cache);
  json["mode"] = to_string(request.plan.mode);
  json["boundary"] = to_string(request.plan.boundary);
  json["planned"] = request.kernels.size() * request.shapes.size();
  for (const Rung& kernel : request.kernels) json["kernels"].push_back(kernel.name);
  for (const Shape& shape : request.shapes) json["shapes"].push_back(shape_json(shape));
  return json;
}

std::string timing_verdict(const Timing& timing, Shape shape, const TimingPlan& plan,
                           const TimingDevice& device) {
  if (timing.verdict != "PASS") return timing.verdict;
  if (timing.microseconds.empty()) return Verdict{Verdict::Kind::fail, "no_samples"}.text();
  const Summary summary = summarise(timing.microseconds);
  const std::string impossible =
      impossibility(shape, summary.median, timing.launches, plan, device.ceilings(), device.calibration());
  if (!impossible.empty()) return Verdict{Verdict::Kind::rejected, impossible}.text();
  const std::string unstable = instability(summary);
  return unstable.empty() ? "PASS" : "UNSTABLE(" + unstable + ")";
}

Json timing_record(const CellHead& head, const Timing& timing, const std::string& role, std::int64_t sets,
                   const TimingDevice& device) {
  Json json = head_json(head, "timing");
  json["kernel"] = timing.contender;
  json["role"] = role;
  json["description"] = timing.description;
  json["verdict"] = timing_verdict(timing, head.shape, *head.plan, device);
  if (!timing.error.empty()) json["error"] = timing.error;
  json["launches_per_batch"] = timing.launches;
  json["operand_sets"] = sets;
  json["deterministic"] = timing.deterministic;
  json["verified_before"] = judged_json(timing.first);
  json["verified_after"] = judged_json(timing.last);
  json["batches_verified_by"] =
      timing.deterministic
          ? "fingerprint of every output"
          : "a few elements in float64, none unwritten or non-finite: sums in no fixed order";
  json["warm_up"] = {{"rounds", timing.warm_up.rounds},
                     {"seconds", timing.warm_up.seconds},
                     {"settled", timing.warm_up.settled}};
  if (timing.microseconds.empty()) return json;
  const Summary summary = summarise(timing.microseconds);
  json["summary_us"] = summary_json(summary);
  if (summary.median > 0) {
    json["tflops"] = tflops(head.shape, summary.median);
    json["compulsory_gbps"] = compulsory_gbps(head.shape, summary.median);
    if (device.ceilings().fma_tflops > 0)
      json["fraction_of_fma_ceiling"] = tflops(head.shape, summary.median) / device.ceilings().fma_tflops;
  }
  json["samples_us"] = timing.microseconds;
  json["batch_wall_us"] = timing.wall_microseconds;
  json["position_in_round"] = timing.positions;
  json["batches_not_queued_ahead"] = timing.not_queued_ahead;
  json["clock_mhz"] = column(timing.conditions, &Conditions::clock_mhz);
  json["power_w"] = column(timing.conditions, &Conditions::power_w);
  json["temperature_c"] = column(timing.conditions, &Conditions::temperature_c);
  json["throttle_bits"] = column(timing.conditions, &Conditions::throttle);
  return json;
}

Json comparison_record(const CellHead& head, const std::string& kernel, const std::string& rival,
                       const std::string& rival_is, const std::vector<double>& ratios,
                       const Comparison& comparison) {
  Json json = head_json(head, "comparison");
  json["kernel"] = kernel;
  json["rival"] = rival;
  json["rival_is"] = rival_is;
  json["ratio"] = "rival's time over the kernel's, round by round";
  json["ratios"] = ratios;
  json["median"] = or_null(comparison.median);
  json["median_interval"] = interval_json(comparison.interval);
  json["verdict"] = comparison.verdict;
  return json;
}

}  // namespace tilewright
