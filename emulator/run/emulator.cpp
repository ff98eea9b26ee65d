// SPDX-License-Identifier: MIT
#include "emulator/run/emulator.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <limits>
#include <mutex>

#include "core/error.h"
#include "core/parallel.h"
#include "emulator/run/block_sample.h"
#include "emulator/run/line_counts.h"
#include "emulator/run/report.h"

namespace tilewright {
namespace {

constexpr std::uint64_t most_threads = 1024;

// A block computes all of its tile, however little of C is in it.
std::int64_t whole_tiles(std::int64_t extent, std::int64_t tile) { return ceil_div(extent, tile) * tile; }

TensorMap map_of(const TensorSource& source, const KernelArguments& arguments) {
  return emulated_map({.base = source.base(arguments.A, arguments.B, arguments.scratch),
                       .rows = source.rows,
                       .columns = source.columns,
                       .pitch = source.pitch,
                       .box_rows = source.box_rows,
                       .box_columns = source.box_columns});
}

}  // namespace

std::int64_t default_access_limit(std::int64_t M, std::int64_t N, std::int64_t K) {
  constexpr std::int64_t base = 10'000'000, each = 64;
  return base + each * M * N * K;
}

// What the workers of one kernel share.
struct Emulator::Workshop {
  const EmulatedLaunch& launch;
  GlobalMemory& memory;
  const EmulatorSettings& settings;
  LineIndex& lines;  // of the launch
  CounterClocks counters{};
  std::vector<std::unique_ptr<Watcher>> watchers{};  // a worker each, where all blocks run
  std::vector<AddressRange> shared{};                // of each of them

  KernelArguments arguments() const {
    KernelArguments all{.A = memory.data(0),
                        .B = memory.data(1),
                        .C = memory.data(2),
                        .M = static_cast<int>(launch.M),
                        .N = static_cast<int>(launch.N),
                        .K = static_cast<int>(launch.K),
                        .scratch = memory.buffers().size() > 3 ? memory.data(3) : nullptr};
    if (!launch.tensors) return all;
    all.of_a = map_of(launch.tensors->a, all);
    all.of_b = map_of(launch.tensors->b, all);
    return all;
  }

  BlockTask task() const {
    return {.kernel = launch.kernel,
            .arguments = arguments(),
            .grid = launch.grid,
            .block = launch.block,
            .thread_order = settings.thread_order,
            .seed = settings.seed};
  }

