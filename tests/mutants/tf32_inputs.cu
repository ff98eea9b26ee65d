// SPDX-License-Identifier: MIT
//
// tf32_inputs: direct on inputs rounded to TF32, as a tensor core would take them.
//
// 8 exponent and 10 stored mantissa bits, summed in float32: exact on small integers, about 2^-11 off per
// factor on real inputs. It is a new precision mode, not a float32 product.
//
// Caught: wrong_value
// Inputs: uniform
#include "kernels/rung.h"

using tilewright::GridOrder;
using tilewright::PredictedCounts;
using tilewright::Problem;
using tilewright::Rung;

// Round to nearest, ties to even, at bit 13 of the float32.
__device__ inline float as_tf32(float value) {
  const unsigned bits = __float_as_uint(value);
  return __uint_as_float((bits + 0xFFFU + (bits >> 13 & 1U)) & ~0x1FFFU);
}

template <int T>
__global__ void tf32_inputs(const float* A, const float* B, float* C, int M, int N, int K) {
  const int row = int(blockIdx.y) * T + int(threadIdx.y);
  const int column = int(blockIdx.x) * T + int(threadIdx.x);
  if (row >= M || column >= N) return;

  float sum = 0.0f;
  for (int k = 0; k < K; ++k) {
    const float a = as_tf32(A[std::int64_t(row) * K + k]);
    sum = fmaf(a, as_tf32(B[std::int64_t(k) * N + column]), sum);
  }
  C[std::int64_t(row) * N + column] = sum;
}

template <int T>
static constexpr Rung describe(const char* name) {
  static_assert(T * T <= 1024, "a block has at most 1024 threads");
  return {
      .name = name,
      .idea = "inputs are rounded to TF32",
      .source = __FILE__,
      .tile = {.BM = T, .BN = T, .BK = 1},
      .block = {.x = T, .y = T},
      .grid_order = GridOrder::columns_along_x,
      .static_shared_bytes = 0,
      .kernel = tf32_inputs<T>,
      .predict = [](const Problem& p) -> PredictedCounts {
        return {.global_reads = 2 * p.M * p.N * p.K,
                .global_writes = p.M * p.N,
                .shared_reads = 0,
                .shared_writes = 0};
      },
  };
}

TILEWRIGHT_RUNGS(describe<16>("tf32_inputs"))
