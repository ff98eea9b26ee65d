// SPDX-License-Identifier: MIT
//
// How many memory accesses a second the emulator watches on one core, with every detector on. The counter
// `accesses` is the figure that the changelog and the issues speak of.
#include <benchmark/benchmark.h>

#include <cmath>

#include "device/emulator_device.h"
#include "judge/inputs.h"

namespace {

using namespace tilewright;

std::int64_t accesses_of(const Counts& counts) {
  return counts.global_reads.accesses + counts.global_writes.accesses + counts.shared_reads.accesses +
         counts.shared_writes.accesses;
}

void watch(benchmark::State& state, const std::string& rung_name) {
  Catalog catalog;
  catalog.load_folder(TILEWRIGHT_LIB_DIR "/rungs");
  EmulatorSettings settings;
  settings.workers = 1;
  EmulatorDevice device(catalog, settings);
  const Rung& rung = catalog.find(rung_name);
  constexpr std::int64_t side = 256;
  const Operands operands = make_inputs(find_family("uniform"), {side, side, side}, 1);
  std::int64_t accesses = 0;
  for (auto _ : state) {
    const Product product = multiply(device, rung, operands.A, operands.B);
    if (!product.findings.empty()) state.SkipWithError("a finding against an honest rung");
    accesses += accesses_of(*product.counts);
  }
  state.counters["accesses"] = benchmark::Counter(static_cast<double>(accesses), benchmark::Counter::kIsRate);
}

BENCHMARK_CAPTURE(watch, direct, "direct")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(watch, direct_rows, "direct_rows")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(watch, shared_tile_8, "shared_tile_8")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(watch, shared_tile_16, "shared_tile_16")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(watch, shared_tile_32, "shared_tile_32")->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
