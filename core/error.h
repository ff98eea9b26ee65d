// SPDX-License-Identifier: MIT
//
// The one error type. Everything the product refuses, it refuses by name: which argument, its value, and the
// rule it breaks. Library code throws it; only the command line turns it into text and an exit status.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace tilewright {

enum class Code {
  bad_input,    // usage, a file or a value outside its contract; exit status 2
  unsupported,  // a limit of this kernel or this device; UNSUPPORTED(rule)
  unavailable,  // this machine has no GPU, compiler or counter that was asked for; exit status 3
  fault,        // the kernel ran and faulted or hung; exit status 1
};

class Error : public std::runtime_error {
 public:
  Error(Code error_code, std::string what, std::string bad_value, std::string broken_rule)
      : std::runtime_error(what + (bad_value.empty() ? "" : " '" + bad_value + "'") + ": " + broken_rule),
        code(error_code),
        argument(std::move(what)),
        value(std::move(bad_value)),
        rule(std::move(broken_rule)) {}

  Code code;
  std::string argument;
  std::string value;
  std::string rule;
  std::string details;  // what another program said about it, such as a compiler; may be many lines
};

inline Error bad_input(std::string argument, std::string value, std::string rule) {
  return {Code::bad_input, std::move(argument), std::move(value), std::move(rule)};
}

}  // namespace tilewright
