// SPDX-License-Identifier: MIT
#include "bench/gpu_stand.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "device/gpu_launch.h"

namespace tilewright::gpu {
namespace {

// Sets begin where a vector load may, as an allocation of their own would.
std::int64_t padded(std::int64_t elements) { return (elements + 63) / 64 * 64; }

std::int64_t sets_for(Shape shape, const TimingPlan& plan, std::int64_t l2_bytes) {
  if (plan.cache != Cache::rotate) return 1;
  const std::int64_t bytes =
      4 * (padded(shape.M * shape.K) + padded(shape.K * shape.N) + padded(shape.M * shape.N));
  return std::max<std::int64_t>(2, (2 * l2_bytes + bytes - 1) / bytes);
}

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

class RungContender : public Contender {
 public:
  RungContender(const Rung& rung, Shape shape, cudaStream_t stream)
      : Contender(rung.name),
        launch_(rung, shape),
        scratch_(std::max<std::int64_t>(1, scratch_of(launch_.rung(), launch_.problem())), "scratch"),
        stream_(stream) {
    check_cuda(cudaMemsetAsync(scratch_.data(), 0, scratch_.bytes(), stream_), "clearing scratch");
  }

  Json description() const override {
    const Rung& rung = launch_.rung();
    Json grids = Json::array();  // of the first kernel, if there is one, and of the rung's own
    for (const Grid& grid : launch_.grids()) grids.push_back({grid.x, grid.y, grid.z});
    return {{"tile", {rung.tile.BM, rung.tile.BN, rung.tile.BK}},
            {"block", {rung.block.x, rung.block.y}},
            {"static_shared_bytes", rung.static_shared_bytes},
            {"dynamic_shared_bytes", rung.dynamic_shared_bytes},
            {"grid", grids.back()},
            {"first_grid", grids.size() > 1 ? grids.front() : Json(nullptr)},
            {"scratch_floats", scratch_of(rung, launch_.problem())},
            {"adds_to_output", rung.adds_to_output}};
  }
  bool deterministic() const override { return !launch_.rung().adds_to_output; }
  std::string leftover() override {
    std::vector<std::uint32_t> counters(
        static_cast<std::size_t>(counters_of(launch_.rung(), launch_.problem())));
    check_cuda(cudaMemcpyAsync(counters.data(), scratch_.data(), counters.size() * sizeof(std::uint32_t),
                               cudaMemcpyDeviceToHost, stream_),
               "copying the counters of the scratch");
    check_cuda(cudaStreamSynchronize(stream_), "copying the counters of the scratch");
    const bool zero = std::all_of(counters.begin(), counters.end(), [](std::uint32_t c) { return c == 0; });
    return zero ? "" : std::string(name_of(FindingKind::counter_not_zero));
  }
  void launch(const Buffers& buffers) override {
    launch_(buffers.A, buffers.B, buffers.C, scratch_.data(), stream_);
  }

