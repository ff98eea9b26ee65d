// SPDX-License-Identifier: MIT
//
// Tuned tables: what was written is what is read, and no hostile file is believed.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/process.h"
#include "device/catalog.h"
#include "tests/unit/error_of.h"
#include "tests/unit/tuned_fixture.h"

namespace tilewright {
namespace {

using Json = nlohmann::ordered_json;

TunedTable parse(const std::string& text) { return parse_tuned_table(text, "t.json", paper_names()); }
Json good() { return Json::parse(text_of(paper_table())); }
void expect_refused(const Json& json, const std::vector<std::string>& parts) {
  expect_error([&] { parse(json.dump()); }, Code::bad_input, parts);
}
// One value of the second row exchanged.
void expect_row_refused(const char* key, const Json& value, const std::string& rule) {
  Json json = good();
  json["rows"][1][key] = value;
  expect_refused(json, {"t.json row 2", key, rule});
}

TEST(TunedTable, ReadsWhatItWrote) {
  const TunedTable read = parse(text_of(paper_table()));
  EXPECT_EQ(text_of(read), text_of(paper_table()));
  EXPECT_EQ(read.gpu, "Paper GPU");
  EXPECT_EQ(read.multiprocessors, 100);
  ASSERT_EQ(read.rows.size(), 4U);
  EXPECT_EQ(read.rows[0].rung, "few_rows");
  EXPECT_EQ(read.rows[3].shape, (Shape{4097, 4095, 4093}));
  EXPECT_EQ(read.rows[3].runner_up, "");
  TunedTable empty = paper_table();
  empty.rows.clear();
  EXPECT_TRUE(parse(text_of(empty)).rows.empty());
}

TEST(TunedTable, RefusesWhatIsNoTable) {
  for (const char* text : {"", "{", "nonsense", "{\"schema\": 1,}", "\xff\xfe"})
    expect_error([&] { parse(text); }, Code::bad_input, {"t.json", "is not JSON"});
  for (const char* text : {"[]", "null", "1", "{}", "{\"schema\": \"1\"}", "{\"schema\": [1]}"})
    expect_error([&] { parse(text); }, Code::bad_input, {"t.json", "schema 1"});
  expect_error([&] { parse(std::string(200000, '[')); }, Code::bad_input, {"is not JSON"});
  Json newer = good();
  newer["schema"] = 2;
  expect_refused(newer, {"t.json", "is not of schema 1"});
}

TEST(TunedTable, RefusesTheHeadByKey) {
  for (const char* key : {"table", "gpu", "multiprocessors", "driver", "revision", "dirty", "rows"}) {
    Json json = good();
    json.erase(key);
    expect_refused(json, {std::string("t.json ") + key, "is missing"});
    json = good();
    json[key] = nullptr;
    expect_refused(json, {std::string("t.json ") + key, "null", "must be"});
  }
  Json json = good();
  json["rows"] = {{"shape", 1}};
  expect_refused(json, {"t.json rows", "must be an array"});
  json = good();
  json["multiprocessors"] = -132;
  expect_refused(json, {"multiprocessors", "-132", "from 1 to"});
  json = good();
  json["colour"] = "red";
  expect_refused(json, {"t.json colour", "\"red\"", "is no key"});
}

TEST(TunedTable, RefusesARowByKeyValueAndRule) {
  for (const Json& bad : {Json(), Json("4096x4096x64"), Json{4096, 4096}, Json{4096, 4096, 64, 1}})
    expect_row_refused("shape", bad, "must be [M, N, K]");
  for (const Json& bad : {Json{0, 4096, 64}, Json{-4, 4096, 64}, Json{4096.5, 4096, 64}, Json{"1", 4096, 64},
                          Json{2147483648LL, 4096, 64}, Json{18446744073709551615ULL, 4096, 64}})
    expect_row_refused("shape", bad, "from 1 to 2147483647");
  expect_row_refused("aligned", "neither", "must be both at 4096x4096x64");
  expect_row_refused("aligned", true, "must be a string");
  expect_row_refused("rung", "", "not empty");
  expect_row_refused("rung", 7, "must be a string");
  expect_row_refused("rung", "quad", "there is no such rung; the nearest is quads");
  expect_row_refused("runner_up", "larger_tile", "the nearest is large_tile");
  expect_row_refused("runner_up", "quads", "must be another rung");
  expect_row_refused("runner_up", nullptr, "must be null where runner_up_us is");
  for (const Json& bad : {Json(0), Json(-1.5), Json("40"), Json(nullptr), Json(true)})
    expect_row_refused("median_us", bad, "above 0");
  expect_row_refused("runner_up_us", -44, "above 0");
  expect_row_refused("runner_up_us", 39.0, "must not be less than median_us");
  expect_row_refused("note", "hand-made", "is no key");
  Json json = good();
  json["rows"][1].erase("median_us");
  expect_refused(json, {"t.json row 2 median_us", "is missing"});
  json = good();
  json["rows"][2] = Json::array();
  expect_refused(json, {"t.json row 3", "must be an object"});
}

TEST(TunedTable, RefusesAShapeTwice) {
  Json json = good();
  json["rows"].push_back(json["rows"][0]);
  expect_refused(json, {"t.json row 5 shape", "[1,4096,4096]", "stands in a row above"});
}

TEST(TunedTable, TimesThatNoDoubleHolds) {
  std::string text = text_of(paper_table());
  text.replace(text.find("40.0"), 4, "1e999");
  EXPECT_TRUE(error_of([&] { parse(text); }).has_value());
}

TEST(TunedTable, AFolderHoldsOneOfEachGpu) {
  const TemporaryFolder folder;
  EXPECT_TRUE(read_tuned_tables(folder.file("none"), paper_names()).empty());
  std::ofstream(folder.file("a.json")) << text_of(paper_table());
  std::ofstream(folder.file("notes.txt")) << "not a table";
  ASSERT_EQ(read_tuned_tables(folder.file(""), paper_names()).size(), 1U);
  std::ofstream(folder.file("b.json")) << text_of(paper_table());
  expect_error([&] { read_tuned_tables(folder.file(""), paper_names()); }, Code::bad_input,
               {"b.json", "is the second one of Paper GPU"});
  std::ofstream(folder.file("b.json")).close();
  expect_error([&] { read_tuned_tables(folder.file(""), paper_names()); }, Code::bad_input,
               {"b.json", "is empty"});
}

// The tables in the repository name rungs of the ladder, and no other.
TEST(TunedTable, TheCommittedOnesAreValid) {
  Catalog catalog;
  catalog.load_folder(TILEWRIGHT_LIB_DIR "/rungs");
  std::vector<std::string> known;
  for (const Rung& rung : catalog.rungs()) known.emplace_back(rung.name);
  EXPECT_NO_THROW(read_tuned_tables(TILEWRIGHT_SOURCE_DIR "/gemm/tuned", known));
}

}  // namespace
}  // namespace tilewright
