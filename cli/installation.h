// SPDX-License-Identifier: MIT
//
// Where the program, or the Python module, finds what belongs to it: kernel modules, and what compiling a user's
// kernel needs.
#pragma once

#include <string>

namespace tilewright {

struct Installation {
  std::string root;                   // holds lib/tilewright/ and share/tilewright/
  std::string rung_folder = "rungs";  // below lib/tilewright/: the kernels this program knows
  std::string callbacks = {};         // the library that holds the emulator; empty: the program itself does

  std::string resources() const { return root + "/share/tilewright"; }
  std::string rungs() const { return root + "/lib/tilewright/" + rung_folder; }
};

}  // namespace tilewright
