// SPDX-License-Identifier: MIT
// Kernels include cuda.h; what they use of it, the injected prelude already gives.
#pragma once
