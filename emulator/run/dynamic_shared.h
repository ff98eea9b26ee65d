// SPDX-License-Identifier: MIT
//
// Dynamic shared memory: `extern __shared__ T name[];`, whose size the launch gives. To the host compiler it
// is an undefined thread-local variable. One block of the asked size is defined for all such names of a
// module, behind its static shared memory, as on the GPU; docs/decisions/0005 says why so.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright {

// The symbol that stands where the block begins, in every module that has one.
inline constexpr const char* dynamic_shared_symbol = "tilewright_dynamic_shared";

// The mangled names of the thread-local variables that a compiled object uses and does not define.
std::vector<std::string> undefined_thread_locals(const std::string& object);

// Assembly that defines all of them at one place, `bytes` long. It must be linked last.
std::string dynamic_shared_assembly(const std::vector<std::string>& names, std::int64_t bytes);

}  // namespace tilewright
