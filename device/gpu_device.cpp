// SPDX-License-Identifier: MIT
//
// Every CUDA call is checked where it is made. Each buffer lies between red zones of sentinels; after a
// launch the red zones, the inputs and the unwritten elements of C are compared on the host, bit for bit.
#include "device/gpu_device.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

#include "core/error.h"
#include "device/cuda_check.h"
#include "device/gpu_launch.h"
#include "device/sentinel.h"

namespace tilewright {
namespace {

constexpr std::size_t most_findings = 8;  // of one kind in one buffer

// One matrix on the GPU between two red zones.
class GpuBuffer {
 public:
  GpuBuffer(std::string name, std::int64_t elements, const GpuSettings& settings, std::uint64_t salt)
      : name_(std::move(name)),
        elements_(static_cast<std::size_t>(elements)),
        red_(static_cast<std::size_t>(settings.red_zone_bytes) / sizeof(float)),
        image_(elements_ + 2 * red_) {
    for (std::size_t i = 0; i < image_.size(); ++i) image_[i] = sentinel_bits(i, salt);
    check_cuda(cudaMalloc(reinterpret_cast<void**>(&memory_), bytes()), "allocating " + name_);
  }
  ~GpuBuffer() {
    cudaFree(memory_);
  }  // after a fault this fails too, and there is nothing left to do about it
  GpuBuffer(const GpuBuffer&) = delete;
  GpuBuffer& operator=(const GpuBuffer&) = delete;

  float* data() const { return reinterpret_cast<float*>(memory_ + red_); }
  void set(const std::vector<float>& values) {
    std::memcpy(image_.data() + red_, values.data(), elements_ * sizeof(float));
  }
  void set_zero(std::size_t elements) {
    std::fill_n(image_.begin() + static_cast<std::ptrdiff_t>(red_), elements, 0U);
  }
  // Puts matrix and red zones on the GPU as they should be.
  void fill() {
    check_cuda(cudaMemcpy(memory_, image_.data(), bytes(), cudaMemcpyHostToDevice), "filling " + name_);
  }
  void fetch() {
    seen_.resize(image_.size());
    check_cuda(cudaMemcpy(seen_.data(), memory_, bytes(), cudaMemcpyDeviceToHost), "copying back " + name_);
  }

  std::vector<float> values() const {
    std::vector<float> values(elements_);
    std::memcpy(values.data(), seen_.data() + red_, elements_ * sizeof(float));
    return values;
  }
  // Red zones that changed.
  void find_overruns(Product& product, const Rung& rung) const {
    find(product, rung, FindingKind::out_of_bounds, 0, red_, true, "was written: outside the matrix");
    find(product, rung, FindingKind::out_of_bounds, red_ + elements_, image_.size(), true,
         "was written: outside the matrix");
  }
  void find_changes(Product& product, const Rung& rung) const {
    find(product, rung, FindingKind::input_modified, red_, red_ + elements_, true, "was changed: an input");
  }
  // The first elements, which were zero, are not.
  void find_counters_not_zero(Product& product, const Rung& rung, std::size_t counters) const {
    find(product, rung, FindingKind::counter_not_zero, red_, red_ + counters, true,
         "is not zero after the launch: a counter that the next one needs to be");
  }
  void find_unwritten(Product& product, const Rung& rung) const {
    find(product, rung, FindingKind::unwritten_output, red_, red_ + elements_, false, "was not written");
  }

 private:
  std::size_t bytes() const { return image_.size() * sizeof(std::uint32_t); }

  void find(Product& product, const Rung& rung, FindingKind kind, std::size_t first, std::size_t end,
            bool changed, std::string_view text) const {
    std::vector<Finding> findings;
    std::int64_t total = 0;
    for (std::size_t i = first; i < end; ++i) {
      if ((seen_[i] != image_[i]) != changed || ++total > static_cast<std::int64_t>(most_findings)) continue;
      Finding& finding = findings.emplace_back();
      finding.kind = kind;
      finding.kernel = rung.name;
      finding.buffer = name_;
      finding.index = static_cast<std::int64_t>(i) - static_cast<std::int64_t>(red_);
      finding.message = name_ + "[" + std::to_string(finding.index) + "] " + std::string(text);
    }
    for (Finding& finding : findings) {
      finding.total = total;
      product.findings.push_back(std::move(finding));
    }
    product.findings_total += total;
  }

