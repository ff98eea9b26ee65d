// SPDX-License-Identifier: MIT
//
// `auto` in the bench: it keeps its name, says which rung it stands for and why, and is launched as that rung.
#include <gtest/gtest.h>

#include "bench/run_bench.h"
#include "tests/unit/bench_fake.h"
#include "tests/unit/tuned_fixture.h"

namespace tilewright {
namespace {

std::unique_ptr<Contender> by_name(const std::string& name, FakeStand& stand) {
  if (name == "quads") throw Error(Code::unsupported, "quads", "", "asks for too much shared memory");
  return std::make_unique<NoisyContender>(name, stand, name == "large_tile" ? 200 : 300);
}

BenchResult run_auto(const std::vector<Rung>& available, std::vector<Shape> shapes) {
  FakeDevice device;
  device.make = by_name;
  BenchRequest request;
  request.kernels = {auto_kernel()};
  request.shapes = std::move(shapes);
  request.plan.seconds = 0.2;
  const Chooser chooser(available, {paper_table()}, {{"gpu", "Paper GPU"}, {"multiprocessors", "100"}});
  request.choose = [&](Shape shape, const Refusal& refusal) { return chooser.choose(shape, refusal); };
  return run_bench(device, request, {});
}

TEST(BenchAuto, RecordsKeepTheNameAndSayWhatWasChosen) {
  const BenchResult result = run_auto(paper_rungs(), {{4096, 4096, 4096}, {1, 4096, 4096}});
  ASSERT_EQ(result.records.size(), 3U);
  const Json& large = result.records[1];
  EXPECT_EQ(large["kernel"], "auto");
  EXPECT_EQ(large["role"], "rung");
  EXPECT_EQ(large["verdict"], "REJECTED(above the measured ceiling)") << "paper does not multiply so fast";
  EXPECT_EQ(large["description"]["choice"]["rung"], "large_tile");
  EXPECT_EQ(large["description"]["choice"]["reason"],
            "the fastest on Paper GPU at 4096x4096x4096 (this shape)");
  const Json& row = result.records[2];
  EXPECT_EQ(row["kernel"], "auto");
  EXPECT_EQ(row["verdict"], "PASS");
  EXPECT_EQ(row["description"]["choice"]["rung"], "few_rows");
  EXPECT_NEAR(row["summary_us"]["median"].get<double>(), 300, 3);
}

TEST(BenchAuto, WhatTheStandRefusesGivesWay) {
  const BenchResult result = run_auto(paper_rungs(), {{4096, 4096, 64}});
  const Json choice = result.records[1]["description"]["choice"];
  EXPECT_EQ(choice["rung"], "large_tile");
  EXPECT_NE(choice["reason"].get<std::string>().find("not quads: asks for too much shared memory"),
            std::string::npos);
}

TEST(BenchAuto, WithNothingToLaunchTheCellIsUnsupported) {
  const BenchResult result = run_auto({paper_rungs().back()}, {{64, 64, 64}});
  EXPECT_EQ(result.records[1]["kernel"], "auto");
  EXPECT_EQ(result.records[1]["verdict"].get<std::string>().rfind("UNSUPPORTED(", 0), 0U);
  EXPECT_EQ(result.measured, 0U);
}

}  // namespace
}  // namespace tilewright
