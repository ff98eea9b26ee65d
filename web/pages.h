// SPDX-License-Identifier: MIT
//
// The pages that are embedded in the program: one file each, which asks for nothing when it is opened.
#pragma once

#include <span>
#include <string_view>

namespace tilewright {

struct Page {
  std::span<const std::string_view> pieces;  // one after another, the file
  std::string_view absent;                   // or why this program has none: "Node … was not found"
};

Page explorer_page();

// A report without its data, which go where the line <!--report--> stands, once.
Page report_shell();

}  // namespace tilewright
