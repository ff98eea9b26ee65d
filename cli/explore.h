// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "web/pages.h"

namespace tilewright {

// The page as one text. Throws unavailable naming the page, with the reason, where the program was built without it.
std::string whole_page(const Page& page, const std::string& name);

}  // namespace tilewright
