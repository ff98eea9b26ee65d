// SPDX-License-Identifier: MIT
#include "device/device.h"

#include "core/error.h"
#include "device/tensor_limits.h"
#include "emulator/run/dynamic_shared.h"

namespace tilewright {

std::string value_in(const Environment& environment, const std::string& name) {
  for (const auto& [key, value] : environment)
    if (key == name) return value;
  return {};
}

Product launch_once(Placement& placement, const Rung& rung) {
  placement.launch(rung);
  placement.synchronise();
  return placement.collect();
}

Product multiply(Device& device, const Rung& rung, const Matrix& A, const Matrix& B) {
  return launch_once(*device.place(A, B), rung);
}

Rung kernel_of_library(const char* name, const char* idea) {
  return {.name = name,
          .idea = idea,
          .source = "",
          .tile = {1, 1, 1},
          .block = {1, 1},
          .grid_order = GridOrder::columns_along_x,
          .static_shared_bytes = 0,
          .kernel = nullptr,
          .predict = nullptr};
}

void require_kernel_of_library(const Rung& rung) {
  if (entry_of(rung) != nullptr)
    throw Error(Code::unsupported, "kernel", rung.name,
                "is a CUDA kernel: it runs on --device gpu or emulator");
}

Problem problem_of(Shape shape, int multiprocessors) {
  return {.M = shape.M, .N = shape.N, .K = shape.K, .multiprocessors = multiprocessors};
}

Grid grid_of(const Rung& rung, const Problem& problem) {
  if (rung.grid != nullptr) return rung.grid(problem);
  const std::int64_t down = ceil_div(problem.M, rung.tile.BM);
  const std::int64_t across = ceil_div(problem.N, rung.tile.BN);
  return rung.grid_order == GridOrder::columns_along_x ? Grid{across, down} : Grid{down, across};
}

std::vector<Rung> kernels_of(const Rung& rung, const Problem& problem) {
  Rung own = rung;
  own.first = {};
  if (rung.first.kernel == nullptr || rung.first.grid(problem).count() == 0) return {own};
  Rung first = own;
  first.block = rung.first.block;
  first.grid = rung.first.grid;
  first.static_shared_bytes = rung.first.static_shared_bytes;
  first.dynamic_shared_bytes = 0;
  first.kernel = nullptr;
  first.scratch_kernel = rung.first.kernel;
  first.tensors = nullptr;
  first.cluster = 1;
  first.tensor_kernel = nullptr;
  return {first, own};
}

bool is_block_a_tile(const Rung& rung) {
  return rung.grid == nullptr && !takes_scratch(rung) && rung.first.kernel == nullptr;
}

bool takes_scratch(const Rung& rung) {
  return rung.scratch_kernel != nullptr || rung.tensor_kernel != nullptr;
}

std::int64_t scratch_of(const Rung& rung, const Problem& problem) {
  return rung.scratch_floats != nullptr ? rung.scratch_floats(problem) : 0;
}

std::int64_t counters_of(const Rung& rung, const Problem& problem) {
  return rung.scratch_counters != nullptr ? rung.scratch_counters(problem) : 0;
}

LaunchLimits cuda_limits(std::string of) {
  return {.of = std::move(of),
          .threads_per_block = 1024,
          .block_x = 1024,
          .block_y = 1024,
          .grid_x = (1LL << 31) - 1,
          .grid_y = 65535,
          .grid_z = 65535,
          .static_shared_bytes = 48 << 10,
          .shared_bytes = most_shared_bytes,
          .scratch_bytes = 16LL << 30};
}

void require_within(const LaunchLimits& limits, const Rung& rung, const Problem& problem) {
  const Shape shape{problem.M, problem.N, problem.K};
  const char* whose = "";
  const auto check = [&](const char* what, std::int64_t asked, std::int64_t allowed) {
    if (asked > allowed)
      throw Error(Code::unsupported, rung.name, to_string(shape),
                  std::string(what) + whose + ": it asks for " + std::to_string(asked) + ", " + limits.of +
                      " allows " + std::to_string(allowed));
  };
  const std::vector<Rung> kernels = kernels_of(rung, problem);
  for (const Rung& kernel : kernels) {
    whose = &kernel == &kernels.back() ? "" : " of its first kernel";
    const Grid grid = grid_of(kernel, problem);
    check("threads per block", std::int64_t{kernel.block.x} * kernel.block.y, limits.threads_per_block);
    check("block extent in x", kernel.block.x, limits.block_x);
    check("block extent in y", kernel.block.y, limits.block_y);
    check("blocks in x", grid.x, limits.grid_x);
    check("blocks in y", grid.y, limits.grid_y);
    check("blocks in z", grid.z, limits.grid_z);
    check("bytes of static shared memory per block", kernel.static_shared_bytes, limits.static_shared_bytes);
    check("bytes of shared memory per block, static and dynamic",
          kernel.static_shared_bytes + kernel.dynamic_shared_bytes, limits.shared_bytes);
  }
  check("bytes of scratch", scratch_of(rung, problem) * std::int64_t{sizeof(float)}, limits.scratch_bytes);
  check("floats of scratch that are counters", counters_of(rung, problem), scratch_of(rung, problem));
  require_tensors_within(limits.of, rung, problem);
  constexpr std::int64_t most = (1LL << 31) - 1;
  check("M", shape.M, most);
  check("N", shape.N, most);
  check("K", shape.K, most);
  if (!takes_scratch(rung)) return;
  // These count whole tiles themselves, in 32 bits.
  check("M up to whole tiles", ceil_div(shape.M, rung.tile.BM) * rung.tile.BM, most);
  check("N up to whole tiles", ceil_div(shape.N, rung.tile.BN) * rung.tile.BN, most);
  check("K up to whole steps", ceil_div(shape.K, rung.tile.BK) * rung.tile.BK, most);
}

}  // namespace tilewright
