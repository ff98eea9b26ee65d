// SPDX-License-Identifier: MIT
//
// tilewright report from outside: the page of the committed records is written whole and proves itself, and no change in
// it or in the records goes unseen.
#include "tests/surface/command.h"
#include "web/pages.h"

namespace tilewright {
namespace {

const std::string kResults = TILEWRIGHT_SOURCE_DIR "/results/h200";
const std::string kGate = kResults + "/bench/bench_gate.jsonl";

class SurfaceReport : public Command {
 protected:
  static bool has_page() { return !report_shell().pieces.empty(); }

  void expect_verdict(const std::string& page, int status, const std::string& says) const {
    const ProcessResult result = tilewright({"report", "--verify", put(page, "changed.html")});
    EXPECT_EQ(result.exit_status, status) << result.out << result.err;
    EXPECT_NE((result.out + result.err).find(says), std::string::npos) << result.out << result.err;
  }
};

TEST_F(SurfaceReport, OfTheCommittedRecordsProvesItself) {
  if (!has_page()) GTEST_SKIP() << report_shell().absent;
  const ProcessResult made = tilewright({"report", kResults, "-o", path("report.html")});
  EXPECT_EQ(made.exit_status, 0) << made.err;
  EXPECT_NE(made.out.find("no contradiction"), std::string::npos) << made.out;
  const ProcessResult proven = tilewright({"report", "--verify", path("report.html"), "--json"});
  EXPECT_EQ(proven.exit_status, 0) << proven.err;
  const SurfaceJson json = object_of(proven.out);
  EXPECT_EQ(json.at("verdict"), "PASS");
  EXPECT_GT(json.at("numbers"), 10000);
  EXPECT_EQ(json.at("page"), "is that of this program");
}

TEST_F(SurfaceReport, AnyChangeIsSeen) {
  if (!has_page()) GTEST_SKIP() << report_shell().absent;
  ASSERT_EQ(tilewright({"report", kGate, "-o", path("report.html")}).exit_status, 0);
  const std::string page = whole_file(path("report.html"));
  expect_verdict(page, 0, "PASS");
  // Every tenth digit of the document, and every hundredth of the packed records.
  const std::size_t document = page.find("id=\"document\">"), records = page.find("id=\"records\">");
  ASSERT_NE(document, std::string::npos);
  std::vector<std::size_t> places;
  for (std::size_t at = document + 14; at < records - 40; ++at)
    if (page[at] >= '0' && page[at] <= '9') places.push_back(at);
  for (std::size_t at = records + 20; at < page.find("\"<", records); at += 997) places.push_back(at);
  int tried = 0;
  for (std::size_t i = 0; i < places.size(); i += std::max<std::size_t>(1, places.size() / 40)) {
    std::string changed = page;
    char& letter = changed[places[i]];
    letter = letter == '7' ? '8' : '7';
    SCOPED_TRACE(page.substr(places[i] - 20, 30));
    expect_verdict(changed, 1, places[i] < records ? "FAIL(differs)" : "records are changed");
    ++tried;
  }
  EXPECT_GE(tried, 30);
  std::string script = page;
  script.replace(script.find("</style>"), 8, " </style>");
  expect_verdict(script, 1, "differs from the page that this program writes");
  expect_verdict(page.substr(0, records - 300), 1, "cut off");
  expect_verdict("<html></html>", 2, "is no report");
}

TEST_F(SurfaceReport, SaysWhatRecordsContradict) {
  std::string text = whole_file(kGate);
  const std::size_t at = text.find("\"median\":") + 9;
  text[at] = text[at] == '1' ? '2' : '1';
  const std::string changed = put(text, "changed.jsonl");
  if (has_page()) {
    EXPECT_EQ(tilewright({"report", changed, "-o", path("report.html")}).exit_status, 1);
    expect_verdict(whole_file(path("report.html")), 1, "FAIL(contradiction)");
  }
  for (const Arguments& more : {Arguments{}, Arguments{"--json"}, Arguments{"--csv"}}) {
    Arguments arguments{"report", changed};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProcessResult result = tilewright(arguments);
    EXPECT_EQ(result.exit_status, 1);
    EXPECT_NE(result.err.find("changed.jsonl: line 2 has a summary that is not of its samples"),
              std::string::npos)
        << result.err;
  }
}

TEST_F(SurfaceReport, PrintsItselfForPrograms) {
  const ProcessResult result = tilewright({"report", kGate, "--json"});
  EXPECT_EQ(result.exit_status, 0) << result.err;
  const SurfaceJson json = object_of(result.out);
  EXPECT_EQ(json.at("schema"), 1);
  EXPECT_EQ(json.at("record"), "report");
  EXPECT_EQ(json.at("title"), "float32 products on NVIDIA H200");
  const ProcessResult csv = tilewright({"report", kGate, "--csv", "--table", "comparisons"});
  EXPECT_EQ(csv.exit_status, 0) << csv.err;
  EXPECT_EQ(
      csv.out.rfind(
          "shape,\"caches, mode, boundary\",kernel,rival,which was,ratio,low,high,rounds,verdict,run\n", 0),
      0U)
      << csv.out;
  EXPECT_EQ(std::count(csv.out.begin(), csv.out.end(), '\n'), 5);
  const ProcessResult both = tilewright({"report", kGate, "--against", kGate});
  EXPECT_EQ(both.exit_status, 0) << both.err;
  EXPECT_NE(both.out.find("FASTER"), std::string::npos) << both.out;
}

TEST_F(SurfaceReport, RefusesWhatIsNone) {
  expect_refused({"report"}, {"RECORDS", "must name record files"});
  expect_refused({"report", path("none.jsonl")}, {"RECORDS", "none.jsonl", "cannot be read"});
  expect_refused({"report", kGate, "--against", path("none.jsonl")},
                 {"--against", "none.jsonl", "cannot be read"});
  std::filesystem::create_directories(path("empty"));
  expect_refused({"report", path("empty")}, {"RECORDS", "empty", "holds no file that ends in .jsonl"});
  const std::string text = whole_file(kGate);
  const std::string cut = put(text.substr(0, text.size() - 60), "cut.jsonl");
  expect_refused({"report", cut, "-o", path("report.html")},
                 {"cut.jsonl", "line 9 is no JSON, or is cut off"});
  expect_refused_as_json({"report", cut, "-o", path("report.html")});
  expect_refused({"report", kGate, "--csv", "--table", "none"}, {"--table", "'none'", "timings"});
  expect_refused({"report", kGate, "--table", "timings"}, {"--csv"});
  expect_refused({"report", kGate, "--verify", "report.html"}, {"--verify", "stands alone"});
  expect_refused_as_json({"report", kGate, "--csv"});
  if (has_page())
    expect_refused({"report", kGate, "-o", path("no/such/report.html")},
                   {"report.html", "cannot be written"});
}

}  // namespace
}  // namespace tilewright
