// SPDX-License-Identifier: MIT
//
// What docs/ladder.md is made of, read from a copy of the repository and from the built modules of the rungs.
#pragma once

#include "bench/ladder_page.h"

namespace tilewright {

// `source` is the repository, `lib` the build's lib/tilewright/, `results` a folder below `source` such as results/h200.
// Throws bad_input on what cannot be read.
LadderSources read_ladder_sources(const std::string& source, const std::string& lib,
                                  const std::string& results);

}  // namespace tilewright
