// SPDX-License-Identifier: MIT
#include "emulator/run/emulator.h"

#include <algorithm>
#include <atomic>
#include <limits>

#include "core/error.h"
#include "core/parallel.h"
#include "emulator/run/report.h"

namespace tilewright {
namespace {

constexpr std::uint64_t most_threads = 1024;

}  // namespace

std::int64_t default_access_limit(std::int64_t M, std::int64_t N, std::int64_t K) {
  constexpr std::int64_t base = 10'000'000, each = 64;
  return base + each * M * N * K;
}

EmulatorReport Emulator::launch(const EmulatedLaunch& launch, GlobalMemory& memory,
                                const EmulatorSettings& settings) {
  if (launch.block.count() == 0 || launch.block.count() > most_threads)
    throw bad_input("block", std::to_string(launch.block.count()) + " threads",
                    "a block has 1 to " + std::to_string(most_threads) + " threads");
  if (launch.grid.count() > std::numeric_limits<std::uint32_t>::max())
    throw bad_input("grid", std::to_string(launch.grid.count()) + " blocks",
                    "the emulator runs at most 2^32 - 1");
  memory.forget_writers();
  const BlockTask task{
      .kernel = launch.kernel,
      .arguments = {memory.data(0), memory.data(1), memory.data(2), static_cast<int>(launch.M),
                    static_cast<int>(launch.N), static_cast<int>(launch.K)},
      .grid = launch.grid,
      .block = launch.block,
      .thread_order = settings.thread_order,
      .seed = settings.seed};
  const std::int64_t limit =
      settings.max_accesses > 0 ? settings.max_accesses : default_access_limit(launch.M, launch.N, launch.K);
  const Watcher::Limits limits{.accesses_per_block = limit,
                               .events_per_site = settings.findings_per_line,
                               .see_warps = settings.see_warps};

  std::vector<std::uint32_t> blocks(launch.grid.count());
  put_in_order(blocks, settings.block_order, settings.seed, 0);
  const auto most_workers =
      static_cast<std::uint64_t>(settings.workers > 0 ? settings.workers : core_count());
  const std::size_t workers = std::min(most_workers, launch.grid.count());
  while (schedulers_.size() < workers) schedulers_.push_back(std::make_unique<ThreadScheduler>());

  std::vector<std::unique_ptr<Watcher>> watchers(workers);
  std::vector<AddressRange> shared(workers);
  std::atomic<std::size_t> next{0};
  std::atomic<bool> run_away{false};
  on_each_worker(static_cast<int>(workers), [&](int number) {
    const auto worker = static_cast<std::size_t>(number);
    const FaultGuard guard;
    shared[worker] = launch.module.shared_memory();  // thread-local, so it differs from worker to worker
    watchers[worker] =
        std::make_unique<Watcher>(memory, launch.module.code(), launch.module.data(), shared[worker], limits);
    if (launch.module.has_warp_words()) watchers[worker]->expect_warp_words();
    for (std::size_t i = next++; i < blocks.size() && !run_away; i = next++) {
      schedulers_[worker]->run_block(task, blocks[i], i, *watchers[worker]);
      if (watchers[worker]->ran_away()) run_away = true;  // each further block would take as long
    }
  });
  return make_report(launch, memory, watchers, shared, settings.findings_per_line);
}

}  // namespace tilewright
