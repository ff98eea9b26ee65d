// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace tilewright {

// All bytes of a file. Throws bad_input naming `argument` and the path when it cannot be read.
std::string read_file(const std::string& path, const std::string& argument = "file");

}  // namespace tilewright
