// SPDX-License-Identifier: MIT
//
// The header of a .npy file, a Python dict literal with three keys:
//
//   {'descr': '<f4', 'fortran_order': False, 'shape': (1797, 64), }
//
// The literal is parsed, never evaluated. Whether the array it describes is one that we read is npy.cpp's
// part; so are magic, version and length. The words of both for what they refuse are here.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "core/error.h"

namespace tilewright {

struct NpyHeader {
  std::string_view descr, shape;  // as written in the file
  bool fortran_order = false;
  std::size_t rank = 0;
  std::array<std::uint64_t, 2> extents{};  // the first two; one too large for 64 bits is the largest
};

// The views in the result point into `text`. Throws Error (bad_input) naming the file, the offending token,
// its place and the rule, for anything but a dict of exactly these keys.
NpyHeader parse_npy_header(const std::string& path, std::string_view text);

inline constexpr const char* npy_dtype_rule = "; only '<f4', little-endian float32, is read";

// Text fit for a one-line message: bytes below ' ' or above `last` become \xNN; cut after `most` bytes.
std::string printable(std::string_view text, std::size_t most = 72, unsigned char last = '~');

// A path in a message: whole, UTF-8 left as it is.
inline std::string npy_path_text(const std::string& path) { return printable(path, path.size(), 0xff); }

// The file's name, what is wrong in it, the offending bytes and the rule.
Error npy_refusal(const std::string& path, const char* what, std::string_view value, std::string rule);

}  // namespace tilewright
