// SPDX-License-Identifier: MIT
//
// What a check's records add up to, as a table and as JSON.
#include <fmt/format.h>

#include <algorithm>

#include "cli/check.h"

namespace tilewright {
namespace {

constexpr std::size_t most_failures_shown = 20;
constexpr const char* count_keys[] = {"global_reads", "global_writes", "shared_reads", "shared_writes"};

std::optional<double> number_of(const Json& record, const char* key) {
  const auto found = record.find(key);
  return found != record.end() && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
}

void take_larger(std::optional<double>& most, const std::optional<double>& value) {
  if (value && (!most || *value > *most)) most = value;
}

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

std::string shape_text(const Json& shape) {
  return to_string(
      Shape{shape[0].get<std::int64_t>(), shape[1].get<std::int64_t>(), shape[2].get<std::int64_t>()});
}

std::string failure_text(const Json& record) {
  std::string text = fmt::format("  {} {} {} {}\n", record["verdict"].get<std::string>(),
                                 record["kernel"].get<std::string>(), shape_text(record["shape"]),
                                 record["inputs"].get<std::string>());
  if (record.contains("error")) text += "      " + record["error"].get<std::string>() + "\n";
  if (record.contains("findings")) {
    const Json& finding = record["findings"][0];
    text += "      ";
    if (finding["line"].is_number())
      text += fmt::format("{}:{}: ", finding["file"].get<std::string>(), finding["line"].get<int>());
    text += finding["message"].get<std::string>() + "\n";
  } else if (record.contains("worst") && record["verdict"] != "PASS") {
    const Json& worst = record["worst"];
    text += fmt::format("      worst at C[{}, {}]: {} instead of {}\n", worst["row"].get<std::int64_t>(),
                        worst["column"].get<std::int64_t>(), worst["got"].dump(), worst["expected"].dump());
  }
  return text;
}

}  // namespace

CheckSummary::CheckSummary(const Plan& plan) : plan_(plan) {
  for (std::size_t i = 0; i < plan.kernels.size(); ++i) rows_[i].kernel = plan.kernels[i].name;
  if (plan.operands)
    for (std::size_t i = 0; i < plan.kernels.size(); ++i) operand_rows_[i].kernel = plan.kernels[i].name;
  for (const SkippedCell& skipped : plan.skipped) ++rows_[skipped.kernel].skipped;
}

std::size_t CheckSummary::kernel_index(const std::string& name) const {
  for (std::size_t i = 0; i < plan_.kernels.size(); ++i)
    if (plan_.kernels[i].name == name) return i;
  return 0;
}

void CheckSummary::add_to_row(Row& row, const Json& record) {
  const std::string verdict = record["verdict"];
  ++row.planned;
  if (verdict == "PASS") {
    ++row.passed;
  } else if (verdict.rfind("UNSUPPORTED", 0) == 0) {
    ++row.skipped;
    if (row.unsupported.empty()) row.unsupported = verdict;
  } else {
    ++row.failed;
    if (row.failure.empty()) row.failure = verdict;
  }
  take_larger(row.max_r, number_of(record, "max_r"));
  take_larger(row.rms_r, number_of(record, "rms_r"));
  take_larger(row.max_abs_error, number_of(record, "max_abs_error"));
  row.findings += record.value("findings_total", std::int64_t{0});
  for (const char* key : count_keys) {
    if (!record.contains(key)) return;
    row.counted[key] += record[key].get<std::int64_t>();
    if (!record.contains("predicted")) continue;
    row.predicted[key] += record["predicted"][key].get<std::int64_t>();
    row.as_predicted = row.as_predicted && record[key] == record["predicted"][key];
  }
}

void CheckSummary::add(const Json& record) {
  const std::size_t kernel = kernel_index(record["kernel"]);
  add_to_row(record["inputs"] == operand_inputs ? operand_rows_[kernel] : rows_[kernel], record);
  const std::string verdict = record["verdict"];
  if (verdict == "PASS") {
    ++passed_;
  } else if (verdict.rfind("UNSUPPORTED", 0) == 0) {
    ++unsupported_;
    ++rules_[shape_text(record["shape"]) + ": " + verdict];
  } else {
    ++failed_;
    if (first_failure_.empty()) first_failure_ = verdict;
    if (failures_.size() < most_failures_shown) failures_.push_back(record);
  }
}

std::string CheckSummary::verdict() const {
  if (failed_ > 0) return first_failure_;
  return passed_ > 0 ? "PASS" : "UNSUPPORTED(no planned cell could run)";
}

Json CheckSummary::json() const {
  Json json{{"schema", record_schema},
            {"verdict", verdict()},
            {"planned", plan_.cells.size() + plan_.skipped.size()},
            {"passed", passed_},
            {"failed", failed_},
            {"skipped", plan_.skipped.size() + unsupported_},
            {"seed", plan_.seed},
            {"kernels", Json::array()},
            {"skips", Json::array()},
            {"failures", failures_}};
  for (const auto* rows : {&rows_, &operand_rows_})
    for (const auto& [kernel, row] : *rows) {
      if (row.planned + row.skipped == 0) continue;
      Json entry{{"kernel", row.kernel},          {"inputs", rows == &rows_ ? "generated" : operand_inputs},
                 {"verdict", row.verdict()},      {"planned", row.planned},
                 {"passed", row.passed},          {"failed", row.failed},
                 {"skipped", row.skipped},        {"max_r", or_null(row.max_r)},
                 {"rms_r", or_null(row.rms_r)},   {"max_abs_error", or_null(row.max_abs_error)},
                 {"findings_total", row.findings}};
      for (const auto& [key, count] : row.counted) entry[key] = count;
      if (!row.predicted.empty()) {
        entry["predicted"] = row.predicted;
        entry["counts_as_predicted"] = row.as_predicted;
      }
      json["kernels"].push_back(entry);
    }
  for (const SkippedCell& skipped : plan_.skipped)
    json["skips"].push_back({{"kernel", plan_.kernels[skipped.kernel].name},
                             {"shape", shape_json(skipped.shape)},
                             {"verdict", Verdict{Verdict::Kind::unsupported, skipped.rule}.text()}});
  return json;
}

std::string CheckSummary::table(const std::map<std::size_t, Row>& rows) const {
  std::vector<std::vector<std::string>> lines{{"kernel", "verdict", "passed", "max r", "rms r",
                                               "max abs error", "global reads", "formula", "shared reads",
                                               "formula", "findings"}};
  const auto count = [](const std::map<std::string, std::int64_t>& counts, const char* key) {
    const auto found = counts.find(key);
    return found == counts.end() ? std::string("-") : with_commas(found->second);
  };
  for (const auto& [kernel, row] : rows) {
    if (row.planned == 0) continue;
    const std::string verdict = row.verdict();
    lines.push_back({row.kernel, verdict.rfind("UNSUPPORTED", 0) == 0 ? "UNSUPPORTED" : verdict,
                     fmt::format("{}/{}", row.passed, row.planned), short_number(row.max_r),
                     short_number(row.rms_r), short_number(row.max_abs_error),
                     count(row.counted, "global_reads"), count(row.predicted, "global_reads"),
                     count(row.counted, "shared_reads"), count(row.predicted, "shared_reads"),
                     std::to_string(row.findings)});
  }
  return lines.size() > 1 ? text_table(lines) : "";
}

// Beside real matrices the generated inputs are company: what counts is whether all of them passed.
std::string CheckSummary::generated_text() const {
  if (operand_rows_.empty()) return table(rows_);
  std::size_t planned = 0, passed = 0;
  for (const auto& [kernel, row] : rows_) {
    planned += row.planned;
    passed += row.passed;
  }
  if (planned == 0) return "";
  if (passed == planned)
    return fmt::format("\non generated inputs, {} of {} cells passed as well\n", passed, planned);
  return "\non generated inputs:\n\n" + table(rows_);
}

std::string CheckSummary::text() const {
  std::string text;
  if (!operand_rows_.empty()) {
    const Operands& given = *plan_.operands;
    text +=
        fmt::format("on the given matrices, {}:\n\n{}",
                    to_string(Shape{given.A.rows, given.B.columns, given.A.columns}), table(operand_rows_));
  }
  text += generated_text();
  for (const Json& failure : failures_)
    text += (&failure == &failures_.front() ? "\n" : "") + failure_text(failure);
  if (failed_ > failures_.size()) text += fmt::format("  … and {} more\n", failed_ - failures_.size());
  std::map<std::string, std::size_t> rules = rules_;
  for (const SkippedCell& skipped : plan_.skipped) ++rules[to_string(skipped.shape) + ": " + skipped.rule];
  if (!rules.empty()) text += "\nnot run (and how often):\n";
  for (const auto& [rule, kernels] : rules) text += fmt::format("  {} ({})\n", rule, kernels);
  return text + fmt::format("\n{} planned, {} passed, {} failed, {} skipped: {}\n",
                            plan_.cells.size() + plan_.skipped.size(), passed_, failed_,
                            plan_.skipped.size() + unsupported_, verdict());
}

}  // namespace tilewright
