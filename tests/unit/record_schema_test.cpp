// SPDX-License-Identifier: MIT
//
// judge/record.h: every record has its keys with their types, holds no NaN or infinity, is one line and reads
// back as it was written, for results good, wrong and absent.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

#include "judge/record.h"
#include "tests/unit/plan_rungs.h"

namespace tilewright {
namespace {

using Types = std::map<std::string, std::string>;

void expect_finite(const Json& json, const std::string& where) {
  if (json.is_number_float()) {
    EXPECT_TRUE(std::isfinite(json.get<double>())) << where;
  }
  if (!json.is_structured()) return;
  for (const auto& [key, value] : json.items()) expect_finite(value, where + "." + key);
}

void expect_sound(const Json& record) {
  expect_finite(record, "record");
  const std::string line = record.dump();
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_EQ(Json::parse(line).dump(), line);
}

// The required keys with the names of their types; nothing is said of others.
void expect_types(const Json& record, const Types& types) {
  for (const auto& [key, type] : types) {
    ASSERT_TRUE(record.contains(key)) << key << " in " << record.dump();
    EXPECT_EQ(std::string(record[key].type_name()), type) << key << ": " << record[key].dump();
  }
}

const Types kCellHead{{"schema", "number"},   {"record", "string"},        {"kernel", "string"},
                      {"contract", "string"}, {"precision", "string"},     {"tile", "array"},
                      {"shape", "array"},     {"inputs", "string"},        {"seed", "number"},
                      {"verdict", "string"},  {"findings_total", "number"}};
const Types kJudgement{{"bitwise", "boolean"}, {"worst", "object"}};

class RecordSchema : public testing::Test {
 protected:
  RecordSchema() {
    PlanRequest request{.kernels = {rung_named("one"), rung_named("two", 8)},
                        .matrix = false,
                        .declared = {{{3, 4, 5}, "fp32"}, {{30000, 1, 1}, "fp32"}, {{4, 4, 4}, "bf16"}},
                        .inputs = {"uniform"},
                        .operands = {},
                        .seed = 9};
    plan_ = make_plan(request);
    inputs_.emplace(plan_);
    inputs_->prepare(cell());
  }

  const Cell& cell() const { return plan_.cells.front(); }

  // What came back, judged as run_and_judge judges it.
  Outcome outcome_of(std::vector<float> C) const {
    Outcome outcome;
    outcome.product.C = std::move(C);
    outcome.judgement = judge(inputs_->reference(), outcome.product.C);
    if (!outcome.judgement->pass) outcome.verdict = {Verdict::Kind::fail, outcome.judgement->failure};
    return outcome;
  }
  std::vector<float> honest() const {
    const std::vector<double>& product = inputs_->reference().product;
    return {product.begin(), product.end()};
  }

