// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace tilewright {

// 12345678 as "12,345,678".
std::string with_commas(std::int64_t number);

}  // namespace tilewright
