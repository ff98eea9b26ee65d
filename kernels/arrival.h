// SPDX-License-Identifier: MIT
//
// How the blocks of one launch that share a piece of work find out which of them comes last, and hand it what they wrote to
// scratch. Nobody waits for anybody: the last one does what is left to do.
#pragma once

#include "kernels/words/ordered_atomic.h"

namespace tilewright {

// To be called by every thread of the block, when it has written what it has to write. True, for all threads, in the last of
// `blocks` blocks that come to this counter; it may then read what the others had written to scratch before they came. The
// counter is zero before the first comes and after the last.
//
// The first barrier puts the writes of the whole block in front of the arrival, and the second one the arrival in front of the reads
// of the whole block. `last` is a word of shared memory.
__device__ __forceinline__ bool arrives_last(float* counter, unsigned blocks, int* last) {
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0)
    *last = atomic_inc_acq_rel(reinterpret_cast<unsigned*>(counter), blocks - 1) == blocks - 1 ? 1 : 0;
  __syncthreads();
  return *last != 0;
}

}  // namespace tilewright
