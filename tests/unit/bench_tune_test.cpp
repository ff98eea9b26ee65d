// SPDX-License-Identifier: MIT
//
// Tuning on a device made of paper: what is timed is right, what is hopeless is said to be, a run that was cut off goes
// on, and a file of other circumstances is refused.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "bench/tune.h"
#include "core/process.h"
#include "tests/unit/bench_fake.h"
#include "tests/unit/error_of.h"

namespace tilewright {
namespace {

class PaperGpu : public FakeDevice {
 public:
  Environment environment() const override {
    return {{"gpu", "Paper GPU"}, {"multiprocessors", "100"}, {"driver", driver}};
  }
  std::unique_ptr<Stand> set_up(Shape shape, const TimingPlan& plan) override {
    ++stands;
    return FakeDevice::set_up(shape, plan);
  }
  std::string driver = "1.2";
  int stands = 0;
};

// Honest ones with times, and one of each that must not be believed.
std::unique_ptr<Contender> by_name(const std::string& name, FakeStand& stand) {
  if (name == "wrong") return std::make_unique<Writes>(name, stand, 7.0F);
  if (name == "unwritten") return std::make_unique<StopsAfter>(name, stand, 0);
  if (name == "changes") return std::make_unique<ChangesAfter>(name, stand, 20);
  if (name == "refuses") return std::make_unique<Refuses>(name, stand, 1);
  if (name == "faults") return std::make_unique<Faults>(name, stand, 1);
  const double microseconds = name == "best" ? 100 : name == "second" ? 110 : name == "slow" ? 249 : 400;
  return std::make_unique<NoisyContender>(name, stand, microseconds);
}

class Tune : public testing::Test {
 protected:
  Tune() { device_.make = by_name; }

  static TuneRequest request(const std::vector<const char*>& names,
                             std::vector<Shape> shapes = {{256, 256, 256}}) {
    TuneRequest request;
    for (const char* name : names) request.kernels.push_back(rung_named(name));
    request.shapes = std::move(shapes);
    request.origin = {std::string(40, 'a'), false, "2026-01-01T00:00:00Z"};
    return request;
  }
  TuneResult run(const TuneRequest& asked, bool restart = false) {
    TrialFile file(path_, tune_head(asked, device_), restart);
    return tune(device_, asked, file, [](const std::string&) {});
  }
  Json trial_of(const std::string& name) const {
    for (const Json& trial : read_trials(path_).trials)
      if (trial["kernel"] == name) return trial;
    return nullptr;
  }
  std::string text() const {
    std::ifstream stream(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  void write(const std::string& bytes) const { std::ofstream(path_, std::ios::binary) << bytes; }

  TemporaryFolder folder_;
  std::string path_ = folder_.file("trials.jsonl");
  PaperGpu device_;
};

TEST_F(Tune, RanksRungsAndMakesATable) {
  const TuneResult result = run(request({"hopeless", "slow", "second", "best"}));
  EXPECT_EQ(result.timed, 3U);
  EXPECT_EQ(result.hopeless, 1U);
  EXPECT_EQ(result.failed + result.unsupported, 0U);
  EXPECT_NEAR(trial_of("best")["median_us"].get<double>(), 100, 1);
  EXPECT_GE(trial_of("best")["samples_us"].size(), 3U);
  EXPECT_EQ(trial_of("best")["verified"], "every element");
  const TunedTable table = tuned_table_of(read_trials(path_), path_);
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0].rung, "best");
  EXPECT_EQ(table.rows[0].runner_up, "second");
  EXPECT_EQ(table.gpu, "Paper GPU");
  EXPECT_EQ(table.multiprocessors, 100);
  EXPECT_EQ(table.driver, "1.2");
  EXPECT_EQ(table.revision, std::string(40, 'a'));
  const std::vector<std::string> known{"best", "second"};
  EXPECT_EQ(text_of(parse_tuned_table(text_of(table), "t", known)), text_of(table));
}

TEST_F(Tune, GivesUpWhatIsHopelessAndRecordsWhy) {
  run(request({"hopeless", "best"}));
  const Json trial = trial_of("hopeless");
  EXPECT_EQ(trial["verdict"], "PASS") << "its product was right";
  EXPECT_EQ(trial["hopeless"], true);
  EXPECT_GT(trial["estimate_us"].get<double>(), hopeless_ratio * trial["best_estimate_us"].get<double>());
  EXPECT_FALSE(trial.contains("median_us"));
  EXPECT_FALSE(trial_of("best").contains("hopeless"));
}

TEST_F(Tune, NothingWrongIsTimedOrCountsAsTheBest) {
  const TuneResult result = run(request({"slow", "wrong", "unwritten", "changes", "refuses"}));
  EXPECT_EQ(trial_of("wrong")["verdict"], "FAIL(wrong_value)");
  EXPECT_EQ(trial_of("unwritten")["verdict"], "FAIL(unwritten_output)");
  EXPECT_EQ(trial_of("changes")["verdict"].get<std::string>().rfind("FAIL(", 0), 0U);
  EXPECT_EQ(trial_of("refuses")["verdict"], "UNSUPPORTED(asks for too much)");
  EXPECT_EQ(result.failed, 3U);
  EXPECT_EQ(result.unsupported, 1U);
  EXPECT_EQ(result.notes.size(), 4U);
  const TunedTable table = tuned_table_of(read_trials(path_), path_);
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0].rung, "slow");
  EXPECT_EQ(table.rows[0].runner_up, "");
}

TEST_F(Tune, OperandsThatDoNotFitAreUnsupported) {
  const TuneResult result = run(request({"best", "slow"}, {{200000, 64, 64}}));
  EXPECT_EQ(result.unsupported, 2U);
  EXPECT_TRUE(tuned_table_of(read_trials(path_), path_).rows.empty());
}

