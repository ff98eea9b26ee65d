// SPDX-License-Identifier: MIT
//
// Records: what was found out, as JSON, one object a line, with a schema version. A run's header says where
// and from which source; each cell's record says everything needed to run that cell again.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "judge/non_finite.h"
#include "judge/outcome.h"
#include "judge/plan.h"

namespace tilewright {

inline constexpr int record_schema = 1;

using Json = nlohmann::ordered_json;

struct RunOrigin {
  std::string revision;
  bool dirty;
  std::string started;  // UTC, ISO 8601
};

// {"schema":1,"record":"run",…}
Json run_record(const RunOrigin& origin, const Environment& environment, const Plan& plan);
// {"schema":1,"record":"cell",…}
Json cell_record(const Plan& plan, const Cell& cell, const Outcome& outcome);
// The record of a cell whose process died before it could say anything.
Json lost_cell_record(const Plan& plan, const Cell& cell, const std::string& kind, const std::string& error);

Json shape_json(Shape shape);  // [M, N, K]
Json to_json(const Finding& finding);
Json to_json(const Judgement& judgement);
// As a Judgement of the ordinary elements, and the counts of the others.
Json to_json(const AnyJudgement& judgement);
Json to_json(const Counts& counts);  // elements
Json to_json(const PredictedCounts& counts);
Json to_json(const WarpCounts& warps);
Json to_json(const BlockSample& sample);
Json to_json(const LineCount& line);

}  // namespace tilewright
