// SPDX-License-Identifier: MIT
//
// tilewright explore: the page is written whole, is what the program holds, and says why where there is none.
#include "cli/explore.h"

#include "tests/surface/command.h"
#include "tests/unit/error_of.h"

namespace tilewright {
namespace {

class SurfaceExplore : public Command {
 protected:
  static bool has_page() { return !explorer_page().pieces.empty(); }
};

TEST_F(SurfaceExplore, WritesThePage) {
  if (!has_page()) GTEST_SKIP() << explorer_page().absent;
  const ProcessResult result = tilewright({"explore", "-o", path("page.html")});
  EXPECT_EQ(result.exit_status, 0) << result.err;
  EXPECT_EQ(result.out, path("page.html") + ": open this file in a browser\n");
  const std::string page = whole_file(path("page.html"));
  EXPECT_EQ(page, whole_page(explorer_page(), "explorer"));
  EXPECT_EQ(page.rfind("<!doctype html>", 0), 0U);
  EXPECT_NE(page.find("Content-Security-Policy\" content=\"default-src 'none'"), std::string::npos);
  EXPECT_LE(page.size(), 150U * 1024);
}

TEST_F(SurfaceExplore, AnswersInJson) {
  if (!has_page()) GTEST_SKIP() << explorer_page().absent;
  const ProcessResult result = tilewright({"explore", "-o", path("page.html"), "--json"});
  EXPECT_EQ(result.exit_status, 0) << result.err;
  const SurfaceJson json = object_of(result.out);
  EXPECT_EQ(json.at("schema"), 1);
  EXPECT_EQ(json.at("file"), path("page.html"));
  EXPECT_EQ(json.at("bytes"), whole_file(path("page.html")).size());
  EXPECT_EQ(json.at("opened"), false);
}

TEST_F(SurfaceExplore, RefusesWhereItCannotWrite) {
  if (!has_page()) GTEST_SKIP() << explorer_page().absent;
  expect_refused({"explore", "-o", path("no/such/folder/page.html")}, {"page.html", "cannot be written"});
  expect_refused_as_json({"explore", "-o", path("no/such/folder/page.html")});
}

TEST_F(SurfaceExplore, SaysWhyThereIsNone) {
  expect_error([] { whole_page({.pieces = {}, .absent = "Node was not found"}, "explorer"); },
               Code::unavailable, {"no page: Node was not found"});
  constexpr std::string_view pieces[] = {"a", "b"};
  EXPECT_EQ(whole_page({.pieces = pieces, .absent = {}}, "explorer"), "ab");
}

}  // namespace
}  // namespace tilewright
