// SPDX-License-Identifier: MIT
//
// The report as a function of records: what it shows is what they say, and what they cannot say is refused.
#include <gtest/gtest.h>

#include <functional>

#include "report/audit.h"
#include "report/document.h"
#include "tests/unit/error_of.h"
#include "tests/unit/report_fixture.h"

namespace tilewright {
namespace {

const Json* section_of(const Json& document, const std::string& id) {
  for (const Json& section : document.at("sections"))
    if (section.at("id") == id) return &section;
  return nullptr;
}

const Json& block_of(const Json& document, const std::string& kind, const std::string& name) {
  for (const Json& section : document.at("sections"))
    for (const Json& block : section.at("blocks"))
      if (block.at("kind") == kind && block.value("name", "") == name) return block;
  throw std::runtime_error("no " + kind + " " + name);
}

TEST(ReportDocument, ShowsTheLadderBelowItsCeiling) {
  const ReportDocument report = report_document(whole_inputs({whole_records(50, 80)}));
  EXPECT_TRUE(report.contradictions.empty()) << report.contradictions.front();
  const Json& ladder = block_of(report.json, "ladder", "ladder");
  EXPECT_EQ(ladder.at("top").at("tflops"), 50.0);
  ASSERT_EQ(ladder.at("bars").size(), 2U);
  EXPECT_EQ(ladder["bars"][0]["label"], "first");
  EXPECT_EQ(ladder["bars"][0]["note"], "");
  EXPECT_EQ(ladder["bars"][1]["note"], "slower than the step before");
  // 2 · 512³ FLOP in 50.02 µs, the median of 50 … 50.04.
  EXPECT_NEAR(ladder["bars"][0]["tflops"].get<double>(), 2.0 * 512 * 512 * 512 / 50.02e-6 / 1e12, 1e-9);
  const Json& table = block_of(report.json, "table", "ladder");
  EXPECT_EQ(table["rows"][1][0], "second");
  EXPECT_NEAR(table["rows"][1][1].get<double>(), 80.02, 1e-9);
  EXPECT_EQ(table["rows"][1][5], "FASTER");
  const Json& decisions = block_of(report.json, "table", "decisions");
  EXPECT_EQ(decisions["rows"][1], Json({"second", "another", "up again", "kept, and slower"}));
  const Json& drawn = block_of(report.json, "distributions", "timings");
  ASSERT_EQ(drawn["groups"].size(), 1U);
  EXPECT_EQ(drawn["groups"][0]["rows"].size(), 4U);
  EXPECT_EQ(drawn["groups"][0]["rows"][0]["samples"].size(), 20U);
  EXPECT_EQ(drawn["groups"][0]["rows"][1]["label"], "cublaslt beside first");
}

TEST(ReportDocument, TakesThePagesTextsWithoutTheirMarks) {
  ReportInputs inputs = whole_inputs({whole_records(50, 80)});
  inputs.steps[0].texts.decision = "kept: ahead of `second` ([ladder](../../docs/ladder.md)) at [1]";
  const Json document = report_document(inputs).json;
  EXPECT_EQ(block_of(document, "table", "decisions")["rows"][0][3], "kept: ahead of second (ladder) at [1]");
}

TEST(ReportDocument, LeavesOutWhatThereIsNoRecordOf) {
  const ReportDocument report = report_document(whole_inputs({whole_records(50, 80)}));
  for (const char* id : {"against", "library", "losses", "profiles", "correctness"})
    EXPECT_EQ(section_of(report.json, id), nullptr) << id;
  for (const char* id :
       {"evidence", "ladder", "comparisons", "timings", "roofline", "decisions", "recount", "origin"})
    EXPECT_NE(section_of(report.json, id), nullptr) << id;
}

TEST(ReportDocument, SaysWhatLoses) {
  std::vector<Json> records{whole_run(1)};
  add_whole_cell(records, 1, "auto", kSquare, samples_from(125, 0.01));
  const ReportDocument report = report_document(whole_inputs({records}));
  const Json& losses = block_of(report.json, "table", "losses");
  ASSERT_EQ(losses["rows"].size(), 1U);
  EXPECT_EQ(losses["rows"][0][0], "512x512x512");
  EXPECT_NEAR(losses["rows"][0][2].get<double>(), 0.8, 1e-3);
  EXPECT_EQ(report.json["headline"][0]["value"], "0.800×");
  EXPECT_EQ(report.json["headline"][0]["tone"], "bad");
  EXPECT_EQ(block_of(report.json, "ratios", "library_warm")["rows"][0]["samples"].size(), 20U);
}

TEST(ReportDocument, ShowsWhatAProfileSays) {
  const Json profile{
      {"schema", 1},
      {"record", "profile"},
      {"kernel", "first"},
      {"revision", "0123456789abcdef"},
      {"environment", {{"gpu", "No GPU"}}},
      {"shape", {512, 512, 512}},
      {"verdict", "PASS"},
      {"limit", {{"sentence", "FMA pipe: 71 % of its peak"}}},
      {"readings",
       {{{"section", "launch"},
         {"quantity", "grid_x"},
         {"unit", "block"},
         {"predicted", 4},
         {"predicted_by", "rung"},
         {"measured", 5}},
        {{"section", "memory"}, {"quantity", "l1_hit_rate"}, {"unit", "%"}, {"measured", 11.1}}}},
      {"agreement",
       {{{"quantity", "loads"}, {"status", "equal"}, {"predicted", 7}, {"measured", 7}},
        {{"quantity", "shared_loads"}, {"status", "merged"}, {"predicted", 8}, {"measured", 2}},
        {{"quantity", "stores"}, {"status", "different"}, {"predicted", 1}, {"measured", nullptr}}}}};
  const Json document = report_document(whole_inputs({{profile}})).json;
  EXPECT_EQ(block_of(document, "table", "limits")["rows"][0][2], "FMA pipe: 71 % of its peak");
  EXPECT_EQ(block_of(document, "table", "predictions")["rows"],
            Json::parse(R"([["first", "512x512x512", "grid x", "block", 4.0, "rung", 5.0, 1.25]])"));
  EXPECT_EQ(block_of(document, "table", "agreement")["rows"],
            Json::parse(R"([["first", "512x512x512", 3, 1, 1, 1, 0, "PASS"]])"));
  EXPECT_EQ(block_of(document, "table", "explained")["rows"].size(), 2U);
}

TEST(ReportDocument, ShowsWhatAutoWasTunedBy) {
  Json head = whole_run(1);
  head["record"] = "tune";
  const auto trial = [](const char* kernel, const char* verdict, double us) {
    return Json{{"schema", 1},        {"record", "trial"},  {"kernel", kernel},
                {"verdict", verdict}, {"shape", {8, 8, 8}}, {"median_us", us}};
  };
  const std::vector<Json> records{head, trial("slow", "PASS", 9), trial("wrong", "FAIL(wrong_value)", 1),
                                  trial("fast", "PASS", 5)};
  const Json document = report_document(whole_inputs({records})).json;
  EXPECT_EQ(block_of(document, "table", "tuning")["rows"],
            Json::parse(R"([["8x8x8", "fast", 5.0, 3, 1, "1"]])"));
}

std::string verdict_against(const std::vector<Json>& own, const std::vector<Json>& other,
                            std::size_t row = 0) {
  const ReportDocument report = report_document(whole_inputs({own, other}));
  return block_of(report.json, "table", "against").at("rows").at(row).at(9);
}

TEST(ReportAgainst, TellsTwoSetsApart) {
  const std::vector<Json> before = whole_records(50, 80);
  EXPECT_EQ(verdict_against(before, before), "SAME");
  EXPECT_EQ(verdict_against(whole_records(40, 80), before), "FASTER");
  EXPECT_EQ(verdict_against(whole_records(40, 80), before, 1), "SAME");
  EXPECT_EQ(verdict_against(whole_records(60, 80), before), "SLOWER");
  // The middle of 20 samples that scatter by 4 % is not known to 1 %.
  std::vector<Json> scattered{whole_run(1)};
  add_whole_cell(scattered, 1, "first", kSquare, samples_from(49, 0.5));
  EXPECT_EQ(verdict_against(scattered, before), "AMBIGUOUS");
  EXPECT_EQ(verdict_against(scattered, scattered), "AMBIGUOUS");
}

TEST(ReportAgainst, HoldsByTimeWhereTheGpuIsAnother) {
  const std::vector<Json> own = whole_records(50, 80), other = whole_records(60, 80, "Another GPU");
  const ReportDocument report = report_document(whole_inputs({own, other}));
  EXPECT_EQ(block_of(report.json, "table", "against")["rows"][0][5], "time");
  const ReportDocument alike = report_document(whole_inputs({own, own}));
  EXPECT_EQ(block_of(alike.json, "table", "against")["rows"][0][5], "ratio to cuBLAS");
}

TEST(ReportAgainst, SaysThatThereIsNothingInCommon) {
  std::vector<Json> other{whole_run(1)};
  add_whole_cell(other, 1, "third", kSquare, samples_from(50, 0.01));
  const ReportDocument report = report_document(whole_inputs({whole_records(50, 80), other}));
  EXPECT_EQ(section_of(report.json, "against")->at("blocks")[0]["kind"], "text");
}

TEST(ReportDifferences, NameThePlace) {
  const Json one = report_document(whole_inputs({whole_records(50, 80)})).json;
  EXPECT_TRUE(differences(one, one).empty());
  Json changed = one;
  changed["sections"][0]["blocks"][0]["rows"][0][0] = "else";
  changed["headline"][0].erase("note");
  changed["more"] = 1;
  changed["sections"][1]["blocks"].erase(0);
  const std::vector<std::string> found = differences(changed, one);
  const auto said = [&](const std::string& text) {
    return std::any_of(found.begin(), found.end(),
                       [&](const std::string& line) { return line.find(text) == 0; });
  };
  EXPECT_EQ(found.size(), 4U);
  EXPECT_TRUE(said("sections[0].blocks[0].rows[0][0]: \"else\" in the report, \"first\" from its records"));
  EXPECT_TRUE(said("headline[0].note: is missing"));
  EXPECT_TRUE(said("more: is not of a report"));
  EXPECT_TRUE(said("sections[1].blocks: "));
  EXPECT_FALSE(differences(Json("text"), one).empty());
}

TEST(ReportCsv, IsTheTable) {
  std::vector<Json> records{whole_run(1)};
  add_whole_cell(records, 1, "a, \"b\"", kSquare, samples_from(50, 0));
  const Json document = report_document(whole_inputs({records})).json;
  const std::string csv = csv_of(document, "timings");
  EXPECT_EQ(
      csv.rfind("shape,\"caches, mode, boundary\",kernel,role,verdict,samples,launches a batch,median µs,",
                0),
      0U)
      << csv;
  EXPECT_NE(
      csv.find("\n512x512x512,\"warm, boost, device\",\"a, \"\"b\"\"\",rung,PASS,20,10,50.0,50.0,50.0,"),
      std::string::npos)
      << csv;
  expect_error([&] { csv_of(document, "none"); }, Code::bad_input, {"--table", "'none'", "timings"});
}

TEST(ReportRefusals, NameFileAndLine) {
  const std::vector<Json> good = whole_records(50, 80);
  struct Row {
    const char* rule;
    std::function<void(std::vector<Json>&)> change;
  };
  const std::vector<Row> rows{
      {"line 2 is of schema 2; this program reads 1", [](auto& all) { all[1]["schema"] = 2; }},
      {"line 2 is no record", [](auto& all) { all[1].erase("record"); }},
      {"line 2: record must be a kind of record", [](auto& all) { all[1]["record"] = "rumour"; }},
      {"line 1: record must follow the run of bench", [](auto& all) { all.erase(all.begin()); }},
      {"line 2: kernel must be a text; it is 5", [](auto& all) { all[1]["kernel"] = 5; }},
      {"line 2: samples_us must be a list of times above 0, and [1] is -2.0",
       [](auto& all) { all[1]["samples_us"][1] = -2.0; }},
      {"line 2: samples_us must be there", [](auto& all) { all[1].erase("samples_us"); }},
      {"line 2: clock_mhz must be a list", [](auto& all) { all[1]["clock_mhz"] = "fast"; }},
      {"line 4: ratios must be a list of finite numbers", [](auto& all) { all[3]["ratios"][0] = nullptr; }},
      {"line 4 does not fit: it compares what was not timed",
       [](auto& all) { all[3]["rival"] = "cublas", all[3]["kernel"] = "else"; }},
      {"line 1: environment.gpu must be a text", [](auto& all) { all[0]["environment"]["gpu"] = 1; }},
      {"line 1 does not fit", [](auto& all) { all[0].erase("ceilings"); }},
      {"line 1: dirty must be true or false", [](auto& all) { all[0]["dirty"] = 0; }},
  };
  for (const Row& row : rows) {
    std::vector<Json> records = good;
    row.change(records);
    expect_error([&] { report_document(whole_inputs({records})); }, Code::bad_input,
                 {"'set1/a.jsonl'", row.rule});
  }
}

TEST(ReportRefusals, OfWhatIsNoJson) {
  const auto refused = [](const std::string& text, const std::string& rule) {
    ReportInputs inputs = whole_inputs({whole_records(50, 80)});
    inputs.sets[0].files[0].text = text;
    expect_error([&] { report_document(inputs); }, Code::bad_input, {"'set1/a.jsonl'", rule});
  };
  const std::string good = lines_of(whole_records(50, 80));
  refused("", "holds no record");
  refused("\n \n", "holds no record");
  refused(good.substr(0, good.size() - 20), "line 9 is no JSON, or is cut off");
  refused("[1, 2]\n", "line 1 is no record");
  refused(good + "{\"schema\": 1, \"record\": \"timing\", \"samples_us\": [NaN]}", "line 10 is no JSON");
  refused(good + "{\"a\":" + std::string(100000, '[') + std::string(100000, ']') + "}",
          "line 10 is nested deeper");
}

TEST(ReportAudit, SeesWhatIsMissing) {
  std::vector<Json> records = whole_records(50, 80);
  records.erase(records.begin() + 3);
  const ReportDocument report = report_document(whole_inputs({records}));
  ASSERT_EQ(report.contradictions.size(), 1U);
  EXPECT_NE(report.contradictions[0].find("lacks the comparison of first with cublaslt"), std::string::npos);
  EXPECT_EQ(block_of(report.json, "table", "contradictions")["rows"].size(), 1U);
}

Json judged(const std::string& verdict, double max_r) {
  return {{"schema", 1},
          {"record", "cell"},
          {"kernel", "first"},
          {"shape", {8, 8, 8}},
          {"inputs", "uniform"},
          {"seed", 1},
          {"verdict", verdict},
          {"bitwise", false},
          {"max_r", max_r},
          {"rms_r", 0.4},
          {"worst", {{"row", 3}, {"column", 5}, {"got", 1.5}, {"expected", 1.25}, {"r", max_r}}}};
}

std::vector<Json> judged_run(std::vector<Json> cells) {
  Json run = whole_run(1);
  run.erase("command");
  run["planned"] = cells.size();
  cells.insert(cells.begin(), run);
  return cells;
}

TEST(ReportAudit, HoldsAPassAgainstItsOwnNumbers) {
  const auto problems = [](const std::vector<Json>& records) {
    return check_contradictions({"a", records, 1});
  };
  EXPECT_TRUE(problems(judged_run({judged("PASS", 5.9), judged("FAIL(wrong_value)", 7)})).empty());
  EXPECT_EQ(problems(judged_run({judged("PASS", 6.1)})).size(), 1U);
  Json exact = judged("PASS", 0.1);
  exact["bitwise"] = true;
  EXPECT_EQ(problems(judged_run({exact})).size(), 1U);
  Json found = judged("PASS", 0.1);
  found["findings_total"] = 2;
  EXPECT_EQ(problems(judged_run({found})).size(), 1U);
  std::vector<Json> lost = judged_run({judged("PASS", 1), judged("PASS", 1)});
  lost.pop_back();
  EXPECT_EQ(problems(lost).size(), 1U);
}

TEST(ReportDocument, SaysWhyAKernelOfOnesOwnFails) {
  Json cell = judged("FAIL(race)", 7);
  cell["kernel"] = "tiled<16>";
  cell["findings"] = {{{"file", "my.cu"}, {"line", 18}, {"message", "two threads"}}};
  Json lost = judged("FAIL(crash)", 7);
  lost["kernel"] = "tiled<16>";
  lost["error"] = "it died";
  const Json document = report_document(whole_inputs({judged_run({cell, lost})})).json;
  const Json& rows = block_of(document, "table", "failures")["rows"];
  EXPECT_EQ(rows[0][7], "my.cu:18: two threads");
  EXPECT_EQ(rows[1][7], "it died");
  EXPECT_EQ(document["headline"][0], Json({{"label", "products right"},
                                           {"value", "0 of 2"},
                                           {"note", "tiled<16>: FAIL(race)"},
                                           {"tone", "bad"}}));
}

TEST(ReportDocument, GivesTheWorstElementOfEachKernel) {
  const ReportDocument report =
      report_document(whole_inputs({judged_run({judged("PASS", 2), judged("FAIL(wrong_value)", 7)})}));
  EXPECT_TRUE(report.contradictions.empty());
  const Json& row = block_of(report.json, "table", "correctness")["rows"][0];
  EXPECT_EQ(row, Json({"first", 2, 1, 1, 0, 1, 7.0, "8x8x8", "uniform", 3, 5, 1.5, 1.25}));
  EXPECT_EQ(block_of(report.json, "table", "failures")["rows"][0][3], "FAIL(wrong_value)");
  EXPECT_EQ(report.json["title"], "float32 products on No GPU");
}

}  // namespace
}  // namespace tilewright
