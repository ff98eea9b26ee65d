// SPDX-License-Identifier: MIT
// Kernels include cuda_runtime_api.h; what they use of it, the injected prelude already gives.
#pragma once