 private:
  GpuLaunch launch_;
  Memory<float> scratch_;  // zeros before the first launch; each leaves its counters zero for the next
  cudaStream_t stream_;
};

}  // namespace

GpuStand::GpuStand(Workplace& place, Shape shape, const TimingPlan& plan)
    : place_(place),
      shape_(shape),
      plan_(plan),
      sets_(sets_for(shape, plan, place.l2_bytes)),
      A_(sets_ * padded(shape.M * shape.K), "A"),
      B_(sets_ * padded(shape.K * shape.N), "B"),
      C_(sets_ * padded(shape.M * shape.N), "C"),
      sums_(sets_, "fingerprints") {
  renew_inputs(plan.seed);
}

MatrixSets GpuStand::matrices(const Memory<float>& memory, std::int64_t elements) const {
  return {memory.data(), elements, padded(elements), sets_};
}

Buffers GpuStand::buffers(std::int64_t set) const {
  return {A_.data() + set * padded(shape_.M * shape_.K), B_.data() + set * padded(shape_.K * shape_.N),
          C_.data() + set * padded(shape_.M * shape_.N)};
}

void GpuStand::renew_inputs(std::uint64_t seed) {
  if (seed == inputs_seed_ && salt_ > 0) return;
  inputs_seed_ = seed;
  ++salt_;
  references_.clear();
  fill_inputs(matrices(A_, shape_.M * shape_.K), seed, 0, place_.stream);
  fill_inputs(matrices(B_, shape_.K * shape_.N), seed, 1, place_.stream);
  check_cuda(cudaGetLastError(), "making the inputs");
  if (plan_.boundary == Boundary::end_to_end) {
    const auto fetch = [&](std::vector<float>& host, const Memory<float>& memory, std::int64_t elements) {
      host.resize(static_cast<std::size_t>(elements));
      check_cuda(cudaMemcpyAsync(host.data(), memory.data(), host.size() * sizeof(float),
                                 cudaMemcpyDeviceToHost, place_.stream),
                 "copying the inputs to the host");
    };
    fetch(host_A_, A_, shape_.M * shape_.K);
    fetch(host_B_, B_, shape_.K * shape_.N);
    host_C_.resize(static_cast<std::size_t>(shape_.M * shape_.N));
  }
  check_cuda(cudaStreamSynchronize(place_.stream), "making the inputs");
}

Batch GpuStand::run(Contender& contender, const BatchOrder& order) {
  ++salt_;
  const double start = seconds_now();
  Batch batch;
  if (plan_.boundary == Boundary::end_to_end) {
    batch.microseconds = run_end_to_end(contender);
    batch.outputs = fingerprints(0, 1);
    batch.conditions = place_.nvml.conditions();
  } else {
    batch = run_on_device(contender, order);
  }
  batch.wall_microseconds = (seconds_now() - start) * 1e6;
  return batch;
}

Batch GpuStand::run_on_device(Contender& contender, const BatchOrder& order) {
  const std::int64_t used = std::min(order.launches, sets_);
  if (order.lead_in) contender.launch(buffers(order.first_set));
  fill_unwritten(matrices(C_, shape_.M * shape_.N), order.first_set, used, salt_, place_.stream);
  check_cuda(cudaGetLastError(), "filling C with the pattern of what is not written");
  if (plan_.cache != Cache::warm) place_.flush(place_.stream);
  if (order.queue_ahead) place_.hold.begin(place_.stream);
  try {
    place_.clock.start();
    for (std::int64_t i = 0; i < order.launches; ++i)
      contender.launch(buffers((order.first_set + i) % sets_));
    place_.clock.stop();
  } catch (...) {
    place_.hold.release();
    throw;
  }
  place_.hold.release();
  check_cuda(cudaGetLastError(), "launching " + contender.name());
  Batch batch;
  // While the batch runs, unless it is over already.
  batch.conditions = place_.nvml.conditions();
  batch.microseconds = place_.clock.microseconds() / static_cast<double>(order.launches);
  batch.queued_ahead = !order.queue_ahead || !place_.hold.gave_up();
  batch.outputs = fingerprints(order.first_set, used);
  return batch;
}

double GpuStand::run_end_to_end(Contender& contender) {
  const std::size_t bytes_A = host_A_.size() * sizeof(float), bytes_B = host_B_.size() * sizeof(float),
                    bytes_C = host_C_.size() * sizeof(float);
  cudaStream_t stream = place_.stream;
  std::fill(host_C_.begin(), host_C_.end(), 0.0F);  // the host's pages are there, and hold no product
  {
    // The allocator gives the same memory again, and it must not hold the product of the launch before.
    const Memory<float> C(shape_.M * shape_.N, "C");
    fill_unwritten({C.data(), shape_.M * shape_.N, shape_.M * shape_.N, 1}, 0, 1, salt_, stream);
    check_cuda(cudaStreamSynchronize(stream), "filling C with the pattern of what is not written");
  }
  const double start = seconds_now();
  {
    const Memory<float> C(shape_.M * shape_.N, "C"), A(shape_.M * shape_.K, "A"), B(shape_.K * shape_.N, "B");
    check_cuda(cudaMemcpyAsync(A.data(), host_A_.data(), bytes_A, cudaMemcpyHostToDevice, stream),
               "copying A");
    check_cuda(cudaMemcpyAsync(B.data(), host_B_.data(), bytes_B, cudaMemcpyHostToDevice, stream),
               "copying B");
    contender.launch({A.data(), B.data(), C.data()});
    check_cuda(cudaMemcpyAsync(host_C_.data(), C.data(), bytes_C, cudaMemcpyDeviceToHost, stream),
               "copying C back");
    check_cuda(cudaStreamSynchronize(stream), "running " + contender.name());
  }
  const double microseconds = (seconds_now() - start) * 1e6;
  check_cuda(cudaMemcpy(C_.data(), host_C_.data(), bytes_C, cudaMemcpyHostToDevice),
             "copying C to be looked at");
  return microseconds;
}

std::vector<Fingerprint> GpuStand::fingerprints(std::int64_t first_set, std::int64_t count) {
  check_cuda(cudaMemsetAsync(sums_.data(), 0, sums_.bytes(), place_.stream), "clearing fingerprints");
  fingerprint(matrices(C_, shape_.M * shape_.N), first_set, count, salt_, sums_.data(), place_.stream);
  std::vector<FingerprintSums> sums(static_cast<std::size_t>(count));
  check_cuda(cudaMemcpyAsync(sums.data(), sums_.data(), sums.size() * sizeof(FingerprintSums),
                             cudaMemcpyDeviceToHost, place_.stream),
             "copying fingerprints");
  check_cuda(cudaStreamSynchronize(place_.stream), "taking fingerprints");
  std::vector<Fingerprint> fingerprints;
  for (const FingerprintSums& one : sums)
    fingerprints.push_back(
        {one.hash, static_cast<std::int64_t>(one.unwritten), static_cast<std::int64_t>(one.non_finite)});
  return fingerprints;
}

JudgedOutput GpuStand::judge(std::int64_t set, bool thorough) {
  const auto found = references_.try_emplace({set, thorough}, shape_, inputs_seed_, set, thorough).first;
  const SampledReference& reference = found->second;
  const auto columns = static_cast<std::size_t>(shape_.N);
  std::vector<float> rows(reference.rows().size() * columns);
  const auto fetch = [&](std::size_t at, std::int64_t row, std::size_t count) {
    check_cuda(cudaMemcpyAsync(rows.data() + at * columns, buffers(set).C + row * shape_.N,
                               count * columns * sizeof(float), cudaMemcpyDeviceToHost, place_.stream),
               "copying rows of C");
  };
  if (static_cast<std::int64_t>(reference.rows().size()) == shape_.M)
    fetch(0, 0, reference.rows().size());
  else
    for (std::size_t i = 0; i < reference.rows().size(); ++i) fetch(i, reference.rows()[i], 1);
  check_cuda(cudaStreamSynchronize(place_.stream), "copying rows of C");
  return reference.judge(rows);
}

double GpuStand::now() { return seconds_now(); }

void GpuStand::pause(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

std::unique_ptr<Contender> GpuStand::contender(const Rung& rung) {
  place_.device.require_launchable(rung, shape_);
  return std::make_unique<RungContender>(rung, shape_, place_.stream);
}

std::vector<Rival> GpuStand::rivals() { return place_.cublas.rivals(shape_); }

}  // namespace tilewright::gpu
