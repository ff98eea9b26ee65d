// SPDX-License-Identifier: MIT
// Kernels include device_launch_parameters.h; what they use of it, the injected prelude already gives.
#pragma once
