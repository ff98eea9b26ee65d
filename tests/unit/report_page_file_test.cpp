// SPDX-License-Identifier: MIT
//
// A report as a file: what is put in comes out again, and what was changed in it does not.
#include <gtest/gtest.h>

#include <stdexcept>

#include "report/page_file.h"
#include "tests/unit/error_of.h"

namespace tilewright {
namespace {

const std::string kShell = "<html><script>draw()</script>\n<!--report-->\n</html>";

ReportInputs some_inputs() {
  ReportInputs inputs;
  inputs.sets = {{"<set>", {{"a.jsonl", "{\"kernel\":\"</script><b>\"}\n"}}}};
  inputs.steps = {{"kernels/fp32/01_direct.md", "idea", {"direct", "direct_8"}, {"up", "kept"}}};
  inputs.declared = {{"square", {{1, 2, 3}}}};
  inputs.revision = "0123";
  inputs.dirty = true;
  return inputs;
}

TEST(ReportPage, HoldsItsInputsAndItsDocument) {
  const Json document{{"title", "</script><script>alert(1)</script>"}, {"number", 0.1}};
  const std::string page = report_page(kShell, document, some_inputs());
  // Only the shell's own script and the two of the data end: nothing in the data can.
  std::size_t ends = 0;
  for (std::size_t at = 0; (at = page.find("</script>", at)) != std::string::npos; ++at) ++ends;
  EXPECT_EQ(ends, 3U);
  const ReportFile file = read_report_page(page, "r.html");
  EXPECT_EQ(file.shell, kShell);
  EXPECT_EQ(file.document, document);
  EXPECT_EQ(file.text, document_text(document));
  EXPECT_EQ(to_json(file.inputs), to_json(some_inputs()));
}

TEST(ReportPage, WhatIsNoneIsRefused) {
  expect_error([] { read_report_page("<html></html>", "r.html"); }, Code::bad_input,
               {"'r.html'", "is no report"});
  EXPECT_THROW(report_page("<html></html>", Json::object(), some_inputs()), std::logic_error);
}

TEST(ReportPage, CutOffAnywhereInItsDataIsDamage) {
  const std::string page = report_page(kShell, Json{{"number", 1}}, some_inputs());
  const std::size_t records = page.find("id=\"records\"");
  for (const std::size_t length : {page.find("\"number\""), records - 10, records + 40})
    expect_error([&] { read_report_page(page.substr(0, length), "r.html"); },
                 length < records - 20 ? Code::fault
                 : length < records    ? Code::bad_input
                                       : Code::fault,
                 {"'r.html'"});
}

TEST(ReportPage, AnyChangedLetterOfTheRecordsIsSeen) {
  const std::string page = report_page(kShell, Json{{"number", 1}}, some_inputs());
  const std::size_t begin = page.find('"', page.find("id=\"records\"") + 12) + 1, end = page.find('"', begin);
  ASSERT_LT(begin, end);
  for (std::size_t at = begin; at < end; ++at) {
    std::string changed = page;
    changed[at] = changed[at] == 'A' ? 'B' : 'A';
    bool seen = false;
    try {
      seen = to_json(read_report_page(changed, "r.html").inputs) != to_json(some_inputs());
    } catch (const Error& error) {
      seen = error.code == Code::fault;
    }
    EXPECT_TRUE(seen) << at - begin << " of " << end - begin;
  }
}

TEST(ReportPacking, ComesBack) {
  for (const std::size_t length : {0U, 1U, 2U, 3U, 1000U, 3000000U}) {
    std::string text;
    for (std::size_t i = 0; i < length; ++i) text += static_cast<char>(i * i % 251);
    EXPECT_EQ(unpacked(packed(text)), text) << length;
  }
  for (const char* text : {"", "A", "AAAA", "not base64!", "H4sIAAAA"})
    EXPECT_THROW(unpacked(text), std::runtime_error) << text;
}

}  // namespace
}  // namespace tilewright