  std::unique_ptr<Watcher> watcher(AddressRange block_memory) {
    Watcher::Limits limits{
        .accesses_per_block =
            settings.max_accesses > 0
                ? settings.max_accesses
                : default_access_limit(whole_tiles(launch.M, launch.tile.rows),
                                       whole_tiles(launch.N, launch.tile.columns), launch.K),
        .events_per_site = settings.findings_per_line,
        .line_of = {},
        .overlaps = launch.overlaps};
    if (settings.see_warps) limits.line_of = [this](std::uintptr_t pc) { return lines.number_of(pc); };
    auto made = std::make_unique<Watcher>(memory, counters, launch.module.code(), launch.module.data(),
                                          block_memory, std::move(limits));
    if (launch.module.has_warp_words()) made->expect_warp_words();
    return made;
  }
};

namespace {

void require_runnable(const EmulatedLaunch& launch) {
  if (launch.block.count() == 0 || launch.block.count() > most_threads)
    throw bad_input("block", std::to_string(launch.block.count()) + " threads",
                    "a block has 1 to " + std::to_string(most_threads) + " threads");
  if (launch.grid.count() > std::numeric_limits<std::uint32_t>::max())
    throw bad_input("grid", std::to_string(launch.grid.count()) + " blocks",
                    "the emulator runs at most 2^32 - 1");
  if (launch.grid.x % launch.cluster != 0)
    throw bad_input("grid", std::to_string(launch.grid.x) + " blocks along x",
                    "a multiple of the cluster's " + std::to_string(launch.cluster));
}

}  // namespace

EmulatorReport Emulator::launch(const EmulatedLaunch& launch, GlobalMemory& memory,
                                const EmulatorSettings& settings) {
  for (const EmulatedLaunch* kernel = &launch; kernel != nullptr; kernel = kernel->first)
    require_runnable(*kernel);
  if (settings.sample_blocks && !launch.block_a_tile)
    throw Error(Code::unsupported, "--sample-blocks", launch.kernel_name,
                "its blocks are not one a tile, so a few cannot stand for all; run it without");
  memory.forget_writers();
  LineIndex lines(launch.module);
  Workshop own{.launch = launch, .memory = memory, .settings = settings, .lines = lines};
  if (settings.sample_blocks) return launch_sampled(own);
  if (launch.first == nullptr) return launch_all(nullptr, own);
  Workshop first{.launch = *launch.first, .memory = memory, .settings = settings, .lines = lines};
  return launch_all(&first, own);
}

// As many workers as there is work for, or groups of so many.
std::size_t Emulator::hire(std::uint64_t tasks, int workers, std::size_t of_group) {
  const auto most = static_cast<std::uint64_t>(workers > 0 ? workers : core_count());
  const std::size_t hired = std::min(most, tasks);
  while (schedulers_.size() < hired * of_group) schedulers_.push_back(std::make_unique<ThreadScheduler>());
  return hired;
}

// All blocks of one kernel. Those of a cluster have a worker each, and the clusters of a group of workers follow each other.
void Emulator::run_blocks(Workshop& workshop) {
  const EmulatedLaunch& launch = workshop.launch;
  const EmulatorSettings& settings = workshop.settings;
  const BlockTask task = workshop.task();
  const std::size_t size = launch.cluster;
  std::vector<std::uint32_t> clusters(launch.grid.count() / size);  // of one block each, as a rule
  put_in_order(clusters, settings.block_order, settings.seed, 0);
  const std::size_t groups = hire(clusters.size(), settings.workers, size), workers = groups * size;
  std::vector<std::unique_ptr<BlockCluster>> together;  // of each group
  for (std::size_t group = 0; group < groups; ++group)
    together.push_back(std::make_unique<BlockCluster>(size));
  std::vector<std::unique_ptr<Watcher>>& watchers = workshop.watchers;
  watchers.resize(workers);
  workshop.shared.resize(workers);
  std::atomic<std::size_t> next{0};
  std::atomic<bool> run_away{false};
  on_each_worker(static_cast<int>(workers), [&](int number) {
    const auto worker = static_cast<std::size_t>(number);
    const FaultGuard guard;
    // Thread-local, so it differs from worker to worker.
    workshop.shared[worker] = launch.module.shared_memory(launch.dynamic_shared_bytes);
    watchers[worker] = workshop.watcher(workshop.shared[worker]);
    Watcher& watcher = *watchers[worker];
    if (size > 1) {
      const ClusterSeat seat{together[worker / size].get(), worker % size};
      seat.cluster->join(seat.rank, watcher);
      for (std::size_t i = worker / size; i < clusters.size() && seat.cluster->begin(seat.rank);
           i += groups) {
        schedulers_[worker]->run_block(task, clusters[i] * size + seat.rank, i * size + seat.rank, watcher,
                                       seat);
        seat.cluster->end(seat.rank, watcher.ran_away());
      }
      return;
    }
    for (std::size_t i = next++; i < clusters.size() && !run_away; i = next++) {
      schedulers_[worker]->run_block(task, clusters[i], i, watcher);
      if (watcher.ran_away()) run_away = true;  // each further block would take as long
    }
  });
}

EmulatorReport Emulator::launch_all(Workshop* first, Workshop& own) {
  EmulatorReport report;
  report.computed = {{0, 0, own.launch.M, own.launch.N}};
  const std::size_t cap = own.settings.findings_per_line;
  std::vector<std::unique_ptr<Watcher>> watchers;  // of both kernels
  const auto run = [&](Workshop& workshop) {
    run_blocks(workshop);
    const bool whole =
        report_findings(report, workshop.launch, own.memory, workshop.watchers, workshop.shared, cap);
    std::move(workshop.watchers.begin(), workshop.watchers.end(), std::back_inserter(watchers));
    return whole;
  };
  if (first != nullptr) {
    run(*first);
    own.memory.end_kernel();
  }
  if (report.findings_total == 0 && run(own))
    report_left_behind(report, own.launch, own.memory, report.computed, cap);
  count_lines(report, own.launch.module, own.lines, watchers);
  return report;
}

// Each sampled block has a watcher, and so counts, of its own; it is kept only if it has something to say.
EmulatorReport Emulator::launch_sampled(Workshop& workshop) {
  const EmulatedLaunch& launch = workshop.launch;
  const std::vector<BlockClass> classes = classes_of_blocks(launch, workshop.settings.seed);
  std::vector<std::uint32_t> blocks;
  for (const BlockClass& one : classes) blocks.insert(blocks.end(), one.sampled.begin(), one.sampled.end());
  std::vector<EmulatorReport> of_block(blocks.size());
  std::vector<std::unique_ptr<Watcher>> telling;
  std::vector<AddressRange> shared;
  std::mutex telling_lock;
  const BlockTask task = workshop.task();
  const auto run = [&](int worker, std::int64_t number) {
    const auto i = static_cast<std::size_t>(number);
    const FaultGuard guard;
    const AddressRange own_shared = launch.module.shared_memory(launch.dynamic_shared_bytes);
    std::vector<std::unique_ptr<Watcher>> watcher;
    watcher.push_back(workshop.watcher(own_shared));
    schedulers_[static_cast<std::size_t>(worker)]->run_block(task, blocks[i], i, *watcher.front());
    count_lines(of_block[i], launch.module, workshop.lines, watcher);
    if (watcher.front()->log().buckets().empty()) return;
    const std::lock_guard hold(telling_lock);
    telling.push_back(std::move(watcher.front()));
    shared.push_back(own_shared);
  };
  const std::size_t workers = hire(blocks.size(), workshop.settings.workers);
  parallel_for(static_cast<std::int64_t>(blocks.size()), static_cast<int>(workers), run);

  EmulatorReport found;
  for (const std::uint32_t block : blocks) found.computed.push_back(region_of_block(launch, block));
  const std::size_t cap = workshop.settings.findings_per_line;
  if (report_findings(found, launch, workshop.memory, telling, shared, cap))
    report_left_behind(found, launch, workshop.memory, found.computed, cap);
  EmulatorReport report = extrapolate(launch, classes, of_block, found.findings.empty());
  report.findings = std::move(found.findings);
  report.findings_total = found.findings_total;
  report.computed = std::move(found.computed);
  return report;
}

}  // namespace tilewright
