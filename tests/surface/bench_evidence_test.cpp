// SPDX-License-Identifier: MIT
//
// bench_evidence.sh with a script in the place of the program: what it measures, into which files, and how it ends.
#include "device/gpu_device.h"
#include "tests/surface/command.h"

namespace tilewright {
namespace {

class BenchEvidence : public Command {
 protected:
  // A folder as `./dev gpu` makes it, with a program that has two rungs, notes what it is asked, writes what it was asked
  // to the file after --out, and then runs `body`, which knows $out and $n, how often it was asked to measure.
  void bundle(const std::string& body = "", const std::string& program = "tilewright") const {
    executable(whole_file(TILEWRIGHT_SOURCE_DIR "/bench/bench_evidence.sh"), "bench_evidence.sh");
    executable(
        "#!/bin/sh\n"
        "if [ \"$1\" = ladder ]; then printf '  \"name\": \"%s\",\\n' one two; exit; fi\n"
        "echo \"$*\" >>'" +
            path("asked") + "'\nn=$(wc -l <'" + path("asked") +
            "')\n"
            "for word; do out=$word; done; echo \"$*\" >\"$out\"\n" +
            body + "\n",
        "bin/" + program);
  }
  ProcessResult run(const Arguments& environment = {}) const {
    Arguments arguments{"env"};
    arguments.insert(arguments.end(), environment.begin(), environment.end());
    arguments.insert(arguments.end(), {"bash", path("bench_evidence.sh"), path("out")});
    return run_process(arguments);
  }
  std::set<std::string> written() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path("out")))
      names.insert(entry.path().filename().string());
    return names;
  }
  std::string asked() const { return whole_file(path("asked")); }

 private:
  void executable(const std::string& text, const std::string& name) const {
    put(text, name);
    std::filesystem::permissions(path(name), std::filesystem::perms::owner_all);
  }
};

TEST_F(BenchEvidence, MeasuresControlLadderAndTheKernelThatChooses) {
  bundle();
  const ProcessResult result = run();
  EXPECT_EQ(result.exit_status, 0) << result.err;
  EXPECT_EQ(
      written(),
      (std::set<std::string>{
          "bench_control_boost.jsonl", "bench_control_sustained.jsonl", "bench_control_gate.jsonl",
          "bench_ladder_512.jsonl", "bench_ladder_1024.jsonl", "bench_ladder_2048.jsonl",
          "bench_ladder_4096.jsonl", "bench_ladder_8192.jsonl", "bench_auto_warm_square.jsonl",
          "bench_auto_warm_odd.jsonl", "bench_auto_warm_skinny.jsonl", "bench_auto_warm_llm.jsonl",
          "bench_auto_rotate_square.jsonl", "bench_auto_rotate_odd.jsonl", "bench_auto_rotate_skinny.jsonl",
          "bench_auto_rotate_llm.jsonl", "bench_cold.jsonl", "bench_end_to_end.jsonl"}));
  for (const char* part :
       {"bench two auto --shapes 512x512x512,1024x1024x1024,2048x2048x2048 --control aa",
        "bench --shapes 8192x8192x8192 --seconds", "bench auto --shapes llm --cache warm --seconds",
        "bench auto --shapes odd --cache rotate"})
    EXPECT_NE(asked().find(part), std::string::npos) << part << "\nin\n" << asked();
}

// What it names must be there: the sets of shapes, and options that the program takes.
TEST_F(BenchEvidence, AsksOnlyForWhatTheProgramTakes) {
  if (gpu_unavailable().empty()) GTEST_SKIP() << "with a GPU the program would measure";
  bundle();
  run({"RUNGS=direct", "KERNEL=direct"});
  std::istringstream lines(asked());
  for (std::string line; std::getline(lines, line);) {
    if (line.find("--gate") != std::string::npos) continue;
    Arguments words;
    std::istringstream stream(line);
    for (std::string word; stream >> word;) words.push_back(word);
    words.back() = path("record.jsonl");
    const ProcessResult result = tilewright(words);
    EXPECT_NE(result.exit_status, 2) << line << "\n" << result.err;
  }
}

TEST_F(BenchEvidence, MeasuresThePartsAndRungsThatAreAskedFor) {
  bundle();
  EXPECT_EQ(run({"PARTS=ladder", "RUNGS=two one"}).exit_status, 0);
  EXPECT_EQ(written().size(), 5U);
  EXPECT_EQ(asked().rfind("bench two one --shapes 512x512x512 ", 0), 0U) << asked();
  EXPECT_EQ(run({"PARTS=lader"}).exit_status, 2);
}

TEST_F(BenchEvidence, AnotherProgramsFilesAreNamedApartAndNothingChooses) {
  bundle("", "tilewright-candidates");
  EXPECT_EQ(run({"PROGRAM=bin/tilewright-candidates"}).exit_status, 0);
  EXPECT_EQ(written(), (std::set<std::string>{
                           "bench_candidates_control_boost.jsonl", "bench_candidates_control_sustained.jsonl",
                           "bench_candidates_control_gate.jsonl", "bench_candidates_ladder_512.jsonl",
                           "bench_candidates_ladder_1024.jsonl", "bench_candidates_ladder_2048.jsonl",
                           "bench_candidates_ladder_4096.jsonl", "bench_candidates_ladder_8192.jsonl"}));
  EXPECT_EQ(asked().find("auto"), std::string::npos);
}

TEST_F(BenchEvidence, GoesOnAfterAFailureAndEndsWithTheWorst) {
  bundle("[ $n -ne 2 ] || exit 1\n[ $n -ne 4 ] || exit 3");
  EXPECT_EQ(run().exit_status, 3);
  EXPECT_EQ(written().size(), 18U);
}

TEST_F(BenchEvidence, WithoutAGpuItStops) {
  bundle("rm \"$out\"; exit 3");
  EXPECT_EQ(run().exit_status, 3);
  EXPECT_TRUE(written().empty());
  EXPECT_EQ(asked().find('\n'), asked().size() - 1) << "one attempt";
}

}  // namespace
}  // namespace tilewright
