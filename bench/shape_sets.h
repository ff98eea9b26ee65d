// SPDX-License-Identifier: MIT
//
// What --shapes of `tilewright bench` means: MxNxK and names of sets, in any mixture. The sets are a file, so that what
// speed is judged on is declared and not chosen afterwards.
#pragma once

#include <string>
#include <vector>

#include "core/shape.h"

namespace tilewright {

struct DeclaredSet {
  std::string name;
  std::vector<Shape> shapes;
};

// The sets of a file such as bench/shapes.json, in its order. Throws bad_input.
std::vector<DeclaredSet> declared_sets(const std::string& sets_path);

// Each shape once, in the order given. `sets_path` is a file such as bench/shapes.json; it is read only for names.
// Throws bad_input; a name that is no set with the nearest that is. The shapes are the library's (judge/contract.h).
std::vector<Shape> parse_shapes(const std::string& list, const std::string& sets_path);

}  // namespace tilewright
