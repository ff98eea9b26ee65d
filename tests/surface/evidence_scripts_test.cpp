// SPDX-License-Identifier: MIT
//
// agreement.sh and profile_evidence.sh, with a script in the place of the program: what is measured, that a record is in
// the file as soon as it is made, and that a run without counters leaves the file alone.
#include <algorithm>

#include "tests/surface/command.h"

namespace tilewright {
namespace {

class EvidenceScripts : public Command {
 protected:
  // A folder as `./dev gpu` makes it, with a program that has two rungs, notes what it is asked and then runs `body`,
  // which knows $rung, $shape, $out and $n, how often it was asked to profile.
  void bundle(const std::string& body, const std::string& program = "tilewright") const {
    for (const char* script : {"agreement.sh", "profile_evidence.sh", "profile_records.sh"})
      executable(whole_file(std::string(TILEWRIGHT_SOURCE_DIR "/bench/") + script), script);
    executable(
        "#!/bin/sh\n"
        "if [ \"$1\" = ladder ]; then printf '  \"name\": \"%s\",\\n' one two; exit; fi\n"
        "echo \"$0 $*\" >>'" +
            path("asked") + "'\nn=$(wc -l <'" + path("asked") +
            "')\n"
            "rung=$2; shape=$4; while [ \"$1\" != --out ]; do shift; done; out=$2\n" +
            body + "\n",
        "bin/" + program);
  }
  ProcessResult run(const std::string& script, const std::vector<std::string>& environment = {}) const {
    Arguments arguments{"env"};
    arguments.insert(arguments.end(), environment.begin(), environment.end());
    arguments.insert(arguments.end(), {"bash", path(script), path("out")});
    return run_process(arguments);
  }
  std::string records(const std::string& file) const { return whole_file(path("out/" + file)); }

 private:
  void executable(const std::string& text, const std::string& name) const {
    put(text, name);
    std::filesystem::permissions(path(name), std::filesystem::perms::owner_all);
  }
};

const std::string kWrites = "echo \"$rung $shape\" >\"$out\"\n";

TEST_F(EvidenceScripts, MeasureEveryRung) {
  bundle(kWrites);
  EXPECT_EQ(run("agreement.sh").exit_status, 0);
  EXPECT_EQ(records("agreement.jsonl"),
            "one 128x128x128\none 256x256x256\none 131x257x67\n"
            "two 128x128x128\ntwo 256x256x256\ntwo 131x257x67\nshared_tile_32 1024x1024x1024\n");
  EXPECT_EQ(run("profile_evidence.sh").exit_status, 0);
  EXPECT_EQ(records("profiles.jsonl"), "one 4096x4096x4096\ntwo 4096x4096x4096\n");
  EXPECT_NE(whole_file(path("asked")).find("profile two --shape 4096x4096x4096 --blocks sample"),
            std::string::npos);
}

TEST_F(EvidenceScripts, MeasureTheRungsOfTheProgramThatIsAskedFor) {
  bundle(kWrites, "other");
  EXPECT_EQ(run("agreement.sh", {"PROGRAM=bin/other"}).exit_status, 0);
  EXPECT_EQ(records("agreement.jsonl").find("shared_tile_32"), std::string::npos);
  EXPECT_EQ(run("profile_evidence.sh", {"PROGRAM=bin/other", "RUNGS=two", "BLOCKS=none"}).exit_status, 0);
  EXPECT_EQ(records("profiles.jsonl"), "two 4096x4096x4096\n");
  EXPECT_NE(whole_file(path("asked")).find("--blocks none"), std::string::npos);
}

TEST_F(EvidenceScripts, GoOnAfterADisagreementAndEndWithIt) {
  bundle(kWrites + "[ $n -ne 2 ] || exit 1");
  EXPECT_EQ(run("agreement.sh").exit_status, 1);
  const std::string text = records("agreement.jsonl");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 7);
}

TEST_F(EvidenceScripts, GoOnWhereOneRungHasNoCounters) {
  bundle("[ $n -ne 2 ] || exit 3\n" + kWrites);
  EXPECT_EQ(run("profile_evidence.sh", {"RUNGS=one two three"}).exit_status, 3);
  EXPECT_EQ(records("profiles.jsonl"), "one 4096x4096x4096\nthree 4096x4096x4096\n");
}

TEST_F(EvidenceScripts, KeepWhatTheyHaveWhenStopped) {
  bundle("[ $n -ne 3 ] || { kill -KILL $PPID; exit 1; }\n" + kWrites);
  EXPECT_NE(run("agreement.sh").exit_status, 0);
  EXPECT_EQ(records("agreement.jsonl"), "one 128x128x128\none 256x256x256\n");
}

TEST_F(EvidenceScripts, LeaveNoFileWithoutCountersAndKeepAnEarlierOne) {
  bundle("exit 3");
  for (const std::string script : {"agreement.sh", "profile_evidence.sh"}) {
    const std::string file = script == "agreement.sh" ? "agreement.jsonl" : "profiles.jsonl";
    EXPECT_EQ(run(script).exit_status, 3);
    EXPECT_FALSE(std::filesystem::exists(path("out/" + file)));
    put("earlier\n", "out/" + file);
    EXPECT_EQ(run(script).exit_status, 3);
    EXPECT_EQ(records(file), "earlier\n");
  }
}

TEST_F(EvidenceScripts, TheFirstRecordTakesThePlaceOfAnEarlierRun) {
  bundle(kWrites);
  put("earlier\n", "out/profiles.jsonl");
  run("profile_evidence.sh");
  EXPECT_EQ(records("profiles.jsonl"), "one 4096x4096x4096\ntwo 4096x4096x4096\n");
}

}  // namespace
}  // namespace tilewright
