// SPDX-License-Identifier: MIT
#include "report/rung_texts.h"

#include <sstream>

#include "core/error.h"

namespace tilewright {
namespace {

// From its label to the next empty line, on one line and without the label.
std::string paragraph(const std::string& markdown, const std::string& label, const std::string& path) {
  std::string text;
  bool found = false, inside = false;
  std::istringstream stream(markdown);
  for (std::string line; std::getline(stream, line);) {
    if (line.rfind(label, 0) == 0) {
      if (found) throw bad_input("rung's page", path, "has two paragraphs that begin with " + label);
      found = inside = true;
      line.erase(0, std::min(line.size(), label.size() + 1));
    } else if (line.empty()) {
      inside = false;
    }
    if (inside && !line.empty()) text += (text.empty() ? "" : " ") + line;
  }
  if (text.empty()) throw bad_input("rung's page", path, "has no paragraph that begins with " + label);
  return text;
}

}  // namespace

RungTexts rung_texts(const std::string& markdown, const std::string& path) {
  return {paragraph(markdown, "**Predicted effect:**", path), paragraph(markdown, "**Decision:**", path)};
}

}  // namespace tilewright