  Plan plan_;
  std::optional<CellInputs> inputs_;
};

TEST_F(RecordSchema, OfARun) {
  const Json record = run_record({.revision = "abc", .dirty = true, .started = "2026-01-02T03:04:05Z"},
                                 {{"device", "emulator"}, {"cores", "2"}}, plan_);
  expect_types(record, {{"schema", "number"},
                        {"record", "string"},
                        {"revision", "string"},
                        {"dirty", "boolean"},
                        {"started", "string"},
                        {"environment", "object"},
                        {"tolerance", "object"},
                        {"planned", "number"},
                        {"seed", "number"},
                        {"kernels", "array"},
                        {"skipped", "array"}});
  EXPECT_EQ(record.at("schema"), 1);
  EXPECT_EQ(record.at("record"), "run");
  EXPECT_EQ(record.at("environment").at("device"), "emulator");
  EXPECT_EQ(record.at("planned"), 2);
  EXPECT_EQ(record.at("kernels"), (Json{"one", "two"}));
  EXPECT_EQ(record.at("tolerance").at("max_r"), max_r_limit);
  EXPECT_EQ(record.at("tolerance").at("rms_r"), rms_r_limit);
  ASSERT_EQ(record.at("skipped").size(), 4U);
  EXPECT_EQ(record.at("skipped")[0].at("shape"), (Json{30000, 1, 1}));
  EXPECT_EQ(record.at("skipped")[0].at("verdict"),
            "UNSUPPORTED(M '30000': must be an integer from 1 to 4096)");
  expect_sound(record);
}

TEST_F(RecordSchema, OfACellThatPassed) {
  Outcome outcome = outcome_of(honest());
  outcome.product.counts = Counts{{3, 12}, {2, 8}, {5, 5}, {7, 7}};
  outcome.predicted = PredictedCounts{12, 8, 5, 7};
  const Json record = cell_record(plan_, cell(), outcome);
  expect_types(record, kCellHead);
  expect_types(record, kJudgement);
  for (const char* key :
       {"max_r", "rms_r", "mean_signed_r", "max_abs_error", "max_rel_error", "max_gamma_fraction"})
    EXPECT_TRUE(record.at(key).is_number()) << key;
  EXPECT_EQ(record.at("schema"), 1);
  EXPECT_EQ(record.at("record"), "cell");
  EXPECT_EQ(record.at("kernel"), "one");
  EXPECT_EQ(record.at("tile"), (Json{16, 16, 16}));
  EXPECT_EQ(record.at("shape"), (Json{3, 4, 5}));
  EXPECT_EQ(record.at("inputs"), "uniform");
  EXPECT_EQ(record.at("seed"), 9);
  EXPECT_EQ(record.at("verdict"), "PASS");
  EXPECT_EQ(record.at("global_reads"), 12);
  EXPECT_EQ(record.at("global_writes"), 8);
  EXPECT_EQ(record.at("predicted").at("shared_writes"), 7);
  EXPECT_EQ(record.at("findings_total"), 0);
  EXPECT_FALSE(record.contains("failing"));
  expect_sound(record);
}

TEST_F(RecordSchema, OfWrongNaNAndInfiniteValues) {
  std::vector<float> C = honest();
  C[0] = std::numeric_limits<float>::quiet_NaN();
  C[1] = std::numeric_limits<float>::infinity();
  C[2] = -std::numeric_limits<float>::infinity();
  C[3] = std::numeric_limits<float>::max();
  const Json record = cell_record(plan_, cell(), outcome_of(C));
  EXPECT_EQ(record.at("verdict"), "FAIL(non_finite)");
  EXPECT_EQ(record.at("failing"), 4);
  EXPECT_EQ(record.at("non_finite"), 3);
  EXPECT_TRUE(record.at("worst").at("got").is_null());
  EXPECT_TRUE(record.at("worst").at("r").is_null());
  EXPECT_TRUE(record.at("worst").at("expected").is_number());
  EXPECT_EQ(record.at("worst").at("row"), 0);
  EXPECT_EQ(record.at("worst").at("column"), 0);
  ASSERT_EQ(record.at("worst_failing").size(), 4U);
  EXPECT_TRUE(record.at("worst_failing")[3].at("got").is_number());
  expect_sound(record);

  const Json all = cell_record(plan_, cell(), outcome_of(std::vector<float>(12, std::nanf(""))));
  for (const char* key :
       {"max_r", "rms_r", "mean_signed_r", "max_abs_error", "max_rel_error", "max_gamma_fraction"})
    EXPECT_TRUE(all.at(key).is_null()) << key;
  EXPECT_EQ(all.at("worst_failing").size(), most_failing_listed);
  expect_sound(all);
}

TEST_F(RecordSchema, OfACellThatDidNotRun) {
  Outcome outcome;
  outcome.verdict = {Verdict::Kind::unsupported, "threads per block"};
  outcome.error = "one '3x4x5': threads per block";
  const Json record = cell_record(plan_, cell(), outcome);
  expect_types(record, kCellHead);
  EXPECT_EQ(record.at("verdict"), "UNSUPPORTED(threads per block)");
  EXPECT_EQ(record.at("error"), outcome.error);
  EXPECT_FALSE(record.contains("max_r"));
  expect_sound(record);
}

TEST_F(RecordSchema, OfACellWhoseProcessDied) {
  const Json record = lost_cell_record(plan_, plan_.cells.back(), "hang", "no answer for 300 s");
  expect_types(record, kCellHead);
  EXPECT_EQ(record.at("record"), "cell");
  EXPECT_EQ(record.at("kernel"), "two");
  EXPECT_EQ(record.at("tile"), (Json{8, 8, 8}));
  EXPECT_EQ(record.at("verdict"), "FAIL(hang)");
  EXPECT_EQ(record.at("error"), "no answer for 300 s");
  expect_sound(record);
}

TEST_F(RecordSchema, OfFindings) {
  Outcome outcome = outcome_of(honest());
  Finding race{.kind = FindingKind::race,
               .kernel = "one",
               .file = "kernels/one.cu",
               .line = 12,
               .block = Index3{1, 2, 0},
               .thread = Index3{3, 4, 0},
               .other_thread = Index3{5, 6, 0},
               .other_line = 14,
               .buffer = "tile",
               .index = 7,
               .message = "a sentence \"quoted\"",
               .total = 99};
  Finding unwritten;
  unwritten.kind = FindingKind::unwritten_output;
  outcome.product.findings = {race, unwritten};
  outcome.product.findings_total = 100;
  const Json record = cell_record(plan_, cell(), outcome);
  EXPECT_EQ(record.at("findings_total"), 100);
  ASSERT_EQ(record.at("findings").size(), 2U);
  const Json& full = record.at("findings")[0];
  expect_types(full, {{"kind", "string"},
                      {"kernel", "string"},
                      {"file", "string"},
                      {"line", "number"},
                      {"block", "array"},
                      {"thread", "array"},
                      {"other_thread", "array"},
                      {"other_line", "number"},
                      {"buffer", "string"},
                      {"index", "number"},
                      {"message", "string"},
                      {"total", "number"}});
  EXPECT_EQ(full.at("kind"), "race");
  EXPECT_EQ(full.at("block"), (Json{1, 2, 0}));
  EXPECT_EQ(full.at("thread"), (Json{3, 4, 0}));
  EXPECT_EQ(full.at("other_thread"), (Json{5, 6, 0}));
  EXPECT_EQ(full.at("total"), 99);
  const Json& bare = record.at("findings")[1];
  for (const char* key : {"file", "line", "block", "thread"}) EXPECT_TRUE(bare.at(key).is_null()) << key;
  EXPECT_FALSE(bare.contains("other_thread"));
  EXPECT_EQ(bare.at("kind"), "unwritten_output");
  expect_sound(record);
}

TEST(RecordKinds, HaveTheNamesThatChecksRelyOn) {
  const std::map<FindingKind, std::string> names{
      {FindingKind::race, "race"},
      {FindingKind::uninitialized_shared_read, "uninitialized_shared_read"},
      {FindingKind::uninitialized_output_read, "uninitialized_output_read"},
      {FindingKind::uninitialized_scratch_read, "uninitialized_scratch_read"},
      {FindingKind::out_of_bounds, "out_of_bounds"},
      {FindingKind::misaligned_access, "misaligned_access"},
      {FindingKind::barrier_divergence, "barrier_divergence"},
      {FindingKind::double_write, "double_write"},
      {FindingKind::unwritten_output, "unwritten_output"},
      {FindingKind::counter_not_zero, "counter_not_zero"},
      {FindingKind::input_modified, "input_modified"},
      {FindingKind::access_limit, "access_limit"},
      {FindingKind::fault, "fault"}};
  for (const auto& [kind, name] : names) {
    Finding finding;
    finding.kind = kind;
    EXPECT_EQ(to_json(finding).at("kind"), name);
  }
}

TEST(RecordLines, HaveTheirKeys) {
  const Json line = to_json(LineCount{"a.cu", 7, "shared", "read", {3, 12}});
  EXPECT_EQ(
      line.dump(),
      "{\"file\":\"a.cu\",\"line\":7,\"space\":\"shared\",\"op\":\"read\",\"accesses\":3,\"elements\":12}");
}

TEST(RecordVerdicts, AreTheVocabulary) {
  EXPECT_EQ((Verdict{}).text(), "PASS");
  EXPECT_EQ((Verdict{Verdict::Kind::fail, "race"}).text(), "FAIL(race)");
  EXPECT_EQ((Verdict{Verdict::Kind::unsupported, "rule"}).text(), "UNSUPPORTED(rule)");
  EXPECT_EQ((Verdict{Verdict::Kind::rejected, "plan"}).text(), "REJECTED(plan)");
  EXPECT_EQ((Verdict{Verdict::Kind::unavailable, "no GPU"}).text(), "UNAVAILABLE(no GPU)");
}

}  // namespace
}  // namespace tilewright
