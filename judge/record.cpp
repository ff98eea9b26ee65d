// SPDX-License-Identifier: MIT
#include "judge/record.h"

namespace tilewright {
namespace {

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json to_json(const std::optional<Index3>& index) {
  return index ? Json{index->x, index->y, index->z} : Json(nullptr);
}

Json to_json(const JudgedElement& element) {
  return {{"row", element.row},
          {"column", element.column},
          {"got", or_null(element.got)},
          {"expected", element.expected},
          {"r", or_null(element.r)}};
}

Json cell_head(const Plan& plan, const Cell& cell) {
  const Rung& kernel = plan.kernels[cell.kernel];
  return {{"schema", record_schema},
          {"record", "cell"},
          {"kernel", kernel.name},
          {"contract", "exercise"},
          {"precision", "fp32"},
          {"tile", {kernel.tile.BM, kernel.tile.BN, kernel.tile.BK}},
          {"shape", shape_json(cell.shape)},
          {"inputs", cell.inputs},
          {"seed", plan.seed}};
}

}  // namespace

Json shape_json(Shape shape) { return {shape.M, shape.N, shape.K}; }

Json to_json(const Finding& finding) {
  Json json{{"kind", name_of(finding.kind)}, {"kernel", finding.kernel}};
  json["file"] = finding.file.empty() ? Json(nullptr) : Json(finding.file);
  json["line"] = finding.line > 0 ? Json(finding.line) : Json(nullptr);
  json["block"] = to_json(finding.block);
  json["thread"] = to_json(finding.thread);
  if (finding.other_thread) json["other_thread"] = to_json(finding.other_thread);
  if (finding.other_line > 0) json["other_line"] = finding.other_line;
  if (!finding.buffer.empty()) {
    json["buffer"] = finding.buffer;
    json["index"] = finding.index;
  }
  json["message"] = finding.message;
  json["total"] = finding.total;
  return json;
}

Json to_json(const Judgement& judgement) {
  Json json{{"bitwise", judgement.bitwise},
            {"max_r", or_null(judgement.max_r)},
            {"rms_r", or_null(judgement.rms_r)},
            {"mean_signed_r", or_null(judgement.mean_signed_r)},
            {"max_abs_error", or_null(judgement.max_abs_error)},
            {"max_rel_error", or_null(judgement.max_rel_error)},
            {"max_gamma_fraction", or_null(judgement.max_gamma_fraction)},
            {"worst", to_json(judgement.worst)}};
  if (judgement.failing > 0) {
    json["failing"] = judgement.failing;
    json["non_finite"] = judgement.non_finite;
    for (const JudgedElement& element : judgement.worst_failing)
      json["worst_failing"].push_back(to_json(element));
  }
  return json;
}

Json to_json(const AnyJudgement& judgement) {
  Json json = judgement.ordinary ? to_json(*judgement.ordinary) : Json::object();
  json["special"] = judgement.special;
  json["special_wrong"] = judgement.special_wrong;
  json["undetermined"] = judgement.undetermined;
  if (!judgement.first_wrong) return json;
  // No number of JSON is NaN or infinite.
  json["first_special_wrong"] = to_json(*judgement.first_wrong);
  json["first_special_wrong"]["expected"] = std::to_string(judgement.first_wrong->expected);
  return json;
}

Json to_json(const Counts& counts) {
  return {{"global_reads", counts.global_reads.elements},
          {"global_writes", counts.global_writes.elements},
          {"shared_reads", counts.shared_reads.elements},
          {"shared_writes", counts.shared_writes.elements}};
}

Json to_json(const PredictedCounts& counts) {
  return {{"global_reads", counts.global_reads},
          {"global_writes", counts.global_writes},
          {"shared_reads", counts.shared_reads},
          {"shared_writes", counts.shared_writes}};
}

Json to_json(const WarpCounts& warps) {
  Json json{{"requests", warps.requests}, {"lanes", warps.lanes}};
  json["lanes_per_request"] = static_cast<double>(warps.lanes) / static_cast<double>(warps.requests);
  // A space has what the other has not: sectors are global memory's, wavefronts and conflicts the banks'.
  json["sectors"] = warps.sectors;
  json["ideal_sectors"] = warps.ideal_sectors;
  json["wavefronts"] = warps.wavefronts;
  json["bank_conflicts"] = warps.bank_conflicts;
  json["bank_conflict_ways"] = warps.most_ways;
  return json;
}

Json to_json(const BlockSample& sample) {
  Json json{{"blocks", sample.blocks}, {"classes", Json::array()}};
  for (const BlockSample::Class& one : sample.classes) {
    Json& entry = json["classes"].emplace_back(Json{{"members", one.members}, {"ran", Json::array()}});
    for (const Index3& block : one.ran) entry["ran"].push_back({block.x, block.y, block.z});
  }
  return json;
}

Json to_json(const LineCount& line) {
  Json json{{"file", line.file},
            {"line", line.line},
            {"space", line.space},
            {"op", line.op},
            {"accesses", line.count.accesses},
            {"elements", line.count.elements}};
  if (line.warps.requests == 0) return json;
  json.update(to_json(line.warps));
  json["distinct_elements"] = or_null(line.distinct_elements);
  json["reuse"] = or_null(line.reuse());
  return json;
}

Json run_record(const RunOrigin& origin, const Environment& environment, const Plan& plan) {
  Json json{{"schema", record_schema},
            {"record", "run"},
            {"revision", origin.revision},
            {"dirty", origin.dirty},
            {"started", origin.started}};
  for (const auto& [key, value] : environment) json["environment"][key] = value;
  json["tolerance"] = {
      {"max_r", max_r_limit},
      {"rms_r", rms_r_limit},
      {"rms_r_of_n_elements", "sqrt(1 + 35 / n)"},
      {"element", "max_r * (Y + u|c|), declared from the inputs; bit equality where sums are exact"},
      {"u", float32_unit}};
  json["planned"] = plan.cells.size();
  json["seed"] = plan.seed;
  for (const Rung& kernel : plan.kernels) json["kernels"].push_back(kernel.name);
  for (const SkippedCell& skipped : plan.skipped)
    json["skipped"].push_back({{"kernel", plan.kernels[skipped.kernel].name},
                               {"shape", shape_json(skipped.shape)},
                               {"verdict", Verdict{Verdict::Kind::unsupported, skipped.rule}.text()}});
  return json;
}

Json cell_record(const Plan& plan, const Cell& cell, const Outcome& outcome) {
  Json json = cell_head(plan, cell);
  json["verdict"] = outcome.verdict.text();
  if (outcome.launches > 1) {
    json["launches"] = outcome.launches;
    json["differing_launches"] = outcome.differing_launches;
  }
  if (outcome.judgement) json.update(to_json(*outcome.judgement));
  if (outcome.product.counts) json.update(to_json(*outcome.product.counts));
  if (outcome.predicted) json["predicted"] = to_json(*outcome.predicted);
  if (!outcome.error.empty()) json["error"] = outcome.error;
  json["findings_total"] = outcome.product.findings_total;
  for (const Finding& finding : outcome.product.findings) json["findings"].push_back(to_json(finding));
  return json;
}

Json lost_cell_record(const Plan& plan, const Cell& cell, const std::string& kind, const std::string& error) {
  Json json = cell_head(plan, cell);
  json["verdict"] = Verdict{Verdict::Kind::fail, kind}.text();
  json["error"] = error;
  json["findings_total"] = 0;
  return json;
}

}  // namespace tilewright
