// SPDX-License-Identifier: MIT
//
// A file of records is there when it is whole; what has come before that is beside it, also after an end by force.
#include "cli/record_file.h"

#include <gtest/gtest.h>

#include "core/process.h"

namespace tilewright {
namespace {

const Json kRun{{"record", "run"}}, kCell{{"record", "cell"}, {"kernel", "a"}};

class RecordFiles : public testing::Test {
 protected:
  std::string path() const { return folder_.file("out.jsonl"); }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.file("")))
      names.push_back(entry.path().filename().string());
    return names;
  }
  std::string only_file() const {
    const std::vector<std::string> all = names();
    if (all.size() != 1) return std::to_string(all.size()) + " files";
    std::ifstream stream(folder_.file(all.front()));
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  const TemporaryFolder folder_;
};

TEST_F(RecordFiles, EachRecordIsOnTheDiskAtOnceAndTheFileAtTheEnd) {
  RecordFile file(path());
  file.add(kRun);
  EXPECT_EQ(only_file(), kRun.dump() + "\n");
  file.add(kCell);
  EXPECT_EQ(only_file(), kRun.dump() + "\n" + kCell.dump() + "\n");
  EXPECT_NE(names().front(), "out.jsonl");
  file.finish();
  EXPECT_EQ(names(), std::vector<std::string>{"out.jsonl"});
  EXPECT_EQ(only_file(), kRun.dump() + "\n" + kCell.dump() + "\n");
}

TEST_F(RecordFiles, WhatWasNotFinishedKeepsItsRecords) {
  {
    RecordFile file(path());
    file.add(kRun);
    file.add(kCell);
  }
  EXPECT_EQ(only_file(), kRun.dump() + "\n" + kCell.dump() + "\n");
  EXPECT_EQ(names().front().rfind("out.jsonl.part-", 0), 0U);
}

TEST_F(RecordFiles, AHeadAloneIsNotKept) {
  { RecordFile file(path()); }
  EXPECT_TRUE(names().empty());
  {
    RecordFile file(path());
    file.add(kRun);
  }
  EXPECT_TRUE(names().empty());
}

}  // namespace
}  // namespace tilewright
