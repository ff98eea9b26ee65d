// SPDX-License-Identifier: MIT
//
// What people read of findings about bulk copies and their barriers (emulator/run/bulk_barriers.h).
#pragma once

#include <string>

#include "emulator/watch/event_log.h"

namespace tilewright {

// Whether the finding names a barrier, not what is copied.
bool is_about_barrier(BulkTrouble trouble);

struct BulkParties {
  std::string who;      // "thread (0, 0, 0) of block (0, 0, 0)"
  std::string element;  // or the barrier
  std::string other;    // "thread (1, 0, 0) (line 12)"
};
std::string text_of(const Event& event, const BulkParties& parties);

}  // namespace tilewright
