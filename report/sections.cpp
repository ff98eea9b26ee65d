// SPDX-License-Identifier: MIT
#include "report/sections.h"

#include <algorithm>
#include <set>

#include "report/standing.h"

namespace tilewright {

bool ReportView::is_rung(const std::string& kernel) const {
  return std::any_of(inputs.steps.begin(), inputs.steps.end(), [&](const LadderStep& step) {
    return std::find(step.rungs.begin(), step.rungs.end(), kernel) != step.rungs.end();
  });
}

std::vector<std::string> ReportView::kernels() const {
  std::set<std::string> present;
  for (const JudgedRow& row : main().judged) present.insert(row.kernel);
  for (const SanitizerRow& row : main().sanitizers) present.insert(row.kernel);
  for (const ProfileRow& row : main().profiles) present.insert(row.kernel);
  for (const TimingRow& row : main().timings)
    if (row.role == "rung") present.insert(row.kernel);
  std::vector<std::string> ordered;
  for (const LadderStep& step : inputs.steps)
    for (const std::string& rung : step.rungs)
      if (present.erase(rung) > 0) ordered.push_back(rung);
  ordered.insert(ordered.end(), present.begin(), present.end());
  return ordered;
}

std::optional<Shape> ReportView::ladder_shape() const {
  std::map<std::int64_t, int> figures;
  for (const BenchedCell* cell : main().benched.cells()) {
    const auto [M, N, K] = cell->shape;
    const BenchedRun& run = main().benched.runs()[cell->run];
    if (M == N && N == K && cell->microseconds && is_rung(cell->kernel) && run.cache == ladder_cache &&
        run.mode == "boost" && run.boundary == "device")
      ++figures[M];
  }
  std::optional<Shape> best;
  int most = 0;
  for (const auto& [edge, count] : figures)
    if (count >= most) {
      best = Shape{edge, edge, edge};
      most = count;
    }
  return best;
}

}  // namespace tilewright
