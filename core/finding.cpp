// SPDX-License-Identifier: MIT
#include "core/finding.h"

#include <algorithm>

namespace tilewright {

std::string_view name_of(FindingKind kind) {
  switch (kind) {
    case FindingKind::race:
      return "race";
    case FindingKind::uninitialized_shared_read:
      return "uninitialized_shared_read";
    case FindingKind::uninitialized_output_read:
      return "uninitialized_output_read";
    case FindingKind::uninitialized_scratch_read:
      return "uninitialized_scratch_read";
    case FindingKind::out_of_bounds:
      return "out_of_bounds";
    case FindingKind::misaligned_access:
      return "misaligned_access";
    case FindingKind::barrier_divergence:
      return "barrier_divergence";
    case FindingKind::double_write:
      return "double_write";
    case FindingKind::unwritten_output:
      return "unwritten_output";
    case FindingKind::counter_not_zero:
      return "counter_not_zero";
    case FindingKind::input_modified:
      return "input_modified";
    case FindingKind::launch_not_waited_for:
      return "launch_not_waited_for";
    case FindingKind::shared_memory_gone:
      return "shared_memory_gone";
    case FindingKind::access_limit:
      return "access_limit";
    case FindingKind::fault:
      return "fault";
  }
  return "unknown";
}

WarpCounts& WarpCounts::operator+=(const WarpCounts& other) {
  requests += other.requests;
  lanes += other.lanes;
  sectors += other.sectors;
  ideal_sectors += other.ideal_sectors;
  wavefronts += other.wavefronts;
  bank_conflicts += other.bank_conflicts;
  most_ways = std::max(most_ways, other.most_ways);
  return *this;
}

WarpCounts WarpCounts::times(std::int64_t n) const {
  WarpCounts all = *this;
  for (std::int64_t* count :
       {&all.requests, &all.lanes, &all.sectors, &all.ideal_sectors, &all.wavefronts, &all.bank_conflicts})
    *count *= n;
  return all;
}

}  // namespace tilewright
