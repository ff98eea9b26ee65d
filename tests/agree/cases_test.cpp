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

// The rule: a rung runs a case of up to 100 million accesses (some 2 seconds on two cores), one with a grid of its own up
// to 12 million, and every case is run by the rung that it costs least. The others are left to the GPU, whose records have
// every case of every rung (results/h200/check.jsonl): here they would take a quarter of an hour.
constexpr std::int64_t most_accesses = 100'000'000, most_accesses_with_own_grid = 12'000'000;

// The cell of each shape that needs fewest accesses.
std::set<const Cell*> cheapest_cells(const Plan& plan) {
  std::map<Shape, const Cell*> cheapest;
  const auto cost = [&](const Cell& cell) {
    return predicted_accesses(plan.kernels[cell.kernel], cell.shape);
  };
  for (const Cell& cell : plan.cells) {
    const Cell*& kept = cheapest[cell.shape];
    if (!kept || cost(cell) < cost(*kept)) kept = &cell;
  }
  std::set<const Cell*> cells;
  for (const auto& [shape, cell] : cheapest) cells.insert(cell);
  return cells;
}

std::vector<const Cell*> cells_to_run(const Plan& plan) {
  const std::set<const Cell*> cheapest = cheapest_cells(plan);
  std::vector<const Cell*> cells;
  for (const Cell& cell : plan.cells) {
    const Rung& rung = plan.kernels[cell.kernel];
    const std::int64_t most = is_block_a_tile(rung) ? most_accesses : most_accesses_with_own_grid;
    if (predicted_accesses(rung, cell.shape) <= most || cheapest.count(&cell) > 0) cells.push_back(&cell);
  }
  return cells;
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

TEST(Cases, EachIsRunBySomeRungAndMostByAll) {
  const Plan plan = plan_of_cases();
  std::set<Shape> planned, run;
  std::map<std::string, int> cases_of;
  for (const Cell& cell : plan.cells) planned.insert(cell.shape);
  for (const Cell* cell : cells_to_run(plan)) {
    run.insert(cell->shape);
    ++cases_of[plan.kernels[cell->kernel].name];
  }
  ASSERT_FALSE(planned.empty());
  EXPECT_EQ(run, planned);
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
  for (const Cell* cell : cells_to_run(plan)) {
    ++run_cells;
    inputs.prepare(*cell);
    const Rung& rung = plan.kernels[cell->kernel];
    const Outcome outcome =
        run_and_judge(device, rung, inputs.operands().A, inputs.operands().B, inputs.reference());
    EXPECT_EQ(disagreement(rung, cell->shape, family, outcome), "");
  }
  EXPECT_GT(run_cells, 0);
  RecordProperty("cells_run", std::to_string(run_cells));
  RecordProperty("cells_left_to_the_gpu", std::to_string(static_cast<int>(plan.cells.size()) - run_cells));
}

}  // namespace
}  // namespace tilewright
