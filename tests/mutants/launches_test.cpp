// SPDX-License-Identifier: MIT
//
// What a wrong kernel leaves behind: nothing. After each way of ending one early, the next launch on the same
// device is clean and counts right. And what the largest block costs in memory.
#include <gtest/gtest.h>

#include <fstream>

#include "device/emulator_device.h"
#include "judge/inputs.h"
#include "judge/outcome.h"

namespace tilewright {
namespace {

Outcome run(EmulatorDevice& device, const Rung& rung, Shape shape) {
  const Operands in = make_inputs(find_family("uniform"), shape, 1);
  return run_and_judge(device, rung, in.A, in.B, make_reference(in.A, in.B, false));
}

// Each of these has one block, so that no other block of the same launch comes after the one that is stopped.
TEST(Launches, AreCleanAfterOneThatWasStopped) {
  constexpr Shape ragged{15, 13, 23}, full{16, 16, 23};
  const std::pair<const char*, Shape> stopped[] = {
      {"wild_write", ragged},         {"division_by_zero", ragged},
      {"endless_loop", ragged},       {"endless_loop_with_loads", ragged},
      {"shared_out_of_bounds", full}, {"early_return", ragged},
      {"two_barriers", ragged},       {"same_half_word", ragged}};
  Catalog catalog;
  catalog.load_folder(TILEWRIGHT_LIB_DIR "/rungs");
  catalog.load_folder(TILEWRIGHT_LIB_DIR "/mutants");
  EmulatorDevice device(catalog, {.workers = 1});
  for (const auto& [name, shape] : stopped) {
    EXPECT_EQ(run(device, catalog.find(name), shape).verdict.kind, Verdict::Kind::fail) << name;
    const Outcome after = run(device, catalog.find("shared_tile_16"), {17, 19, 23});
    EXPECT_EQ(after.verdict.text(), "PASS") << "after " << name;
    EXPECT_EQ(after.product.findings_total, 0) << "after " << name;
    EXPECT_EQ(after.product.counts->shared_reads.elements, 65536) << "after " << name;
  }
}

// Stopped in the middle of a phase, a block leaves threads suspended at a barrier; none of them may go on in
// a later launch. A budget of 600 ends after about a third of the first block's threads have come to one.
TEST(Launches, AreCleanAfterABlockStoppedAtABarrier) {
  Catalog catalog;
  catalog.load_folder(TILEWRIGHT_LIB_DIR "/rungs");
  EmulatorDevice device(catalog, {.thread_order = Order::reversed, .max_accesses = 600});
  const Rung& rung = catalog.find("shared_tile_16");
  for (int i = 0; i < 200; ++i) {
    const Outcome stopped = run(device, rung, {17, 19, 23});
    ASSERT_EQ(stopped.verdict.text(), "FAIL(access_limit)");
    ASSERT_NE(stopped.product.findings.front().message.find("--max-accesses"), std::string::npos);
  }
  device.settings().max_accesses = 0;
  EXPECT_EQ(run(device, rung, {17, 19, 23}).verdict.text(), "PASS");
}

// "VmHWM:    1234 kB" of /proc/self/status, in bytes.
std::int64_t status_bytes(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind(key + ":", 0) == 0) return std::stoll(line.substr(key.size() + 1)) * 1024;
  return -1;
}

TEST(Launches, OfTheLargestBlockStayUnder512MiB) {
  Catalog catalog;
  catalog.load_folder(TILEWRIGHT_LIB_DIR "/rungs");
  const Rung& rung = catalog.find("shared_tile_32");
  ASSERT_EQ(rung.block.x * rung.block.y, 1024);
  std::ofstream("/proc/self/clear_refs") << "5";  // the peak starts again from here
  const std::int64_t before = status_bytes("VmRSS");
  ASSERT_GT(before, 0);
  EmulatorDevice device(catalog);
  EXPECT_EQ(run(device, rung, {64, 64, 64}).verdict.text(), "PASS");
  const std::int64_t growth = status_bytes("VmHWM") - before;
  EXPECT_LT(growth, 512LL << 20);
  // 1024 threads cannot have run on less than a page of stack each: the measurement sees something.
  EXPECT_GE(growth, 1024 * 4096);
  RecordProperty("growth_bytes", std::to_string(growth));
}

}  // namespace
}  // namespace tilewright
