// SPDX-License-Identifier: MIT
//
// Bad usage is refused with status 2 and one line that names the argument, its value and the rule.
#include "device/gpu_device.h"
#include "tests/surface/command.h"

namespace tilewright {
namespace {

class SurfaceUsage : public Command {};

struct BadUsage {
  Arguments arguments;
  std::vector<std::string> parts;  // of the one line
};

Arguments trace_of(const std::string& kernel, Arguments more) {
  more.insert(more.begin(), {"trace", kernel});
  return more;
}

const std::vector<BadUsage> kBadOptions{
    {{"trace"}, {"--shape is required"}},
    {{"trace", "--shape", "3x3x3"}, {"rung"}},
    {{"trace", "direct"}, {"--shape is required"}},
    {{"trace", "direct", "--shape"}, {"--shape"}},
    {trace_of("direct", {"--shape", "17x19"}), {"--shape '17x19'", "MxNxK"}},
    {trace_of("direct", {"--shape", ""}), {"--shape"}},
    {trace_of("direct", {"--shape", "17x19x23x1"}), {"--shape '17x19x23x1'", "at most 3"}},
    {trace_of("direct", {"--shape", "0x1x1"}), {"--shape '0x1x1'", "at least 1"}},
    {trace_of("direct", {"--shape", "+1x1x1"}), {"--shape '+1x1x1'"}},
    {trace_of("direct", {"--shape", "1X1X1"}), {"--shape '1X1X1'"}},
    {trace_of("direct", {"--shape", "1x1x9223372036854775808"}), {"--shape", "64 bits"}},
    {trace_of("direct", {"--shape", "1x4097x1"}), {"N '4097'", "1 to 4096"}},
    {trace_of("direct", {"--shape", "3x3x3", "--inputs", "unifrom"}),
     {"'unifrom'", "did you mean 'uniform'"}},
    {trace_of("direct", {"--shape", "3x3x3", "--order", "up"}), {"--order", "up", "forward"}},
    {trace_of("direct", {"--shape", "3x3x3", "--seed", "x"}), {"--seed", "x"}},
    {trace_of("direct", {"--shape", "3x3x3", "--seed", "1.5"}), {"--seed", "1.5"}},
    {trace_of("direct", {"--shape", "3x3x3", "--max-accesses", "0"}), {"--max-accesses", "0"}},
    {trace_of("direct", {"--shape", "3x3x3", "--max-accesses", "-5"}), {"--max-accesses", "-5"}},
    {trace_of("direct", {"direct_8", "--shape", "3x3x3"}), {"rung"}},
    {trace_of("direct", {"--shape", "3x3x3", "--bogus"}), {"--bogus"}},
    {trace_of("drect", {"--shape", "3x3x3"}),
     {"kernel 'drect'", "did you mean direct?", "tilewright ladder"}},
    {trace_of("shared_tile16", {"--shape", "3x3x3"}), {"'shared_tile16'", "did you mean shared_tile_16?"}},
    {trace_of("", {"--shape", "3x3x3"}), {"kernel"}},
    {trace_of("direct", {"--shape", "3x3x3", "--kernel", "k"}), {"--kernel", "belong to a kernel file"}},
    {trace_of("direct", {"--shape", "3x3x3", "--tile", "4x4"}), {"--tile", "belong to a kernel file"}},
    {{"profile"}, {"rung is required"}},
    {{"profile", "direct"}, {"--shape is required"}},
    {{"profile", "direct", "--shape", "17x19"}, {"--shape '17x19'", "MxNxK"}},
    {{"profile", "direct", "--shape", "3x3x3", "--blocks", "some"}, {"--blocks", "some", "sample"}},
    {{"profile", "direct", "--shape", "1x4097x1"}, {"N '4097'", "1 to 4096"}},
    {{"profile", "shared_tile16", "--shape", "3x3x3"}, {"'shared_tile16'", "did you mean shared_tile_16?"}},
    {{"profile", "direct", "--shape", "3x3x3", "--out", "/no/such/folder/p.jsonl"},
     {"'/no/such/folder/p.jsonl'", "cannot be written"}},
    {{"bench", "drect"}, {"kernel 'drect'", "did you mean direct?"}},
    {{"bench", "direct", "--shapes", "17x19"}, {"--shapes '17x19'", "MxNxK"}},
    {{"bench", "direct", "--shapes", "skiny"}, {"--shapes 'skiny'", "did you mean skinny?"}},
    {{"bench", "direct", "--shapes", "1x1x2147483648"}, {"K '2147483648'", "int"}},
    {{"bench", "direct", "--cache", "hot"}, {"--cache", "hot", "rotate"}},
    {{"bench", "direct", "--mode", "fast"}, {"--mode", "fast", "sustained"}},
    {{"bench", "direct", "--boundary", "host"}, {"--boundary", "host", "end-to-end"}},
    {{"bench", "direct", "--control", "ab"}, {"--control", "ab"}},
    {{"bench", "direct", "--baseline", "mkl"}, {"--baseline", "mkl"}},
    {{"bench", "direct", "--seconds", "0"}, {"--seconds"}},
    {{"bench", "direct", "--seconds", "nan"}, {"--seconds"}},
    {{"bench", "direct", "--gate", "/no/such/run.jsonl"}, {"--gate '/no/such/run.jsonl'"}},
    {{"bench", "direct", "--out", "/no/such/folder/b.jsonl"},
     {"'/no/such/folder/b.jsonl'", "cannot be written"}},
    {{"bench", "auto", "--tuned", "/no/such/table.json"}, {"'/no/such/table.json'", "cannot be read"}},
    {{"explain"}, {"shape is required"}},
    {{"explain", "17x19"}, {"shape '17x19'", "MxNxK"}},
    {{"explain", "1x2147483648x1"}, {"N '2147483648'", "1 to 2147483647"}},
    {{"explain", "3x3x3", "--multiprocessors", "0"}, {"--multiprocessors", "0"}},
    {{"explain", "3x3x3", "--tuned", "/no/such/table.json"}, {"'/no/such/table.json'", "cannot be read"}},
    {{"tune"}, {"--out", "is needed"}},
    {{"tune", "drect", "--out", "/tmp/t.jsonl"}, {"kernel 'drect'", "did you mean direct?"}},
    {{"tune", "auto", "--out", "/tmp/t.jsonl"}, {"kernel 'auto'", "there is no such rung"}},
    {{"tune", "--shapes", "skiny", "--out", "/tmp/t.jsonl"}, {"did you mean skinny?"}},
    {{"tune", "--seconds", "0", "--out", "/tmp/t.jsonl"}, {"--seconds", "0.005 to 10"}},
    {{"tune", "--out", "/tmp/t.jsonl", "-o", "/tmp/t.json"}, {"-o '/tmp/t.json'", "belongs to --table"}},
    {{"tune", "--table", "/no/such/t.jsonl"}, {"-o", "is needed with --table"}},
    {{"tune", "--table", "/no/such/t.jsonl", "-o", "t.json"}, {"'/no/such/t.jsonl'", "cannot be read"}},
    {{"tune", "direct", "--table", "/no/such/t.jsonl", "-o", "t.json"}, {"runs no trials"}},
    {{"trace", "auto", "--shape", "3x3x3"}, {"kernel 'auto'", "there is no such rung"}},
    {{"ladder", "direct"}, {"direct"}},
    {{"check", "direct", "--shapes", "17x19"}, {"--shapes '17x19'"}},
    {{"check", "direct", "--shapes", "5x5x5,0x1x1"}, {"--shapes '0x1x1'"}},
    {{"check", "direct", "--shapes", "5x5x5;6x6x6"}, {"--shapes '5x5x5;6x6x6'"}},
    {{"check", "direct", "--shapes", ","}, {"--shapes"}},
    {{"check", "direct", "--shapes", "5x5x5", "--inputs", "ones,nothing"},
     {"'nothing'", "Known: zeros, ones"}},
    {{"check", "direct", "--shapes", "5x5x5", "--device", "tpu"}, {"--device", "tpu", "emulator"}},
    {{"check", "direct", "--operands", "/no/such/A.npy", "/no/such/B.npy"}, {"--operands", "/no/such/A.npy"}},
    {{"check", "nothing", "--shapes", "5x5x5"}, {"kernel 'nothing'", "did you mean"}},
    {{"check", "direct", "--shapes", "5x5x5", "--inputs", "uniform", "--out", "/no/such/folder/r.jsonl"},
     {"'/no/such/folder/r.jsonl'", "cannot be written"}},
    {{"check", "direct", "--shapes", "5x5x5", "--sanitizer", "valgrind"}, {"--sanitizer", "valgrind"}},
    {{"multiply"}, {"A is required"}},
    {{"multiply", "A.npy", "B.npy"}, {"--output is required"}},
    {{"multiply", "A.npy", "-o", "C.npy"}, {"B is required"}},
    {{"multiply", "/no/A.npy", "/no/B.npy", "-o", "/no/C.npy"}, {"/no/A.npy", "No such file"}},
    {{"multiply", "A.npy", "B.npy", "C.npy", "-o", "D.npy"}, {"C.npy"}},
};

TEST_F(SurfaceUsage, IsRefusedInOneLine) {
  for (const BadUsage& usage : kBadOptions) expect_refused(usage.arguments, usage.parts);
}

TEST_F(SurfaceUsage, IsRefusedAsOneObject) {
  for (const BadUsage& usage : kBadOptions)
    if (usage.arguments.back() != "--shape") expect_refused_as_json(usage.arguments);
}

TEST_F(SurfaceUsage, WithoutASubcommand) {
  expect_refused({}, {"subcommand is required"});
  expect_refused({"--bogus"}, {});
}

TEST_F(SurfaceUsage, AnUnknownSubcommandIsNamed) { expect_refused({"mutliply", "A.npy"}, {"mutliply"}); }

// What would be reinterpreted is refused: -1 is no seed, and no list of shapes or inputs is no plan.
TEST_F(SurfaceUsage, NegativeSeeds) {
  expect_refused(trace_of("direct", {"--shape", "3x3x3", "--seed", "-1"}), {"--seed", "-1"});
}

TEST_F(SurfaceUsage, EmptyLists) {
  expect_refused({"check", "direct", "--shapes", ""}, {"--shapes"});
  expect_refused({"check", "direct", "--shapes", "5x5x5", "--inputs", ""}, {"--inputs"});
}

// A rung that was asked for is not silently exchanged for the BLAS.
TEST_F(SurfaceUsage, ARungOnTheCpuDevice) {
  expect_refused({"check", "direct", "--shapes", "5x5x5", "--inputs", "uniform", "--device", "cpu"},
                 {"direct", "gpu or emulator"});
}

TEST_F(SurfaceUsage, ArgumentsThatAreNoUtf8) {
  expect_refused({"trace", "caf\xe9", "--shape", "3x3x3"}, {"did you mean"});
  expect_refused_as_json({"trace", "caf\xe9", "--shape", "3x3x3"});
}

TEST_F(SurfaceUsage, TheGpuWhereThereIsNone) {
  if (gpu_unavailable().empty()) GTEST_SKIP() << "there is a GPU";
  const std::string A = put_matrix(Matrix(2, 3), "A.npy"), B = put_matrix(Matrix(3, 2), "B.npy");
  const Arguments check{"check", "direct", "--shapes", "5x5x5", "--inputs", "uniform", "--device", "gpu"};
  const Arguments multiply{"multiply", A, B, "-o", path("C.npy"), "--device", "gpu"};
  for (const Arguments& arguments : {check, multiply}) {
    expect_refused(arguments, {"gpu", gpu_unavailable()}, 3);
    expect_refused_as_json(arguments, 3);
  }
}

// Also where there is a GPU but no ncu, or no right to its counters, in which case the reason is another.
TEST_F(SurfaceUsage, CountersWhereThereAreNone) {
  if (gpu_unavailable().empty()) GTEST_SKIP() << "there is a GPU";
  const Arguments profile{"profile", "direct", "--shape", "5x5x5", "--out", path("profile.jsonl")};
  expect_refused(profile, {"profile 'direct'", "UNAVAILABLE(" + gpu_unavailable() + ")"}, 3);
  expect_refused_as_json(profile, 3);
}

TEST_F(SurfaceUsage, TimesWhereThereIsNoGpu) {
  if (gpu_unavailable().empty()) GTEST_SKIP() << "there is a GPU";
  const Arguments bench{"bench", "direct", "--shapes", "odd,64x64x64", "--out", path("bench.jsonl")};
  const Arguments tune{"tune", "direct", "--shapes", "odd,64x64x64", "--out", path("trials.jsonl")};
  for (const Arguments& arguments : {bench, tune}) {
    expect_refused(arguments, {"bench 'gpu'", "UNAVAILABLE(" + gpu_unavailable() + ")"}, 3);
    expect_refused_as_json(arguments, 3);
  }
}

TEST_F(SurfaceUsage, OutputThatCannotBePrintedIsNoSuccess) {
  for (const std::string command : {"ladder", "ladder --json", "trace direct --shape 3x3x3 --json"})
    EXPECT_NE(run_process({"sh", "-c", kProgram + " " + command + " > /dev/full"}).exit_status, 0) << command;
}

}  // namespace
}  // namespace tilewright