TEST_F(Tune, GoesOnWhereItWas) {
  run(request({"best", "slow"}));
  const std::string before = text();
  const TuneResult again = run(request({"best", "slow"}));
  EXPECT_EQ(again.skipped, 2U);
  EXPECT_EQ(again.timed, 0U);
  EXPECT_EQ(text(), before);
  EXPECT_EQ(device_.stands, 1);
  const TuneResult more = run(request({"best", "slow", "second"}, {{256, 256, 256}, {64, 64, 64}}));
  EXPECT_EQ(more.skipped, 2U);
  EXPECT_EQ(more.timed, 4U);
  EXPECT_EQ(text().rfind(before, 0), 0U) << "what is there is not touched";
  EXPECT_EQ(tuned_table_of(read_trials(path_), path_).rows.size(), 2U);
  // What is hopeless beside a trial of before is so now.
  EXPECT_EQ(run(request({"hopeless"})).hopeless, 1U);
}

TEST_F(Tune, ALineThatWasCutOffIsDoneAgain) {
  run(request({"best", "slow"}));
  const std::string whole = text();
  const std::size_t last = whole.rfind('\n', whole.size() - 2) + 1;
  for (const std::size_t kept : {last + 1, last + 20, whole.size() - 1}) {
    write(whole.substr(0, kept));
    const TuneResult result = run(request({"best", "slow"}));
    EXPECT_EQ(result.skipped, 1U);
    EXPECT_EQ(result.timed, 1U);
    EXPECT_EQ(read_trials(path_).trials.size(), 2U);
    EXPECT_EQ(read_trials(path_).whole_bytes, text().size());
  }
  // A head that was cut off leaves nothing to go on with.
  write(whole.substr(0, 10));
  EXPECT_EQ(run(request({"best", "slow"})).timed, 2U);
}

TEST_F(Tune, AFaultCostsItsRungAndIsNotMetAgain) {
  const TuneResult result = run(request({"best", "faults", "slow"}));
  EXPECT_TRUE(result.lost);
  EXPECT_EQ(result.failed, 1U);
  EXPECT_EQ(trial_of("faults")["verdict"], "FAIL(fault)");
  EXPECT_TRUE(trial_of("best").is_null());
  const TuneResult rest = run(request({"best", "faults", "slow"}));
  EXPECT_FALSE(rest.lost);
  EXPECT_EQ(rest.timed, 2U);
  EXPECT_EQ(rest.skipped, 1U);
}

TEST_F(Tune, AFileOfOtherCircumstancesIsRefused) {
  run(request({"best"}));
  const std::string before = text();
  TuneRequest other = request({"best"});
  other.origin.revision = std::string(40, 'b');
  expect_error([&] { run(other); }, Code::bad_input, {"--out", path_, "another revision", "--restart"});
  other = request({"best"});
  other.origin.dirty = true;
  expect_error([&] { run(other); }, Code::bad_input, {"another dirty"});
  other = request({"best"});
  other.plan.seconds = 0.5;
  expect_error([&] { run(other); }, Code::bad_input, {"another settings", "0.5"});
  device_.driver = "1.3";
  expect_error([&] { run(request({"best"})); }, Code::bad_input, {"another driver", "\"1.2\"", "\"1.3\""});
  EXPECT_EQ(text(), before);
  EXPECT_EQ(run(request({"best"}), true).timed, 1U);
  EXPECT_EQ(read_trials(path_).head["environment"]["driver"], "1.3");
}

TEST_F(Tune, HostileFilesAreRefusedByLine) {
  run(request({"best"}));
  const std::string good = text();
  const auto refused = [&](const std::string& more, const std::vector<std::string>& parts) {
    write(good + more + "\n");
    expect_error([&] { read_trials(path_); }, Code::bad_input, parts);
    expect_error([&] { run(request({"best"})); }, Code::bad_input, parts);
    EXPECT_EQ(text(), good + more + "\n");
  };
  refused("garbage", {path_ + " line 3", "not a JSON object"});
  refused("[]", {" line 3", "not a JSON object"});
  refused("{}", {" line 3", "is not a trial"});
  refused(R"({"record":"trial","shape":[1,2]})", {" line 3", "[1,2]", "[M, N, K]"});
  refused(R"({"record":"trial","shape":[1,2,-3]})", {" line 3", "[M, N, K]"});
  refused(R"({"record":"trial","shape":[1,2,3]})", {" line 3", "needs a kernel"});
  refused(R"({"record":"trial","shape":[1,2,3],"kernel":"k","verdict":"PASS","median_us":-1})",
          {" line 3", "-1", "above 0"});
  refused(R"({"record":"trial","shape":[1,2,3],"kernel":"k","verdict":"PASS","median_us":"1"})",
          {" line 3", "above 0"});
  refused(R"({"record":"trial","shape":[256,256,256],"kernel":"best","verdict":"PASS"})",
          {" line 3", "in a line above"});
  for (const char* head : {"{}", R"({"schema":2,"record":"tune"})", R"({"schema":1,"record":"run"})"}) {
    write(std::string(head) + "\n");
    expect_error([&] { read_trials(path_); }, Code::bad_input, {" line 1", "not the head"});
  }
  write(R"({"schema":1,"record":"tune","revision":"a","dirty":false})"
        "\n");
  expect_error([&] { read_trials(path_); }, Code::bad_input, {" line 1", "the head lacks"});
  write("");
  expect_error([&] { tuned_table_of(read_trials(path_), path_); }, Code::bad_input, {"do not say the gpu"});
}

}  // namespace
}  // namespace tilewright
