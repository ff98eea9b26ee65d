// SPDX-License-Identifier: MIT
//
// The measuring's own kernels, each behind a function that launches it on a stream and does not wait. No product is
// computed here.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace tilewright::gpu {

// What a fingerprint kernel adds to; all zero before.
struct FingerprintSums {
  unsigned long long hash, unwritten, non_finite;
};

// The matrices of consecutive sets, modulo `sets`, in one allocation, `stride` elements apart.
struct MatrixSets {
  float* first;
  std::int64_t elements, stride, sets;
};

void fill_inputs(const MatrixSets& matrices, std::uint64_t seed, int operand, cudaStream_t stream);
void fill_unwritten(const MatrixSets& matrices, std::int64_t from, std::int64_t count, std::uint64_t salt,
                    cudaStream_t stream);
void fingerprint(const MatrixSets& matrices, std::int64_t from, std::int64_t count, std::uint64_t salt,
                 FingerprintSums* sums, cudaStream_t stream);

// Writes all of it: more than an L2 of writes leaves nothing else in the L2.
void write_over(float4* memory, std::int64_t vectors, float value, cudaStream_t stream);

// overlaps: with the launch before, as a rung may.
void empty(bool overlaps, cudaStream_t stream);

// Holds the stream until *release is not 0, or a tenth of a second has passed: then *gave_up becomes 1.
void hold(volatile int* release, volatile int* gave_up, cudaStream_t stream);

void copy(const float4* from, float4* to, std::int64_t vectors, cudaStream_t stream);
void read(const float4* from, float* sink, std::int64_t vectors, cudaStream_t stream);
// Independent multiply-adds in registers. Returns how many.
std::int64_t multiply_add(float* sink, int multiprocessors, cudaStream_t stream);

// One thread follows `loads` pointers, each load needing the one before; *cycles is what they took. next[i] is the
// index of the next.
void chase(const unsigned* next, unsigned loads, unsigned* sink, long long* cycles, cudaStream_t stream);

}  // namespace tilewright::gpu
