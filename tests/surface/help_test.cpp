// SPDX-License-Identifier: MIT
//
// The program says what it is and how it is used, with examples, on standard output and with status 0.
#include <regex>

#include "tests/surface/command.h"

namespace tilewright {
namespace {

class SurfaceHelp : public Command {};

const Arguments kSubcommands{"multiply", "ladder",  "check",   "trace",  "model", "profile",
                             "bench",    "explain", "explore", "report", "tune"};

TEST_F(SurfaceHelp, OfTheProgramNamesItsSubcommandsAndStatuses) {
  const ProcessResult result = tilewright({"--help"});
  EXPECT_EQ(result.exit_status, 0);
  EXPECT_EQ(result.err, "");
  for (const std::string& name : kSubcommands)
    EXPECT_NE(result.out.find("\n  " + name + " "), std::string::npos);
  EXPECT_NE(result.out.find("Exit status: 0 all well; 1 "), std::string::npos) << result.out;
}

TEST_F(SurfaceHelp, OfEverySubcommandHasExamples) {
  for (const std::string& name : kSubcommands) {
    const ProcessResult result = tilewright({name, "--help"});
    EXPECT_EQ(result.exit_status, 0) << name;
    EXPECT_EQ(result.err, "") << name;
    EXPECT_NE(result.out.find("Examples:\n  tilewright " + name), std::string::npos) << result.out;
    EXPECT_NE(result.out.find("--json"), std::string::npos) << name;
    EXPECT_EQ(tilewright({name, "-h"}).out, result.out) << name;
  }
}

TEST_F(SurfaceHelp, ExamplesUseOptionsThatExist) {
  for (const std::string& name : kSubcommands) {
    const std::string text = tilewright({name, "--help"}).out;
    const std::size_t examples = text.find("Examples:");
    ASSERT_NE(examples, std::string::npos) << name;
    const std::string options = text.substr(0, examples), lines = text.substr(examples);
    const std::regex option("--[a-z-]+");
    for (std::sregex_iterator at(lines.begin(), lines.end(), option), end; at != end; ++at)
      EXPECT_NE(options.find(at->str()), std::string::npos) << name << ": " << at->str();
  }
}

TEST_F(SurfaceHelp, VersionIsOneLine) {
  const ProcessResult result = tilewright({"--version"});
  EXPECT_EQ(result.exit_status, 0);
  EXPECT_TRUE(
      std::regex_match(result.out, std::regex("tilewright [0-9]+\\.[0-9]+\\.[0-9]+ \\([0-9a-z]+\\)\n")))
      << result.out;
}

TEST_F(SurfaceHelp, TheLadderListsEveryRung) {
  const ProcessResult table = tilewright({"ladder"});
  const ProcessResult result = tilewright({"ladder", "--json"});
  EXPECT_EQ(table.exit_status, 0);
  EXPECT_EQ(result.exit_status, 0);
  EXPECT_EQ(result.err, "");
  const SurfaceJson json = object_of(result.out);
  EXPECT_EQ(json.value("schema", 0), 1);
  ASSERT_TRUE(json.contains("rungs"));
  std::vector<std::string> names;
  for (const SurfaceJson& rung : json["rungs"]) {
    names.push_back(rung.at("name"));
    EXPECT_NE(table.out.find("  " + names.back() + " "), std::string::npos);
    EXPECT_EQ(rung.at("tile").size(), 3U);
    EXPECT_EQ(rung.at("block").size(), 2U);
    EXPECT_EQ(rung.at("threads"), rung["block"][0].get<int>() * rung["block"][1].get<int>());
    EXPECT_EQ(rung.at("shapes").at("largest"), 4096);
    EXPECT_TRUE(rung.at("grid") == "a block a tile" || rung.at("grid") == "its own") << rung;
    EXPECT_TRUE(rung.at("grid") == "its own" || rung.at("scratch") == false) << rung;
    EXPECT_EQ(rung.at("deterministic"), names.back() != "split_k_atomic") << rung;
    EXPECT_FALSE(rung.at("idea").get<std::string>().empty());
    EXPECT_TRUE(std::filesystem::exists(TILEWRIGHT_SOURCE_DIR "/" + rung.at("source").get<std::string>()));
  }
  for (const char* name : {"direct_rows", "direct", "shared_tile_8", "shared_tile_16", "shared_tile_32"})
    EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name;
}

TEST_F(SurfaceHelp, SharedTilesDeclareEightBytesTimesTSquared) {
  const SurfaceJson json = object_of(tilewright({"ladder", "--json"}).out);
  int seen = 0;
  for (const SurfaceJson& rung : json.at("rungs"))
    for (const int T : {8, 16, 32})
      if (rung.at("name") == "shared_tile_" + std::to_string(T)) {
        ++seen;
        EXPECT_EQ(rung.at("static_shared_bytes"), 8 * T * T);
        EXPECT_EQ(rung.at("block"), (SurfaceJson{T, T}));
      }
  EXPECT_EQ(seen, 3);
}

}  // namespace
}  // namespace tilewright
