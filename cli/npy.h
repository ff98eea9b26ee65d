// SPDX-License-Identifier: MIT
//
// Matrices on disk, in NumPy's .npy format: how `tilewright multiply` gets its operands and leaves its
// product. One kind of array is accepted: little-endian float32 ('<f4'), two dimensions, row-major (C order),
// in format version 1.0, 2.0 or 3.0. Nothing is converted: every other array is refused by name, with the
// rule it breaks. Format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
//
// Values are not judged here: NaN and infinity pass through in both directions, bit for bit.
#pragma once

#include <string>

#include "core/shape.h"

namespace tilewright {

// The matrix in the .npy file at `path`. Throws Error (bad_input), one line naming the file, what is wrong,
// the value and the rule. Allocates no more than the file is long, whatever its header claims. The path must
// name a regular file (a pipe has no size to check against).
Matrix read_npy(const std::string& path);

// Writes `matrix` (at least 1 x 1) to `path` as version 1.0, with the same bytes as numpy.save. All or
// nothing: the bytes go to a temporary file in the target's directory, which replaces the target only when it
// is complete; on failure the temporary file is gone, an existing target is as it was, and Error (bad_input)
// names the path and the system's reason. A symbolic link is followed; a target that exists and is no regular
// file is refused.
void write_npy(const std::string& path, const Matrix& matrix);

}  // namespace tilewright
