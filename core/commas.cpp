// SPDX-License-Identifier: MIT
#include "core/commas.h"

namespace tilewright {

std::string with_commas(std::int64_t number) {
  std::string digits = std::to_string(number);
  for (std::int64_t at = static_cast<std::int64_t>(digits.size()) - 3; at > (number < 0 ? 1 : 0); at -= 3)
    digits.insert(static_cast<std::size_t>(at), ",");
  return digits;
}

}  // namespace tilewright
