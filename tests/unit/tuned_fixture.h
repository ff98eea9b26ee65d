// SPDX-License-Identifier: MIT
//
// A tuned table of a GPU that does not exist, for tests of choosing and of reading tables.
#pragma once

#include <string>
#include <vector>

#include "gemm/tuned_table.h"
#include "tests/unit/plan_rungs.h"

namespace tilewright {

inline std::vector<Rung> paper_rungs() {
  std::vector<Rung> rungs{rung_named("direct"), rung_named("few_rows", 8), rung_named("large_tile", 128),
                          rung_named("quads", 64)};
  for (Rung& rung : rungs) rung.block = {16, 16};
  return rungs;
}

inline std::vector<std::string> paper_names() { return {"direct", "few_rows", "large_tile", "quads"}; }

inline TunedTable paper_table() {
  return {.gpu = "Paper GPU",
          .multiprocessors = 100,
          .driver = "1.2",
          .revision = std::string(40, 'a'),
          .dirty = false,
          .rows = {{{1, 4096, 4096}, "few_rows", 5.0, "direct", 20.0},
                   {{4096, 4096, 64}, "quads", 40.0, "large_tile", 44.0},
                   {{4096, 4096, 4096}, "large_tile", 2500.0, "quads", 2600.0},
                   {{4097, 4095, 4093}, "direct", 3000.0, "", 0.0}}};
}

}  // namespace tilewright
