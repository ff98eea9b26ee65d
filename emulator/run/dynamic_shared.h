// SPDX-License-Identifier: MIT
//
// Dynamic shared memory: `extern __shared__ T name[];`, whose size the launch gives. To the host compiler it
// is an undefined thread-local variable. One block is defined for all such names of a module, behind its static
// shared memory, as on the GPU: of the asked size for a user's kernel, and for the ladder's modules, which are linked
// before any launch, of the largest size there is, of which a launch gets what its rung declares.
// docs/decisions/0005 says why so.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright {

// The most that any GPU gives a block: 227 KiB of compute capability 9.0.
inline constexpr std::int64_t most_shared_bytes = 227 << 10;

// The symbol that stands where the block begins, in every module that has one.
inline constexpr const char* dynamic_shared_symbol = "tilewright_dynamic_shared";

// The mangled names of the thread-local variables that a compiled object uses and does not define.
std::vector<std::string> undefined_thread_locals(const std::string& object);

// Assembly that defines all of them at one place, `bytes` long, or nothing when there are none. It must be linked last.
std::string dynamic_shared_assembly(const std::vector<std::string>& names, std::int64_t bytes);

}  // namespace tilewright
