// SPDX-License-Identifier: MIT
#include "bench/gpu_ceilings.h"

#include <algorithm>
#include <chrono>

#include "bench/statistics.h"
#include "device/gpu_launch.h"

namespace tilewright::gpu {
namespace {

// A chip that was idle takes a good part of a second to reach its clock.
constexpr double seconds_to_wake = 0.5, seconds_of_a_ceiling = 0.1;
constexpr int samples_of_a_cost = 51;
constexpr int launches_of_an_empty_batch = 200;

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

template <class Launch>
double time_once(Workplace& place, Launch launch) {
  place.clock.start();
  launch();
  place.clock.stop();
  check_cuda(cudaGetLastError(), "launching a kernel of the calibration");
  return place.clock.microseconds();
}

// Queued before the clock starts, so that the host's pace is not in it.
template <class Launch>
double time_queued(Workplace& place, Launch launch) {
  place.hold.begin(place.stream);
  place.clock.start();
  launch();
  place.clock.stop();
  place.hold.release();
  check_cuda(cudaGetLastError(), "launching a kernel of the calibration");
  return place.clock.microseconds();
}

template <class Launch>
double fastest(Workplace& place, double seconds, Launch launch) {
  const double end = seconds_now() + seconds;
  double least = time_once(place, launch);
  while (seconds_now() < end) least = std::min(least, time_once(place, launch));
  return least;
}

template <class Sample>
double median_of(Sample sample) {
  std::vector<double> samples;
  for (int i = 0; i < samples_of_a_cost; ++i) samples.push_back(sample());
  return median(samples);
}

// Cycles of one dependent load past the L1, from lines that were just read or from lines that a flush threw out. Lines
// 4 KiB apart, so that none comes along with its neighbour.
class CacheProbe {
 public:
  explicit CacheProbe(Workplace& place) : place_(place) {
    std::vector<unsigned> next(static_cast<std::size_t>(loads) * step);
    for (unsigned i = 0; i < loads; ++i) next[std::size_t{i} * step] = (i + 1) % loads * step;
    check_cuda(cudaMemcpy(next_.data(), next.data(), next_.bytes(), cudaMemcpyHostToDevice),
               "making the probe");
  }

  double ratio() {
    const double hit = median_of([&] {
      cycles();
      return cycles();
    });
    const double miss = median_of([&] {
      place_.flush(place_.stream);
      return cycles();
    });
    return hit > 0 ? miss / hit : 0;
  }

 private:
  static constexpr unsigned loads = 512, step = 1024;

  double cycles() {
    chase(next_.data(), loads, sink_.data(), cycles_.data(), place_.stream);
    long long cycles = 0;
    check_cuda(cudaMemcpyAsync(&cycles, cycles_.data(), sizeof cycles, cudaMemcpyDeviceToHost, place_.stream),
               "reading the probe");
    check_cuda(cudaStreamSynchronize(place_.stream), "running the probe");
    return static_cast<double>(cycles) / loads;
  }

  Workplace& place_;
  Memory<unsigned> next_{std::int64_t{loads} * step, "the probe of the L2"};
  Memory<unsigned> sink_{1, "the probe's sink"};
  Memory<long long> cycles_{1, "the probe's clock"};
};

}  // namespace

Ceilings measure_ceilings(Workplace& place, int multiprocessors) {
  const std::int64_t vectors = (std::int64_t{1} << 30) / static_cast<std::int64_t>(sizeof(float4));
  const Memory<float4> from(vectors, "the memory that is copied"), to(vectors, "the copy");
  const Memory<float> sink(1, "a sink");
  const auto gigabytes = static_cast<double>(from.bytes()) * 1e-9;
  write_over(from.data(), vectors, 1.0F, place.stream);
  Ceilings ceilings;
  std::int64_t multiply_adds = 0;
  const auto fma = [&] { multiply_adds = multiply_add(sink.data(), multiprocessors, place.stream); };
  const double fma_us = fastest(place, seconds_to_wake, fma);
  ceilings.fma_tflops = 2 * static_cast<double>(multiply_adds) / (fma_us * 1e6);
  for (int i = 0; i < 20; ++i) fma();  // so that it is at work when the clock is asked for
  ceilings.clock_mhz = place.nvml.conditions().clock_mhz;
  const double copy_us =
      fastest(place, seconds_of_a_ceiling, [&] { copy(from.data(), to.data(), vectors, place.stream); });
  ceilings.copy_gbps = 2 * gigabytes / (copy_us * 1e-6);
  const double read_us =
      fastest(place, seconds_of_a_ceiling, [&] { read(from.data(), sink.data(), vectors, place.stream); });
  ceilings.read_gbps = gigabytes / (read_us * 1e-6);
  return ceilings;
}

Calibration calibrate(Workplace& place) {
  const bool overlaps = launches_can_overlap();
  Calibration calibration;
  calibration.event_pair_us = median_of([&] { return time_queued(place, [] {}); });
  calibration.single_launch_us =
      median_of([&] { return time_queued(place, [&] { empty(overlaps, place.stream); }); });
  const double batch_us = median_of([&] {
    return time_queued(place, [&] {
      for (int i = 0; i < launches_of_an_empty_batch; ++i) empty(overlaps, place.stream);
    });
  });
  calibration.empty_launch_us = batch_us / launches_of_an_empty_batch;
  calibration.flush_ratio = CacheProbe(place).ratio();
  return calibration;
}

}  // namespace tilewright::gpu
