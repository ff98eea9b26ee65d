// SPDX-License-Identifier: MIT
//
// The shapes at which public kernels failed (tests/data/shapes.json), on every rung under the emulator. The
// large ones cost up to four billion accesses, so not every rung runs them; which does is a rule, below.
#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "judge/plan.h"
#include "tests/agree/agreement.h"

namespace tilewright {
namespace {

std::vector<DeclaredShape> read_cases() {
  std::ifstream stream(TILEWRIGHT_SOURCE_DIR "/tests/data/shapes.json");
  const nlohmann::json file = nlohmann::json::parse(stream);
  std::vector<DeclaredShape> cases;
  for (const auto& entry : file.at("cases"))
    cases.push_back({{entry["shape"][0], entry["shape"][1], entry["shape"][2]}, entry["precision"]});
  return cases;
}

Plan plan_of_cases() {
  // Of the ladder alone; candidates come to it with a GPU's records.
  std::vector<Rung> rungs;
  for (const Rung& rung : ladder().rungs())
    if (std::string_view(rung.source).find("/candidates/") == std::string_view::npos) rungs.push_back(rung);
  return make_plan(
      {.kernels = rungs, .matrix = false, .declared = read_cases(), .inputs = {"uniform"}, .operands = {}});
}

std::int64_t predicted_accesses(const Rung& rung, Shape shape) {
  const PredictedCounts counts = rung.predict(problem_of(shape, nominal_multiprocessors));
  return counts.global_reads + counts.global_writes + counts.shared_reads + counts.shared_writes;
}

// The rule: a rung runs a case of up to 300 million accesses (some 2 seconds on two cores); beyond that only
// one rung of each source file does, the middle one of its list, since rungs of one file differ by their
// sizes alone. Rungs with a grid of their own run a case of up to 10 million, and leave the others to the GPU, whose records have every case of every rung
// (results/h200/check.jsonl): made for other shapes, they would take a quarter of an hour.
constexpr std::int64_t most_accesses_for_all = 300'000'000, most_accesses_with_own_grid = 10'000'000;

bool represents_its_file(const std::vector<Rung>& rungs, std::size_t rung) {
  std::vector<std::size_t> of_file;
  for (std::size_t other = 0; other < rungs.size(); ++other)
    if (std::string(rungs[other].source) == rungs[rung].source) of_file.push_back(other);
  return of_file[of_file.size() / 2] == rung;
}

bool runs(const Plan& plan, const Cell& cell) {
  const Rung& rung = plan.kernels[cell.kernel];
  const std::int64_t accesses = predicted_accesses(rung, cell.shape);
  if (!is_block_a_tile(rung)) return accesses <= most_accesses_with_own_grid;
  return accesses <= most_accesses_for_all || represents_its_file(plan.kernels, cell.kernel);
}

TEST(Cases, OutsideTheContractAreSkippedByRule) {
  const std::vector<DeclaredShape> cases = read_cases();
  const Plan plan = plan_of_cases();
  std::map<std::string, int> of_rule;
  for (const SkippedCell& skipped : plan.skipped) {
    if (skipped.rule.find("precision bf16") != std::string::npos)
      ++of_rule["bf16"];
    else if (skipped.shape.M == 30000 && skipped.rule.find("M '30000'") != std::string::npos)
      ++of_rule["M"];
    else
      ADD_FAILURE() << to_string(skipped.shape) << " is skipped by another rule: " << skipped.rule;
  }
  const int kernels = static_cast<int>(plan.kernels.size());
  int bf16 = 0;
  for (const DeclaredShape& declared : cases) bf16 += declared.precision == "bf16" ? 1 : 0;
  EXPECT_GT(bf16, 0);
  EXPECT_EQ(of_rule["bf16"], bf16 * kernels);
  EXPECT_EQ(of_rule["M"], kernels);
  // Every case is in the plan or skipped, for every rung.
  EXPECT_EQ(plan.cells.size() + plan.skipped.size(), cases.size() * plan.kernels.size());
}

TEST(Cases, EachIsRunByARungOfEveryFileOrLeftToTheGpu) {
  const Plan plan = plan_of_cases();
  ASSERT_GT(plan.cells.size(), plan.kernels.size());
  std::map<std::string, std::set<std::string>> files_at;
  std::set<std::string> files;
  for (const Rung& rung : plan.kernels)
    if (is_block_a_tile(rung)) files.insert(rung.source);
  std::map<std::string, int> cases_of;
  for (const Cell& cell : plan.cells)
    if (runs(plan, cell)) {
      files_at[to_string(cell.shape)].insert(plan.kernels[cell.kernel].source);
      ++cases_of[plan.kernels[cell.kernel].name];
    }
  for (const Cell& cell : plan.cells) {
    const std::set<std::string>& at = files_at[to_string(cell.shape)];
    EXPECT_TRUE(std::includes(at.begin(), at.end(), files.begin(), files.end())) << to_string(cell.shape);
  }
  // Every rung runs the small cases, which are most of them.
  for (const Rung& rung : plan.kernels) EXPECT_GE(cases_of[rung.name], 10) << rung.name;
}

TEST(Cases, CanTellAWrongKernel) {
  const Plan plan = plan_of_cases();
  ASSERT_FALSE(plan.cells.empty());
  EXPECT_EQ(plan_rejection(plan), "");
}

TEST(Cases, AgreeOnEveryRungThatRunsThem) {
  const Plan plan = plan_of_cases();
  const Family& family = find_family("uniform");
  EmulatorDevice device(ladder());
  CellInputs inputs(plan);
  int run_cells = 0;
  for (const Cell& cell : plan.cells) {
    if (!runs(plan, cell)) continue;
    ++run_cells;
    inputs.prepare(cell);
    const Rung& rung = plan.kernels[cell.kernel];
    const Outcome outcome =
        run_and_judge(device, rung, inputs.operands().A, inputs.operands().B, inputs.reference());
    EXPECT_EQ(disagreement(rung, cell.shape, family, outcome), "");
  }
  EXPECT_GT(run_cells, 0);
  RecordProperty("cells_run", std::to_string(run_cells));
  RecordProperty("cells_left_to_the_gpu", std::to_string(static_cast<int>(plan.cells.size()) - run_cells));
}

}  // namespace
}  // namespace tilewright