  std::string name_;
  std::size_t elements_, red_;
  std::vector<std::uint32_t> image_, seen_;  // red zone, matrix, red zone
  std::uint32_t* memory_ = nullptr;
};

class GpuDevice : public Device {
 public:
  explicit GpuDevice(const GpuSettings& settings) : settings_(settings) {
    check_cuda(cudaSetDevice(0), "selecting the GPU");
    check_cuda(cudaGetDeviceProperties(&properties_, 0), "asking for the GPU's properties");
  }

  std::string name() const override { return "gpu"; }
  Environment environment() const override;
  void require_launchable(const Rung& rung, Shape shape) const override;
  std::unique_ptr<Placement> place(const Matrix& A, const Matrix& B) override;
  int multiprocessors() const override { return properties_.multiProcessorCount; }
  const GpuSettings& settings() const { return settings_; }

 private:
  GpuSettings settings_;
  cudaDeviceProp properties_{};
};

class GpuPlacement : public Placement {
 public:
  GpuPlacement(const GpuDevice& device, const Matrix& A, const Matrix& B)
      : device_(device),
        shape_{A.rows, B.columns, A.columns},
        A_("A", A.rows * A.columns, device.settings(), device.settings().seed + 1),
        B_("B", B.rows * B.columns, device.settings(), device.settings().seed + 2),
        C_("C", A.rows * B.columns, device.settings(), device.settings().seed + 3) {
    A_.set(A.values);
    B_.set(B.values);
  }

  void launch(const Rung& rung) override {
    device_.require_launchable(rung, shape_);
    GpuLaunch start(rung, shape_);
    rung_ = &start.rung();
    counters_ = static_cast<std::size_t>(counters_of(*rung_, start.problem()));
    const std::int64_t scratch = scratch_of(*rung_, start.problem());
    scratch_.reset();
    if (scratch > 0) {
      scratch_ =
          std::make_unique<GpuBuffer>("scratch", scratch, device_.settings(), device_.settings().seed + 4);
      scratch_->set_zero(counters_);
      scratch_->fill();
    }
    for (GpuBuffer* buffer : {&A_, &B_, &C_}) buffer->fill();
    start(A_.data(), B_.data(), C_.data(), scratch_ ? scratch_->data() : nullptr, nullptr);
    check_cuda(cudaGetLastError(), std::string("launching ") + rung_->name);
  }

  void synchronise() override { check_cuda(cudaDeviceSynchronize(), std::string("running ") + rung_->name); }

  Product collect() override {
    Product product;
    for (GpuBuffer* buffer : {&A_, &B_, &C_}) buffer->fetch();
    for (const GpuBuffer* buffer : {&A_, &B_, &C_}) buffer->find_overruns(product, *rung_);
    for (const GpuBuffer* buffer : {&A_, &B_}) buffer->find_changes(product, *rung_);
    // Where C is zeros beforehand, what was not written cannot be told from a sum of zero.
    if (!rung_->adds_to_output) C_.find_unwritten(product, *rung_);
    if (scratch_) {
      scratch_->fetch();
      scratch_->find_overruns(product, *rung_);
      scratch_->find_counters_not_zero(product, *rung_, counters_);
    }
    product.C = C_.values();
    return product;
  }

