// SPDX-License-Identifier: MIT
//
// docs/ladder.md is what the records and the rungs' pages make, and has every rung.
#include "bench/ladder_sources.h"
#include "tests/surface/command.h"

namespace tilewright {
namespace {

LadderSources sources_here() {
  return read_ladder_sources(TILEWRIGHT_SOURCE_DIR, TILEWRIGHT_LIB_DIR, "results/h200");
}

TEST(Ladder, ThePageIsWhatTheRecordsMake) {
  EXPECT_EQ(whole_file(TILEWRIGHT_SOURCE_DIR "/docs/ladder.md"), ladder_page(sources_here()))
      << "run ./dev docs";
}

TEST(Ladder, EveryRungFileIsAStepInOrder) {
  std::set<std::string> pages;
  for (const char* folder : {"kernels/fp32", "kernels/fp32/candidates"})
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(TILEWRIGHT_SOURCE_DIR "/") + folder))
      if (entry.path().extension() == ".cu")
        pages.insert(std::string(folder) + "/" + entry.path().stem().string() + ".md");
  std::set<std::string> steps;
  std::string last;
  for (const LadderStep& step : sources_here().steps) {
    steps.insert(step.page);
    const std::string file = step.page.substr(step.page.rfind('/') + 1);
    EXPECT_LT(last, file);
    last = file;
  }
  EXPECT_EQ(steps, pages);
}

TEST(Ladder, SourcesThatCannotBeReadAreRefused) {
  const TemporaryFolder folder;
  EXPECT_THROW(read_ladder_sources(folder.file(""), TILEWRIGHT_LIB_DIR, "results/h200"), Error);
}

}  // namespace
}  // namespace tilewright
