// SPDX-License-Identifier: MIT
#include "device/emulator_device.h"

#include <algorithm>

#include "core/error.h"
#include "core/parallel.h"
#include "device/sentinel.h"

namespace tilewright {

class EmulatorDevice::EmulatedPlacement : public Placement {
 public:
  EmulatedPlacement(EmulatorDevice& device, const Matrix& A, const Matrix& B)
      : device_(device), shape_{A.rows, B.columns, A.columns} {
    provide({.name = "C", .role = Role::output, .elements = shape_.M * shape_.N}, {});
    std::copy(A.values.begin(), A.values.end(), memory_->data(0));
    std::copy(B.values.begin(), B.values.end(), memory_->data(1));
  }

  void launch(const Rung& rung) override {
    device_.require_launchable(rung, shape_);
    const Problem problem = problem_of(shape_, device_.multiprocessors());
    const std::int64_t elements = shape_.M * shape_.N;
    provide({.name = "C",
             .role = Role::output,
             .elements = elements,
             .zeroed = rung.adds_to_output ? elements : 0},
            {.name = "scratch",
             .role = Role::scratch,
             .elements = scratch_of(rung, problem),
             .zeroed = counters_of(rung, problem)});
    for (std::int64_t i = 0; i < elements; ++i)
      memory_->data(2)[i] =
          rung.adds_to_output ? 0.0F : sentinel(static_cast<std::uint64_t>(i), device_.settings_.seed);
    const std::vector<Rung> kernels = kernels_of(rung, problem);
    const KernelModule& module = device_.catalog_.module_of(rung);
    EmulatedLaunch launch = emulated(kernels.back(), module, problem);
    launch.block_a_tile = is_block_a_tile(rung);
    const EmulatedLaunch first = emulated(kernels.front(), module, problem);
    if (kernels.size() > 1) launch.first = &first;
    report_ = device_.emulator_.launch(launch, *memory_, device_.settings_);
  }

  void synchronise() override {}  // launch runs the kernel to its end

  Product collect() override {
    Product product;
    product.C.assign(memory_->data(2), memory_->data(2) + shape_.M * shape_.N);
    product.findings = report_.findings;
    product.findings_total = report_.findings_total;
    product.counts = report_.counts;
    product.lines = report_.lines;
    product.sample = report_.sample;
    if (product.sample) product.computed = report_.computed;
    return product;
  }

 private:
  static EmulatedLaunch emulated(const Rung& kernel, const KernelModule& module, const Problem& problem) {
    const Grid grid = grid_of(kernel, problem);
    return {
        .module = module,
        .kernel = {.plain = kernel.kernel,
                   .with_scratch = kernel.scratch_kernel,
                   .with_tensors = kernel.tensor_kernel},
        .kernel_name = kernel.name,
        .grid = {static_cast<unsigned>(grid.x), static_cast<unsigned>(grid.y), static_cast<unsigned>(grid.z)},
        .block = {static_cast<unsigned>(kernel.block.x), static_cast<unsigned>(kernel.block.y), 1},
        .tile = {.rows = kernel.tile.BM,
                 .columns = kernel.tile.BN,
                 .rows_along_x = kernel.grid_order == GridOrder::rows_along_x},
        .cluster = static_cast<unsigned>(kernel.cluster),
        .overlaps = kernel.overlaps,
        .dynamic_shared_bytes = kernel.dynamic_shared_bytes,
        .M = problem.M,
        .N = problem.N,
        .K = problem.K,
        .tensors = kernel.tensors != nullptr ? std::optional(kernel.tensors(problem)) : std::nullopt};
  }

  // Memory with this output and this scratch, and A and B as they are; the scratch stays from launch to launch.
  void provide(const GlobalMemory::Request& C, const GlobalMemory::Request& scratch) {
    std::vector<GlobalMemory::Request> requests{
        {.name = "A", .role = Role::input, .elements = shape_.M * shape_.K},
        {.name = "B", .role = Role::input, .elements = shape_.K * shape_.N},
        C};
    if (scratch.elements > 0) requests.push_back(scratch);
    if (memory_ && requests == requests_) return;
    auto memory = std::make_unique<GlobalMemory>(requests);
    for (const std::size_t input : {std::size_t{0}, std::size_t{1}})
      if (memory_) std::copy_n(memory_->data(input), requests[input].elements, memory->data(input));
    memory_ = std::move(memory);
    requests_ = std::move(requests);
  }

  EmulatorDevice& device_;
  Shape shape_;
  std::vector<GlobalMemory::Request> requests_;
  std::unique_ptr<GlobalMemory> memory_;
  EmulatorReport report_;
};

Environment EmulatorDevice::environment() const {
  return {{"device", "emulator"}, {"compiler", "g++ " __VERSION__}, {"cores", std::to_string(core_count())}};
}

void EmulatorDevice::require_launchable(const Rung& rung, Shape shape) const {
  const Problem problem = problem_of(shape, multiprocessors());
  const KernelModule& module = catalog_.module_of(rung);
  require_within(cuda_limits("CUDA"), rung, problem);
  for (Rung& kernel : kernels_of(rung, problem)) {
    const std::int64_t declared = kernel.static_shared_bytes;
    kernel.static_shared_bytes = module.static_shared_bytes(entry_of(kernel));
    require_within(cuda_limits("CUDA"), kernel, problem);
    if (rung.predict != nullptr && kernel.static_shared_bytes != declared)
      throw Error(Code::unsupported, rung.name, to_string(shape),
                  "it declares " + std::to_string(declared) + " bytes of shared memory, its source has " +
                      std::to_string(kernel.static_shared_bytes));
  }
}

std::unique_ptr<Placement> EmulatorDevice::place(const Matrix& A, const Matrix& B) {
  return std::make_unique<EmulatedPlacement>(*this, A, B);
}

}  // namespace tilewright
