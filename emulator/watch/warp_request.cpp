// SPDX-License-Identifier: MIT
#include "emulator/watch/warp_request.h"

#include <algorithm>
#include <bit>

namespace tilewright {
namespace {

constexpr std::uint64_t sector_bytes = 32, word_bytes = 4, banks = 32;

// At most two sectors a lane, since no access is wider than 16 bytes.
WarpCounts count_global(const WarpRequest& request) {
  std::array<std::uint64_t, std::size_t{2} * warp_lanes> sectors;
  std::array<std::uint64_t, warp_lanes> starts;
  std::size_t touched = 0, lanes = 0;
  for (unsigned lane = 0; lane < warp_lanes; ++lane) {
    if ((request.active >> lane & 1U) == 0) continue;
    const std::uint64_t address = request.address[lane];
    starts[lanes++] = address;
    sectors[touched++] = address / sector_bytes;
    const std::uint64_t last = (address + request.bytes - 1) / sector_bytes;
    if (last != sectors[touched - 1]) sectors[touched++] = last;
  }
  const auto distinct = [](auto first, auto last) {
    if (!std::is_sorted(first, last)) std::sort(first, last);  // they mostly are: lanes walk upwards
    return static_cast<std::int64_t>(std::unique(first, last) - first);
  };
  WarpCounts counts;
  counts.sectors = distinct(sectors.begin(), sectors.begin() + static_cast<std::ptrdiff_t>(touched));
  const std::int64_t distinct_bytes =
      distinct(starts.begin(), starts.begin() + static_cast<std::ptrdiff_t>(lanes)) * request.bytes;
  counts.ideal_sectors = (distinct_bytes + std::int64_t{sector_bytes} - 1) / std::int64_t{sector_bytes};
  return counts;
}

// Whether no bank is asked for two different words: the common case, told without sorting.
bool free_of_conflicts(const WarpRequest& request, unsigned first, unsigned lanes) {
  std::array<std::uint64_t, banks> word_of_bank;
  std::uint32_t asked = 0;
  for (unsigned lane = first; lane < first + lanes; ++lane) {
    if ((request.active >> lane & 1U) == 0) continue;
    const std::uint64_t last = (request.address[lane] + request.bytes - 1) / word_bytes;
    for (std::uint64_t word = request.address[lane] / word_bytes; word <= last; ++word) {
      const std::uint64_t bank = word % banks;
      if ((asked >> bank & 1U) == 0)
        word_of_bank[bank] = word;
      else if (word_of_bank[bank] != word)
        return false;
      asked |= 1U << bank;
    }
  }
  return true;
}

// The most distinct words that these lanes ask of one bank: so many wavefronts the phase takes.
std::int64_t ways_of_phase(const WarpRequest& request, unsigned first, unsigned lanes) {
  const std::uint32_t of_phase = (lanes == warp_lanes ? ~0U : (1U << lanes) - 1) << first;
  if ((request.active & of_phase) == 0) return 0;
  if (free_of_conflicts(request, first, lanes)) return 1;
  std::array<std::uint64_t, std::size_t{4} * warp_lanes> words;
  std::size_t count = 0;
  for (unsigned lane = first; lane < first + lanes; ++lane) {
    if ((request.active >> lane & 1U) == 0) continue;
    const std::uint64_t last = (request.address[lane] + request.bytes - 1) / word_bytes;
    for (std::uint64_t word = request.address[lane] / word_bytes; word <= last && count < words.size();
         ++word)
      words[count++] = word;
  }
  std::sort(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(count));
  std::array<std::int64_t, banks> ways{};
  std::int64_t most = 0;
  for (std::size_t i = 0; i < count; ++i)
    if (i == 0 || words[i] != words[i - 1]) most = std::max(most, ++ways[words[i] % banks]);
  return most;
}

// A warp's request of 8 bytes a lane is served as two half-warps, of 16 bytes as four quarters.
WarpCounts count_shared(const WarpRequest& request) {
  const unsigned phases = std::max(1U, request.bytes / static_cast<unsigned>(word_bytes));
  const unsigned lanes = warp_lanes / phases;
  WarpCounts counts;
  for (unsigned phase = 0; phase < phases; ++phase) {
    const std::int64_t ways = ways_of_phase(request, phase * lanes, lanes);
    if (ways == 0) continue;
    counts.wavefronts += ways;
    counts.bank_conflicts += ways - 1;
    counts.most_ways = std::max(counts.most_ways, ways);
  }
  return counts;
}

}  // namespace

WarpCounts count_request(const WarpRequest& request, Space space) {
  WarpCounts counts = space == Space::global ? count_global(request) : count_shared(request);
  counts.requests = 1;
  counts.lanes = std::popcount(request.active);
  return counts;
}

}  // namespace tilewright
