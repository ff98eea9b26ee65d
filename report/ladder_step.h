// SPDX-License-Identifier: MIT
//
// One file of the ladder with what its page says of it.
#pragma once

#include <string>
#include <vector>

#include "report/rung_texts.h"

namespace tilewright {

struct LadderStep {
  std::string page;  // "kernels/fp32/01_direct.md"
  std::string idea;
  std::vector<std::string> rungs;
  RungTexts texts;

  bool candidate() const { return page.find("/candidates/") != std::string::npos; }
  // "direct"
  std::string name() const;
};

// The steps whose rungs are the modules in a folder, with their pages, which lie below `root` as the sources lie in the
// repository. Throws bad_input on a page that cannot be read or lacks its paragraphs.
std::vector<LadderStep> read_steps(const std::string& root, const std::string& modules);

}  // namespace tilewright
