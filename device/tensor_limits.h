// SPDX-License-Identifier: MIT
//
// What may be a matrix that tensor copies take boxes of, as the driver's makers of tensor maps have it and no matter where
// the rung runs.
#pragma once

#include <string>

#include "kernels/rung.h"

namespace tilewright {

// Throws Error(unsupported) that names the tensor, what it asks for and what `of` allows. That a box's rows are whole pieces
// of 16 bytes is left to the devices: the emulator tells of it on the line that copies.
void require_tensors_within(const std::string& of, const Rung& rung, const Problem& problem);

}  // namespace tilewright
