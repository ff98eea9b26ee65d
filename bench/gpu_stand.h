// SPDX-License-Identifier: MIT
//
// The operands of one shape on a GPU, generated there: one set, or for rotation as many as fill the L2 twice.
#pragma once

#include <map>

#include "bench/cublas.h"
#include "bench/gpu_tools.h"
#include "bench/nvml.h"
#include "bench/sampled_reference.h"
#include "bench/stand.h"
#include "device/device.h"

namespace tilewright::gpu {

// What outlives a stand.
struct Workplace {
  const Device& device;  // knows the limits of a launch
  const Nvml& nvml;
  std::int64_t l2_bytes;
  Stream stream{};
  Stopwatch clock{stream};
  Hold hold{};
  L2Flush flush{l2_bytes};
  Cublas cublas{stream};
};

class GpuStand : public Stand {
 public:
  GpuStand(Workplace& place, Shape shape, const TimingPlan& plan);

  std::int64_t sets() const override { return sets_; }
  void renew_inputs(std::uint64_t seed) override;
  Batch run(Contender& contender, const BatchOrder& order) override;
  JudgedOutput judge(std::int64_t set, bool thorough) override;
  double now() override;
  void pause(double seconds) override;
  std::unique_ptr<Contender> contender(const Rung& rung) override;
  std::vector<Rival> rivals() override;

 private:
  MatrixSets matrices(const Memory<float>& memory, std::int64_t elements) const;
  Buffers buffers(std::int64_t set) const;
  Batch run_on_device(Contender& contender, const BatchOrder& order);
  // Allocation, copies and one launch by the host's clock; then what came back goes to the set's C, to be looked at.
  double run_end_to_end(Contender& contender);
  std::vector<Fingerprint> fingerprints(std::int64_t first_set, std::int64_t count);

  Workplace& place_;
  Shape shape_;
  TimingPlan plan_;
  std::int64_t sets_;
  Memory<float> A_, B_, C_;
  Memory<FingerprintSums> sums_;
  std::vector<float> host_A_, host_B_, host_C_;  // for end to end only
  std::uint64_t inputs_seed_ = 0, salt_ = 0;
  std::map<std::pair<std::int64_t, bool>, SampledReference>
      references_;  // of (set, thorough), of these inputs
};

}  // namespace tilewright::gpu
