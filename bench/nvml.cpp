// SPDX-License-Identifier: MIT
//
// Declarations by hand: the library comes with the driver, its header does not come with every toolkit.
#include "bench/nvml.h"

#include <dlfcn.h>

namespace tilewright {
namespace {

using Status = int;                          // nvmlReturn_t; 0 is success
constexpr unsigned sm_clock = 1;             // NVML_CLOCK_SM
constexpr unsigned gpu_temperature = 0;      // NVML_TEMPERATURE_GPU
constexpr unsigned version_characters = 96;  // at least NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE

}  // namespace

struct Nvml::Functions {
  void* library = nullptr;
  Status (*init)() = nullptr;
  Status (*shutdown)() = nullptr;
  Status (*handle)(const char*, void**) = nullptr;
  Status (*clock)(void*, unsigned, unsigned*) = nullptr;
  Status (*power)(void*, unsigned*) = nullptr;  // mW
  Status (*power_limit)(void*, unsigned*) = nullptr;
  Status (*temperature)(void*, unsigned, unsigned*) = nullptr;
  Status (*reasons)(void*, unsigned long long*) = nullptr;
  Status (*driver)(char*, unsigned) = nullptr;
  bool started = false;

  template <class Function>
  void find(Function& function, const char* name) {
    if (!function) function = reinterpret_cast<Function>(dlsym(library, name));
  }
};

Nvml::Nvml(const std::string& pci_bus_id, const std::string& library)
    : functions_(std::make_unique<Functions>()) {
  Functions& nvml = *functions_;
  nvml.library = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!nvml.library) {
    unavailable_ = library + " cannot be loaded";
    return;
  }
  nvml.find(nvml.init, "nvmlInit_v2");
  nvml.find(nvml.shutdown, "nvmlShutdown");
  nvml.find(nvml.handle, "nvmlDeviceGetHandleByPciBusId_v2");
  nvml.find(nvml.clock, "nvmlDeviceGetClockInfo");
  nvml.find(nvml.power, "nvmlDeviceGetPowerUsage");
  nvml.find(nvml.power_limit, "nvmlDeviceGetEnforcedPowerLimit");
  nvml.find(nvml.temperature, "nvmlDeviceGetTemperature");
  // The name since driver 535, and the one before.
  nvml.find(nvml.reasons, "nvmlDeviceGetCurrentClocksEventReasons");
  nvml.find(nvml.reasons, "nvmlDeviceGetCurrentClocksThrottleReasons");
  nvml.find(nvml.driver, "nvmlSystemGetDriverVersion");
  if (!nvml.init || !nvml.shutdown || !nvml.handle) {
    unavailable_ = library + " is not NVIDIA's management library";
    return;
  }
  const Status status = nvml.init();
  nvml.started = status == 0;
  if (status != 0)
    unavailable_ = "nvmlInit ended with status " + std::to_string(status);
  else if (const Status found = nvml.handle(pci_bus_id.c_str(), &device_); found != 0)
    unavailable_ = "no device at " + pci_bus_id + " (status " + std::to_string(found) + ")";
}

Nvml::~Nvml() {
  if (functions_->started) functions_->shutdown();
  if (functions_->library) dlclose(functions_->library);
}

Conditions Nvml::conditions() const {
  Conditions conditions;
  if (!unavailable_.empty()) return conditions;
  const Functions& nvml = *functions_;
  unsigned value = 0;
  unsigned long long bits = 0;
  if (nvml.clock && nvml.clock(device_, sm_clock, &value) == 0) conditions.clock_mhz = value;
  if (nvml.power && nvml.power(device_, &value) == 0) conditions.power_w = value / 1e3;
  if (nvml.temperature && nvml.temperature(device_, gpu_temperature, &value) == 0)
    conditions.temperature_c = value;
  if (nvml.reasons && nvml.reasons(device_, &bits) == 0) conditions.throttle = bits;
  return conditions;
}

std::string Nvml::driver_version() const {
  char text[version_characters] = {};
  if (!unavailable_.empty() || !functions_->driver || functions_->driver(text, version_characters) != 0)
    return {};
  return text;
}

std::optional<double> Nvml::power_limit_w() const {
  unsigned value = 0;
  if (!unavailable_.empty() || !functions_->power_limit || functions_->power_limit(device_, &value) != 0)
    return std::nullopt;
  return value / 1e3;
}

}  // namespace tilewright
