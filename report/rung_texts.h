// SPDX-License-Identifier: MIT
//
// What a rung's page says for the page of the ladder: two paragraphs that begin with **Predicted effect:** and
// **Decision:**, so that neither is written twice.
#pragma once

#include <string>

namespace tilewright {

struct RungTexts {
  std::string predicted_effect, decision;
};

// Throws bad_input naming `path` when a paragraph is missing, empty or there twice.
RungTexts rung_texts(const std::string& markdown, const std::string& path);

}  // namespace tilewright
