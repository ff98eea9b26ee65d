// SPDX-License-Identifier: MIT
#include "core/read_file.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/error.h"

namespace tilewright {

std::string read_file(const std::string& path, const std::string& argument) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream.is_open()) throw bad_input(argument, path, "cannot be read");
  if (std::filesystem::is_directory(path)) throw bad_input(argument, path, "is a folder");
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace tilewright
