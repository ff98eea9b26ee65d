// SPDX-License-Identifier: MIT
//
// Four neighbouring floats of a row-major matrix as one 16-byte access, or as none and some where the row ends or is not
// 16-byte aligned. What lies outside the matrix is zero when loaded and skipped when stored.
#pragma once

#include <cstdint>

namespace tilewright {

// Whether every row begins at a multiple of 16 bytes, so that no group of four straddles a row's end. Uniform in a launch.
__device__ __forceinline__ bool rows_are_aligned(const float* matrix, int columns) {
  return columns % 4 == 0 && reinterpret_cast<std::uintptr_t>(matrix) % 16 == 0;
}

__device__ __forceinline__ float4 load_quad(const float* matrix, int row, int column, int rows, int columns) {
  float4 quad = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  if (row >= rows || column >= columns) return quad;
  const float* from = &matrix[std::int64_t(row) * columns + column];
  if (rows_are_aligned(matrix, columns)) return *reinterpret_cast<const float4*>(from);
  quad.x = from[0];
  if (column + 1 < columns) quad.y = from[1];
  if (column + 2 < columns) quad.z = from[2];
  if (column + 3 < columns) quad.w = from[3];
  return quad;
}

__device__ __forceinline__ void store_quad(float* matrix, int row, int column, int rows, int columns,
                                           float4 quad) {
  if (row >= rows || column >= columns) return;
  float* to = &matrix[std::int64_t(row) * columns + column];
  if (rows_are_aligned(matrix, columns)) {
    *reinterpret_cast<float4*>(to) = quad;
    return;
  }
  to[0] = quad.x;
  if (column + 1 < columns) to[1] = quad.y;
  if (column + 2 < columns) to[2] = quad.z;
  if (column + 3 < columns) to[3] = quad.w;
}

// Four neighbouring floats of a tile in shared memory, whose place is a multiple of 16 bytes, to registers.
__device__ __forceinline__ void read_quad(float* registers, const float* shared) {
  const float4 quad = *reinterpret_cast<const float4*>(shared);
  registers[0] = quad.x;
  registers[1] = quad.y;
  registers[2] = quad.z;
  registers[3] = quad.w;
}

__device__ __forceinline__ float4 sum_of(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

// The sum of `count` quads that lie `apart` quads from each other, added one by one in their order.
__device__ __forceinline__ float4 sum_of_parts(const float4* parts, int apart, int count) {
  float4 sum = parts[0];
#pragma unroll 8
  for (int i = 1; i < count; ++i) sum = sum_of(sum, parts[std::int64_t(i) * apart]);
  return sum;
}

// The same for parts in global memory, whose number the compiler does not know: 16 of them are asked for at once, also at the end,
// since one after the other costs the whole way there and back each time.
__device__ __forceinline__ float4 sum_of_far_parts(const float4* parts, int apart, int count) {
  constexpr int at_once = 16;
  float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (int first = 0; first < count; first += at_once) {
    float4 part[at_once];
#pragma unroll
    for (int i = 0; i < at_once; ++i)
      part[i] =
          first + i < count ? parts[std::int64_t(first + i) * apart] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
#pragma unroll
    for (int i = 0; i < at_once; ++i) sum = sum_of(sum, part[i]);
  }
  return sum;
}

}  // namespace tilewright