 private:
  const GpuDevice& device_;
  Shape shape_;
  GpuBuffer A_, B_, C_;
  std::unique_ptr<GpuBuffer> scratch_;  // of the rung, if it has any
  std::size_t counters_ = 0;
  const Rung* rung_ = nullptr;
};

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

Environment GpuDevice::environment() const {
  int driver = 0, runtime = 0;
  check_cuda(cudaDriverGetVersion(&driver), "asking for the driver's version");
  check_cuda(cudaRuntimeGetVersion(&runtime), "asking for the runtime's version");
  return {{"device", "gpu"},
          {"gpu", properties_.name},
          {"compute_capability", std::to_string(properties_.major) + "." + std::to_string(properties_.minor)},
          {"multiprocessors", std::to_string(properties_.multiProcessorCount)},
          {"driver_cuda", version_text(driver)},
          {"toolkit", version_text(CUDART_VERSION)},
          {"flags", TILEWRIGHT_GPU_FLAGS},
          {"red_zone_bytes", std::to_string(settings_.red_zone_bytes)}};
}

void GpuDevice::require_launchable(const Rung& rung, Shape shape) const {
  const Rung& own = gpu_rung(rung);
  LaunchLimits limits{.of = properties_.name,
                      .threads_per_block = properties_.maxThreadsPerBlock,
                      .block_x = properties_.maxThreadsDim[0],
                      .block_y = properties_.maxThreadsDim[1],
                      .grid_x = properties_.maxGridSize[0],
                      .grid_y = properties_.maxGridSize[1],
                      .grid_z = properties_.maxGridSize[2],
                      .static_shared_bytes = static_cast<std::int64_t>(properties_.sharedMemPerBlock),
                      .shared_bytes = static_cast<std::int64_t>(properties_.sharedMemPerBlockOptin),
                      .scratch_bytes = static_cast<std::int64_t>(properties_.totalGlobalMem)};
  const Problem problem = problem_of(shape, multiprocessors());
  require_within(limits, own, problem);
  if (own.tensors != nullptr && properties_.major < 9)
    throw Error(Code::unsupported, rung.name, to_string(shape),
                "it copies boxes of tensors: it asks for compute capability 9.0, " + limits.of + " has " +
                    std::to_string(properties_.major) + "." + std::to_string(properties_.minor));
  for (const Rung& kernel : kernels_of(own, problem)) {
    cudaFuncAttributes compiled{};
    check_cuda(cudaFuncGetAttributes(&compiled, entry_of(kernel)),
               std::string("asking for the attributes of ") + own.name);
    limits.of = "the kernel as compiled (" + std::to_string(compiled.numRegs) + " registers a thread)";
    limits.threads_per_block = compiled.maxThreadsPerBlock;
    require_within(limits, kernel, problem);
    if (static_cast<std::int64_t>(compiled.sharedSizeBytes) != kernel.static_shared_bytes)
      throw Error(Code::unsupported, rung.name, to_string(shape),
                  "it declares " + std::to_string(kernel.static_shared_bytes) +
                      " bytes of shared memory, the compiled kernel has " +
                      std::to_string(compiled.sharedSizeBytes));
  }
}

std::unique_ptr<Placement> GpuDevice::place(const Matrix& A, const Matrix& B) {
  return std::make_unique<GpuPlacement>(*this, A, B);
}

}  // namespace

std::string gpu_unavailable() {
  int driver = 0, count = 0;
  if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0) return "this machine has no NVIDIA driver";
  const cudaError_t status = cudaGetDeviceCount(&count);
  cudaGetLastError();
  if (status != cudaSuccess) return cudaGetErrorString(status);
  return count > 0 ? "" : "this machine has no NVIDIA GPU";
}

bool gpu_has(const Rung& rung) { return find_gpu_rung(rung) != nullptr; }

std::vector<std::string> gpu_symbols(const Rung& rung, const Problem& problem) {
  std::vector<std::string> symbols;
  for (const Rung& kernel : kernels_of(gpu_rung(rung), problem)) {
    const char* name = nullptr;
    check_cuda(cudaFuncGetName(&name, entry_of(kernel)), std::string("asking for the name of ") + rung.name);
    symbols.emplace_back(name);
  }
  return symbols;
}

std::unique_ptr<Device> make_gpu_device(const GpuSettings& settings) {
  if (const std::string reason = gpu_unavailable(); !reason.empty())
    throw Error(Code::unavailable, "device", "gpu", reason);
  return std::make_unique<GpuDevice>(settings);
}

}  // namespace tilewright
