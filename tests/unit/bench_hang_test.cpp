// SPDX-License-Identifier: MIT
//
// A contender that never returns: it must be named and the process ended, with what was measured before in the file; an
// honest one under the same limit must not be.
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>

#include "bench/run_bench.h"
#include "bench/watchdog.h"
#include "cli/app.h"
#include "cli/record_file.h"
#include "core/process.h"
#include "tests/unit/bench_fake.h"

namespace tilewright {
namespace {

// Waits for what does not come, as a host waits for a kernel that never ends.
class Hangs : public FakeContender {
 public:
  Hangs(std::string name, FakeStand& stand, const std::atomic<bool>& released)
      : FakeContender(std::move(name), stand, 100), released_(released) {}
  void launch(const Buffers& buffers) override {
    while (!released_) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    FakeContender::launch(buffers);
  }

 private:
  const std::atomic<bool>& released_;
};

class BenchHang : public testing::Test {
 protected:
  BenchHang() {
    device_.make = [this](const std::string& name, FakeStand& stand) -> std::unique_ptr<Contender> {
      if (name == "hangs") return std::make_unique<Hangs>(name, stand, released_);
      return std::make_unique<FakeContender>(name, stand, 100);
    };
    request_.shapes = {{64, 64, 64}};
    request_.plan.seconds = 0.5;
    request_.hang_limit_seconds = 0.2;
  }

  FakeDevice device_;
  BenchRequest request_;
  std::atomic<bool> released_ = false;
};

TEST_F(BenchHang, IsNamedOnce) {
  request_.kernels = {rung_named("good"), rung_named("hangs")};
  std::vector<std::string> messages;
  std::vector<Json> kept;
  BenchListener listener;
  listener.keep = [&](const Json& record) { kept.push_back(record); };
  listener.abandon = [&](const std::string& message) {
    messages.push_back(message);
    EXPECT_EQ(kept.size(), 3U)
        << "the run, the good rung's timing and the verdict on the other are known by now";
    EXPECT_EQ(kept.back()["kernel"], "hangs");
    EXPECT_EQ(kept.back()["verdict"], "FAIL(hang)");
    released_ = true;  // in place of the end of the process
  };
  run_bench(device_, request_, listener);
  EXPECT_EQ(messages, std::vector<std::string>{"hangs at 64x64x64: FAIL(hang): no answer for 0.2 s"});
}

TEST_F(BenchHang, IsNotFoundInAnHonestRun) {
  request_.kernels = {rung_named("good")};
  BenchListener listener;
  listener.abandon = [](const std::string& message) { ADD_FAILURE() << message; };
  EXPECT_FALSE(run_bench(device_, request_, listener).failed);
  // Longer than the limit in all, but each step shorter.
  int found = 0;
  Watchdog watchdog(0.2, [&](const std::string&) { ++found; });
  for (int i = 0; i < 10; ++i) {
    const WatchedStep step(watchdog, "short");
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
  }
  EXPECT_EQ(found, 0);
}

using BenchHangDeathTest = BenchHang;

TEST_F(BenchHangDeathTest, EndsTheProcessWithTheRecordsWritten) {
  const TemporaryFolder folder;
  const std::string path = folder.file("bench.jsonl");
  request_.kernels = {rung_named("good"), rung_named("hangs")};
  EXPECT_EXIT(
      {
        RecordFile file(path);
        BenchListener listener;
        listener.keep = [&](const Json& record) { file.add(record); };
        listener.abandon = [&](const std::string& message) {
          file.finish();
          leave_with(Error(Code::fault, "bench", "gpu", message), false);
        };
        run_bench(device_, request_, listener);
      },
      testing::ExitedWithCode(exit_verdict), "tilewright: bench 'gpu': hangs at 64x64x64: FAIL.hang.");
  std::ifstream stream(path);
  std::vector<Json> records;
  for (std::string line; std::getline(stream, line);) records.push_back(Json::parse(line));
  ASSERT_EQ(records.size(), 3U);
  EXPECT_EQ(records[1]["verdict"], "PASS");
  EXPECT_EQ(records[2]["verdict"], "FAIL(hang)");
}

}  // namespace
}  // namespace tilewright
