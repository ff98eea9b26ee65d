// SPDX-License-Identifier: MIT
#include "bench/gpu_ceilings.h"

#include <algorithm>
#include <numeric>

#include "bench/statistics.h"

namespace tilewright::gpu {
namespace {

constexpr int launches_of_a_ceiling = 12;
constexpr int samples_of_a_cost = 51;
constexpr int launches_of_an_empty_batch = 200;

template <class Launch>
double time_once(Workplace& place, Launch launch) {
  place.clock.start();
  launch();
  place.clock.stop();
  check_cuda(cudaGetLastError(), "launching a kernel of the calibration");
  return place.clock.microseconds();
}

template <class Launch>
double fastest(Workplace& place, Launch launch) {
  double least = time_once(place, launch);
  for (int i = 1; i < launches_of_a_ceiling; ++i) least = std::min(least, time_once(place, launch));
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
  const double fma_us =
      fastest(place, [&] { multiply_adds = multiply_add(sink.data(), multiprocessors, place.stream); });
  ceilings.fma_tflops = 2 * static_cast<double>(multiply_adds) / (fma_us * 1e6);
  ceilings.copy_gbps =
      2 * gigabytes / (fastest(place, [&] { copy(from.data(), to.data(), vectors, place.stream); }) * 1e-6);
  ceilings.read_gbps =
      gigabytes / (fastest(place, [&] { read(from.data(), sink.data(), vectors, place.stream); }) * 1e-6);
  return ceilings;
}

Calibration calibrate(Workplace& place) {
  Calibration calibration;
  calibration.event_pair_us = median_of([&] { return time_once(place, [] {}); });
  calibration.single_launch_us = median_of([&] { return time_once(place, [&] { empty(place.stream); }); });
  calibration.empty_launch_us = median_of([&] {
    place.hold.begin(place.stream);
    place.clock.start();
    for (int i = 0; i < launches_of_an_empty_batch; ++i) empty(place.stream);
    place.clock.stop();
    place.hold.release();
    return place.clock.microseconds() / launches_of_an_empty_batch;
  });
  calibration.flush_ratio = CacheProbe(place).ratio();
  return calibration;
}

}  // namespace tilewright::gpu
