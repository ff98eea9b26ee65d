// SPDX-License-Identifier: MIT
//
// A profile as a record, which holds everything that was asked, measured, predicted and missing, and as a table.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/app.h"
#include "cli/profile_model.h"
#include "cli/profile_run.h"

namespace tilewright {
namespace {

constexpr std::size_t shown_stalls = 5;

// A count as an integer.
Json number_json(double value) {
  return value == std::trunc(value) && std::abs(value) < 9e15 ? Json(static_cast<std::int64_t>(value))
                                                              : Json(value);
}

Json optional_json(const std::optional<double>& value) { return value ? number_json(*value) : Json(nullptr); }

Json to_json(const Agreement& agreement) {
  Json json{
      {"quantity", agreement.quantity}, {"metric", agreement.metric}, {"predicted", agreement.predicted}};
  json["measured"] = optional_json(agreement.measured);
  json["status"] = agreement.status;
  if (!agreement.note.empty()) json["note"] = agreement.note;
  return json;
}

Json to_json(const Reading& reading) {
  Json json{{"section", reading.section}, {"quantity", reading.quantity}, {"unit", reading.unit}};
  if (reading.predicted) {
    json["predicted"] = number_json(reading.predicted->value);
    json["predicted_by"] = reading.predicted->by;
  }
  json["measured"] = optional_json(reading.measured);
  json["metrics"] = reading.metrics;
  return json;
}

Json to_json(const Limit& limit) {
  return {{"kind", limit.kind},
          {"resource", limit.resource},
          {"percent", optional_json(limit.percent)},
          {"sentence", limit.sentence}};
}

Json metrics_json(const std::vector<Metric>& measured) {
  Json metrics = Json::array();
  for (const Metric& metric : measured)
    if (metric.value)
      metrics.push_back(
          {{"name", metric.name}, {"unit", metric.unit}, {"value", number_json(*metric.value)}});
    else
      metrics.push_back({{"name", metric.name}, {"value", nullptr}});
  return metrics;
}

// Elements by the rung's own formula or, where the emulator ran, as it counted them.
Json elements_json(const Profile& profile) {
  if (profile.trace) return to_json(*profile.trace->outcome.product.counts);
  return to_json(profile.rung.predict(problem_of(profile)));
}

Json predicted_json(const Profile& profile) {
  const auto requests = [](const WarpCounts& warps) {
    return Json{{"requests", warps.requests}, {"sectors", warps.sectors}};
  };
  const auto banks = [](const WarpCounts& warps) {
    return Json{{"requests", warps.requests},
                {"wavefronts", warps.wavefronts},
                {"bank_conflicts", warps.bank_conflicts}};
  };
  Json json = elements_json(profile);
  json["compulsory_read_bytes"] = compulsory_read_bytes(profile.shape);
  json["compulsory_write_bytes"] = compulsory_write_bytes(profile.shape);
  if (profile.emulated) {
    json["global_load"] = requests(profile.emulated->global_reads);
    json["global_store"] = requests(profile.emulated->global_writes);
    json["shared_load"] = banks(profile.emulated->shared_reads);
    json["shared_store"] = banks(profile.emulated->shared_writes);
  }
  json["multiply_adds"] = executed_multiply_adds(profile.rung, profile.shape);
  return json;
}

Json emulator_json(const Profile& profile) {
  if (!profile.trace) return {{"blocks", "none"}, {"reason", profile.emulator_left_out}};
  if (!profile.trace->outcome.product.sample) return {{"blocks", "all"}};
  return {{"blocks", "sample"}, {"sample", to_json(*profile.trace->outcome.product.sample)}};
}

Json sass_json(const Profile& profile) {
  if (!profile.sass) return {{"unavailable", profile.sass_unavailable}};
  Json json{{"arch", profile.sass->arch}};
  for (const auto& [opcode, count] : profile.sass->opcodes) json[opcode] = count;
  for (const auto& [reads, count] : profile.sass->ffma_reads) json["ffma_reads"][reads] = count;
  return json;
}

Json environment_json(const Profile& profile) {
  Json json;
  for (const auto& [key, value] : profile.stand.environment) json[key] = value;
  json["ncu"] = profile.ncu_version;
  for (auto [option, value] : collection_settings()) {
    std::replace(option.begin(), option.end(), '-', '_');
    json[option] = value;
  }
  return json;
}

// 137,438,953,472; 76.31; 0.0042.
std::string number_text(double value) {
  if (value == std::trunc(value) && std::abs(value) < 9e15)
    return with_commas(static_cast<std::int64_t>(value));
  return std::abs(value) >= 0.01 ? fmt::format("{:.2f}", value) : fmt::format("{:.2g}", value);
}

std::string words(std::string key) {
  std::replace(key.begin(), key.end(), '_', ' ');
  return key;
}

std::string readings_table(const std::vector<Reading>& readings) {
  std::vector<std::vector<std::string>> rows{{"", "predicted", "by", "measured", "unit"}};
  std::string section;
  std::size_t stalls = 0;
  for (const Reading& reading : readings) {
    if (reading.section == "stalls" && ++stalls > shown_stalls) break;
    if (reading.section != section) rows.push_back({section = reading.section, "", "", "", ""});
    rows.push_back({"  " + words(reading.quantity),
                    reading.predicted ? number_text(reading.predicted->value) : "",
                    reading.predicted ? reading.predicted->by : "",
                    reading.measured ? number_text(*reading.measured) : "-", reading.unit});
  }
  return text_table(rows);
}

std::string agreement_text(const Profile& profile) {
  if (profile.agreement.empty()) return "counts not compared: " + profile.agreement_left_out + "\n";
  std::vector<std::vector<std::string>> rows{{"quantity", "predicted", "measured", "status"}};
  for (const Agreement& agreement : profile.agreement)
    rows.push_back({agreement.quantity, with_commas(agreement.predicted),
                    agreement.measured ? number_text(*agreement.measured) : "-", agreement.status});
  std::string text = text_table(rows) + "\n";
  for (const Agreement& agreement : profile.agreement)
    if (!agreement.note.empty()) text += fmt::format("{}: {}\n", agreement.quantity, agreement.note);
  if (!profile.sass) return text + fmt::format("machine code not read: {}\n", profile.sass_unavailable);
  if (profile.sass->ffma_reads.empty()) return text;
  text += "registers that an FFMA reads, of one bank + of the other:";
  for (const auto& [reads, count] : profile.sass->ffma_reads) text += fmt::format(" {}: {}", reads, count);
  return text + "\n";
}

// Of the quantities that nothing else was there to measure.
std::vector<std::string> metrics_that_lack(const Profile& profile) {
  std::vector<std::string> names;
  for (const Reading& reading : profile.readings)
    for (const std::string& name : reading.metrics)
      if (!reading.measured && !value_of(profile.counters.metrics, name)) names.push_back(name);
  return names;
}

}  // namespace

Json profile_record(const Profile& profile) {
  const RunOrigin origin = run_origin();
  const Rung& rung = profile.rung;
  Json json{{"schema", record_schema},
            {"record", "profile"},
            {"revision", origin.revision},
            {"dirty", origin.dirty},
            {"started", origin.started},
            {"kernel", rung.name},
            {"symbol", profile.stand.symbol},
            {"contract", "exercise"},
            {"precision", "fp32"},
            {"tile", {rung.tile.BM, rung.tile.BN, rung.tile.BK}},
            {"shape", shape_json(profile.shape)},
            {"inputs", profiled_inputs},
            {"seed", profile.request.seed},
            {"environment", environment_json(profile)},
            {"replay_passes", profile.counters.passes ? Json(*profile.counters.passes) : Json(nullptr)},
            {"emulator", emulator_json(profile)},
            {"predicted", predicted_json(profile)},
            {"readings", Json::array()},
            {"limit", to_json(profile.limit)},
            {"metrics", metrics_json(profile.counters.metrics)},
            {"metrics_unknown", profile.counters.unknown},
            {"metrics_missing", profile.counters.missing()},
            {"sass", sass_json(profile)},
            {"agreement", Json::array()}};
  for (const Reading& reading : profile.readings) json["readings"].push_back(to_json(reading));
  for (const Agreement& agreement : profile.agreement) json["agreement"].push_back(to_json(agreement));
  if (!profile.stand.first_symbol.empty()) {
    json["first_symbol"] =
        profile.stand.first_symbol;  // not in metrics and readings, and in what is predicted and compared
    json["compared_metrics"] = metrics_json(profile.compared);
  }
  if (profile.agreement.empty()) json["agreement_left_out"] = profile.agreement_left_out;
  json["verdict"] = profile.verdict;
  return json;
}

std::string profile_text(const Profile& profile) {
  std::string text = fmt::format("{} at {} under Nsight Compute {}: one launch", profile.rung.name,
                                 to_string(profile.shape), profile.ncu_version);
  if (profile.counters.passes) text += fmt::format(", run in {} passes", *profile.counters.passes);
  for (const auto& [option, value] : collection_settings()) text += fmt::format(", --{} {}", option, value);
  text += "\n\n";
  if (!profile.readings.empty())
    text += readings_table(profile.readings) + fmt::format("\nlimit: {}\n", profile.limit.sentence);
  if (!profile.stand.first_symbol.empty())
    text +=
        "above, the rung's own kernel, without the one that is launched before it; below, both together\n";
  const std::int64_t loads = profile.rung.predict(problem_of(profile)).global_reads;
  text += fmt::format("threads load {} bytes of {}A and B, which have {}\n\n",
                      with_commas(loads * static_cast<std::int64_t>(sizeof(float))),
                      takes_scratch(profile.rung) ? "scratch and of " : "",
                      with_commas(compulsory_read_bytes(profile.shape)));
  text += agreement_text(profile);
  if (const std::vector<std::string> lacking = metrics_that_lack(profile); !lacking.empty())
    text += fmt::format("not measured, ncu has no number for it here: {}\n", fmt::join(lacking, ", "));
  return text + fmt::format("verdict: {}\n", profile.verdict);
}

}  // namespace tilewright
