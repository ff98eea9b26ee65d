// SPDX-License-Identifier: MIT
#include "bench/plan.h"

namespace tilewright {

std::string to_string(Cache cache) {
  return cache == Cache::warm ? "warm" : cache == Cache::rotate ? "rotate" : "cold";
}

std::string to_string(Mode mode) {
  return mode == Mode::boost ? "boost" : mode == Mode::sustained ? "sustained" : "quick";
}

std::string to_string(Boundary boundary) { return boundary == Boundary::device ? "device" : "end-to-end"; }

}  // namespace tilewright
