// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "web/pages.h"

namespace tilewright {

// The page as one text. Throws unavailable, with the reason, where the program was built without it.
std::string whole_page(const Page& page);

}  // namespace tilewright
