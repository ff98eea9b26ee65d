// SPDX-License-Identifier: MIT
//
// Keys of a record are taken as they are or refused by file, line and key.
#include <gtest/gtest.h>

#include "report/fields.h"
#include "tests/unit/error_of.h"

namespace tilewright {
namespace {

const Json kRecord =
    Json::parse(R"({"word": "w", "yes": true, "three": 3, "half": 0.5, "none": null, "less": -1,
  "list": [1, 2.5], "mixed": [1, "x"], "holes": [1, null], "shape": [1, 2, 3], "flat": [1, 2], "zero": [1, 0, 1],
  "words": ["a", "b"], "inner": {"deep": "d", "bad": 1}, "objects": [{"a": "x"}, {"a": 2}], "empty": [], "past": [1, 0]})");
const Fields kFields(kRecord, {"f.jsonl", 7});

TEST(ReportFields, AreTakenAsTheyAre) {
  EXPECT_EQ(kFields.text("word"), "w");
  EXPECT_EQ(kFields.text_or("absent", "else"), "else");
  EXPECT_TRUE(kFields.flag("yes"));
  EXPECT_EQ(kFields.count("three"), 3);
  EXPECT_EQ(kFields.number("half"), 0.5);
  EXPECT_EQ(kFields.number("three"), 3.0);
  EXPECT_FALSE(kFields.maybe_number("none"));
  EXPECT_FALSE(kFields.maybe_number("absent"));
  EXPECT_EQ(kFields.numbers("list"), (std::vector<double>{1, 2.5}));
  EXPECT_EQ(kFields.times("list"), (std::vector<double>{1, 2.5}));
  EXPECT_EQ(kFields.shape(), (Shape{1, 2, 3}));
  EXPECT_EQ(kFields.texts("words"), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(kFields.object("inner").text("deep"), "d");
  EXPECT_EQ(kFields.objects("objects").at(0).text("a"), "x");
}

TEST(ReportFields, AreRefusedByName) {
  const auto refused = [](auto take, const std::vector<std::string>& parts) {
    std::vector<std::string> all{"'f.jsonl'", "line 7: "};
    all.insert(all.end(), parts.begin(), parts.end());
    expect_error(take, Code::bad_input, all);
  };
  refused([] { (void)kFields.text("three"); }, {"three must be a text; it is 3"});
  refused([] { (void)kFields.text("absent"); }, {"absent must be there; it is missing"});
  refused([] { (void)kFields.text_or("three", ""); }, {"three must be a text"});
  refused([] { (void)kFields.flag("word"); }, {"word must be true or false; it is \"w\""});
  refused([] { (void)kFields.count("half"); }, {"half must be an integer of at least 0; it is 0.5"});
  refused([] { (void)kFields.count("less"); }, {"less must be an integer of at least 0; it is -1"});
  refused([] { (void)kFields.count("yes"); }, {"yes must be an integer"});
  refused([] { (void)kFields.number("word"); }, {"word must be a finite number"});
  refused([] { (void)kFields.number("none"); }, {"none must be a finite number; it is null"});
  refused([] { (void)kFields.maybe_number("yes"); }, {"yes must be a finite number; it is true"});
  refused([] { (void)kFields.numbers("mixed"); }, {"mixed must be a list of finite numbers"});
  refused([] { (void)kFields.numbers("holes"); }, {"holes must be a list of finite numbers"});
  refused([] { (void)kFields.numbers("word"); }, {"word must be a list"});
  refused([] { (void)kFields.times("past"); }, {"past must be a list of times above 0, and [1] is 0.0"});
  refused([] { (void)kFields.times("empty"); }, {"empty must hold a sample"});
  refused([] { (void)kFields.shape("flat"); },
          {"flat must be [M, N, K], integers of at least 1; it is [1,2]"});
  refused([] { (void)kFields.shape("zero"); }, {"zero must be [M, N, K]"});
  refused([] { (void)kFields.texts("list"); }, {"list must be a list of texts"});
  refused([] { (void)kFields.object("word"); }, {"word must be an object"});
  refused([] { (void)kFields.object("inner").text("bad"); }, {"inner.bad must be a text; it is 1"});
  refused([] { (void)kFields.objects("list"); }, {"list must be a list of objects"});
  refused([] { (void)kFields.objects("objects").at(1).text("a"); }, {"objects[1].a must be a text; it is 2"});
}

}  // namespace
}  // namespace tilewright
