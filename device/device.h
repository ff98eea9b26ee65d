// SPDX-License-Identifier: MIT
//
// Where a product is computed. Judge, bench and command line know only this interface; behind it are the GPU,
// the emulator and the CPU's BLAS.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/finding.h"
#include "core/shape.h"
#include "kernels/rung.h"

namespace tilewright {

// What came back: C (M x N, row-major; sentinel NaNs where nobody wrote) and what the device noticed.
struct Product {
  std::vector<float> C;
  std::vector<Finding> findings;
  std::int64_t findings_total = 0;
  std::optional<Counts> counts;       // the emulator's
  std::vector<LineCount> lines;       // the emulator's
  std::vector<Region> computed;       // the only parts of C that were computed; all of it when empty
  std::optional<BlockSample> sample;  // the emulator's, where a few blocks stood for all
};

// A, B and C on a device.
class Placement {
 public:
  Placement() = default;
  virtual ~Placement() = default;
  Placement(const Placement&) = delete;
  Placement& operator=(const Placement&) = delete;

  // Fills C with a sentinel and starts the kernel. Throws Error(unsupported) when a limit forbids the launch.
  virtual void launch(const Rung& rung) = 0;
  // Waits for it. Throws Error(fault) when it faulted; the device may then be unusable in this process.
  virtual void synchronise() = 0;
  virtual Product collect() = 0;
};

// What a record says about where it ran: "gpu": "NVIDIA H200", …
using Environment = std::vector<std::pair<std::string, std::string>>;
// Empty where it does not say.
std::string value_in(const Environment& environment, const std::string& name);

class Device {
 public:
  Device() = default;
  virtual ~Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  virtual std::string name() const = 0;
  virtual Environment environment() const = 0;
  // Throws Error(unsupported) naming the limit, what the rung asks and what there is.
  virtual void require_launchable(const Rung& rung, Shape shape) const = 0;
  virtual std::unique_ptr<Placement> place(const Matrix& A, const Matrix& B) = 0;
  // Of which a rung's grid, scratch and counts may depend; 0 where no rung runs.
  virtual int multiprocessors() const = 0;
};

// launch, synchronise, collect.
Product launch_once(Placement& placement, const Rung& rung);
// place, and that.
Product multiply(Device& device, const Rung& rung, const Matrix& A, const Matrix& B);

// What stands for a library's routine where a rung is asked for: a name and no CUDA kernel.
Rung kernel_of_library(const char* name, const char* idea);
// Throws Error(unsupported) when the rung is a CUDA kernel, for devices that run libraries alone.
void require_kernel_of_library(const Rung& rung);

Problem problem_of(Shape shape, int multiprocessors);
Grid grid_of(const Rung& rung, const Problem& problem);
// The kernels that one launch of the rung starts, in this order, each as a rung that has no first kernel; the last is the
// rung's own.
std::vector<Rung> kernels_of(const Rung& rung, const Problem& problem);
// Whether each block computes a tile of C and what it does depends on nothing but where that lies.
bool is_block_a_tile(const Rung& rung);
// Whether its own kernel has a parameter for scratch.
bool takes_scratch(const Rung& rung);
// In floats; none without a function that says otherwise.
std::int64_t scratch_of(const Rung& rung, const Problem& problem);
std::int64_t counters_of(const Rung& rung, const Problem& problem);

// A device's limits, and the compiled kernel's own.
struct LaunchLimits {
  std::string of;  // "NVIDIA H200"
  std::int64_t threads_per_block, block_x, block_y, grid_x, grid_y, grid_z, static_shared_bytes;
  std::int64_t shared_bytes;  // static and dynamic together, for a kernel that asks for more than the default
  std::int64_t scratch_bytes;
};
// What every CUDA device since compute capability 3.0 allows; of shared memory in all, what one of 9.0 does; of scratch,
// what the smallest of that kind have for everything.
LaunchLimits cuda_limits(std::string of);
void require_within(const LaunchLimits& limits, const Rung& rung, const Problem& problem);

}  // namespace tilewright
