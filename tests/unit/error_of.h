// SPDX-License-Identifier: MIT
//
// The Error an action throws, and the check that it is the one line that a refusal has to be: what, the value
// and the rule, with the parts that a test asks for.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "core/error.h"

namespace tilewright {

template <class Action>
std::optional<Error> error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

template <class Action>
void expect_error(Action action, Code code, const std::vector<std::string>& parts) {
  const std::optional<Error> error = error_of(action);
  if (!error) {
    ADD_FAILURE() << "nothing was refused; expected: " << (parts.empty() ? "" : parts.front());
    return;
  }
  const std::string message = error->what();
  EXPECT_EQ(error->code, code) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  for (const std::string& part : parts)
    EXPECT_NE(message.find(part), std::string::npos) << "no '" << part << "' in: " << message;
}

}  // namespace tilewright
