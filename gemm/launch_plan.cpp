// SPDX-License-Identifier: MIT
#include "gemm/launch_plan.h"

namespace tilewright {

LaunchPlan plan_launch(const Rung& rung, const Problem& problem) {
  LaunchPlan plan;
  plan.grid = grid_of(rung, problem);
  plan.blocks = plan.grid.count();
  if (const std::vector<Rung> kernels = kernels_of(rung, problem); kernels.size() > 1)
    plan.first_grid = grid_of(kernels.front(), problem);
  plan.scratch_bytes = scratch_of(rung, problem) * std::int64_t{sizeof(float)};
  plan.tiles = ceil_div(problem.M, rung.tile.BM) * ceil_div(problem.N, rung.tile.BN);
  plan.splits = ceil_div(plan.blocks, plan.tiles);
  if (problem.multiprocessors > 0) plan.waves = ceil_div(plan.blocks, problem.multiprocessors);
  return plan;
}

std::string launch_refusal(const Rung& rung, const Problem& problem) {
  return refusal_of([&] { require_within(cuda_limits("CUDA"), rung, problem); });
}

std::string launch_refusal(const Device& device, const Rung& rung, const Problem& problem) {
  return refusal_of([&] { device.require_launchable(rung, shape_of(problem)); });
}

}  // namespace tilewright
