// SPDX-License-Identifier: MIT
//
// `auto` as a contender: it launches the rung that is chosen for the shape, keeps its own name, and describes itself by
// the rung, its description and the reason.
#pragma once

#include <memory>

#include "bench/run_bench.h"

namespace tilewright {

std::unique_ptr<Contender> chosen_contender(Stand& stand, Shape shape, const ChooseRung& choose);

}  // namespace tilewright
