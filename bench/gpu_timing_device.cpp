// SPDX-License-Identifier: MIT
#include "bench/gpu_ceilings.h"
#include "device/gpu_device.h"

namespace tilewright {
namespace {

std::string pci_bus_id() {
  char text[32] = {};
  check_cuda(cudaDeviceGetPCIBusId(text, sizeof text, 0), "asking for the GPU's place on the bus");
  return text;
}

std::int64_t attribute(cudaDeviceAttr which) {
  int value = 0;
  check_cuda(cudaDeviceGetAttribute(&value, which, 0), "asking for an attribute of the GPU");
  return value;
}

class GpuTimingDevice : public TimingDevice {
 public:
  GpuTimingDevice()
      : device_(make_gpu_device({})),
        nvml_(pci_bus_id()),
        place_{.device = *device_, .nvml = nvml_, .l2_bytes = attribute(cudaDevAttrL2CacheSize)},
        // First, so that the costs are those of a chip that is awake.
        ceilings_(gpu::measure_ceilings(place_, static_cast<int>(attribute(cudaDevAttrMultiProcessorCount)))),
        calibration_(gpu::calibrate(place_)) {}

  Environment environment() const override {
    Environment environment = device_->environment();
    std::erase_if(environment,
                  [](const auto& entry) { return entry.first == "red_zone_bytes"; });  // here are none
    environment.emplace_back("l2_bytes", std::to_string(place_.l2_bytes));
    environment.emplace_back("cublas", place_.cublas.version());
    environment.emplace_back(
        "nvml", nvml_.unavailable().empty() ? "available" : "UNAVAILABLE(" + nvml_.unavailable() + ")");
    if (const std::string driver = nvml_.driver_version(); !driver.empty())
      environment.emplace_back("driver", driver);
    if (const auto limit = nvml_.power_limit_w())
      environment.emplace_back("power_limit_w", std::to_string(static_cast<int>(*limit)));
    return environment;
  }
  const Ceilings& ceilings() const override { return ceilings_; }
  const Calibration& calibration() const override { return calibration_; }
  std::unique_ptr<Stand> set_up(Shape shape, const TimingPlan& plan) override {
    return std::make_unique<gpu::GpuStand>(place_, shape, plan);
  }

 private:
  std::unique_ptr<Device> device_;
  Nvml nvml_;
  gpu::Workplace place_;
  Ceilings ceilings_;
  Calibration calibration_;
};

}  // namespace

std::unique_ptr<TimingDevice> make_gpu_timing_device() {
  if (const std::string reason = gpu_unavailable(); !reason.empty())
    throw Error(Code::unavailable, "bench", "gpu", "UNAVAILABLE(" + reason + ")");
  return std::make_unique<GpuTimingDevice>();
}

}  // namespace tilewright
