// SPDX-License-Identifier: MIT
#include "report/rung_texts.h"

#include <gtest/gtest.h>

#include "tests/unit/error_of.h"

namespace tilewright {
namespace {

TEST(RungTexts, AreTheParagraphsWithTheirLabels) {
  const RungTexts texts = rung_texts(
      "# a\n\ntext\n\n**Predicted effect:** up to 2,\nnot more.\n\n**Decision:** kept.\n\nmore **Decision:** "
      "text\n",
      "a.md");
  EXPECT_EQ(texts.predicted_effect, "up to 2, not more.");
  EXPECT_EQ(texts.decision, "kept.");
}

TEST(RungTexts, WhatIsMissingEmptyOrTwiceIsRefused) {
  const std::string predicted = "**Predicted effect:** p\n\n", decision = "**Decision:** d\n";
  const auto refused = [](const std::string& text, const std::string& rule) {
    expect_error([&] { rung_texts(text, "a.md"); }, Code::bad_input, {"'a.md'", rule});
  };
  refused(predicted, "has no paragraph that begins with **Decision:**");
  refused(decision, "has no paragraph that begins with **Predicted effect:**");
  refused(predicted + "**Decision:**\n\ntext\n", "has no paragraph that begins with **Decision:**");
  refused(predicted + decision + "\n" + decision, "has two paragraphs that begin with **Decision:**");
}

}  // namespace
}  // namespace tilewright
