// SPDX-License-Identifier: MIT
#include "bench/gpu_kernels.h"
#include "bench/patterns.h"
#include "device/gpu_launch.h"
#include "kernels/words/launch_overlap.h"

namespace tilewright::gpu {
namespace {

constexpr int threads = 256;

// Blocks in x for so many elements of one matrix, when each thread takes several.
unsigned blocks_for(std::int64_t elements) {
  const std::int64_t blocks = (elements + threads - 1) / threads;
  return unsigned(blocks < 4096 ? blocks : 4096);
}

// One y a set; CUDA allows 65535 of them.
template <class Launch>
void for_sets(const MatrixSets& matrices, std::int64_t from, std::int64_t count, Launch launch) {
  for (std::int64_t done = 0; done < count; done += 65535) {
    const std::int64_t part = count - done < 65535 ? count - done : 65535;
    launch(dim3(blocks_for(matrices.elements), unsigned(part)), (from + done) % matrices.sets, done);
  }
}

__device__ std::int64_t first_element() { return std::int64_t(blockIdx.x) * threads + threadIdx.x; }
__device__ std::int64_t element_step() { return std::int64_t(gridDim.x) * threads; }

__device__ float* matrix_of(const MatrixSets& matrices, std::int64_t from) {
  return matrices.first + (from + blockIdx.y) % matrices.sets * matrices.stride;
}

__global__ void inputs_kernel(MatrixSets matrices, std::int64_t from, std::uint64_t seed, int operand) {
  const std::uint64_t stream = input_stream(seed, (from + blockIdx.y) % matrices.sets, operand);
  float* matrix = matrix_of(matrices, from);
  for (std::int64_t i = first_element(); i < matrices.elements; i += element_step())
    matrix[i] = input_value(stream, i);
}

__global__ void unwritten_kernel(MatrixSets matrices, std::int64_t from, std::uint64_t salt) {
  float* matrix = matrix_of(matrices, from);
  for (std::int64_t i = first_element(); i < matrices.elements; i += element_step())
    matrix[i] = __uint_as_float(unwritten_bits(i, salt));
}

__global__ void fingerprint_kernel(MatrixSets matrices, std::int64_t from, std::uint64_t salt,
                                   FingerprintSums* sums) {
  const float* matrix = matrix_of(matrices, from);
  unsigned long long hash = 0, unwritten = 0, non_finite = 0;
  for (std::int64_t i = first_element(); i < matrices.elements; i += element_step()) {
    const unsigned bits = __float_as_uint(matrix[i]);
    hash += fingerprint_share(i, bits);
    if (bits == unwritten_bits(i, salt))
      ++unwritten;
    else if (!is_finite_bits(bits))
      ++non_finite;
  }
  FingerprintSums* own = sums + blockIdx.y;
  for (int lanes = 16; lanes > 0; lanes /= 2) hash += __shfl_down_sync(~0U, hash, lanes);
  if (threadIdx.x % 32 == 0) atomicAdd(&own->hash, hash);
  if (unwritten > 0) atomicAdd(&own->unwritten, unwritten);
  if (non_finite > 0) atomicAdd(&own->non_finite, non_finite);
}

__global__ void write_kernel(float4* memory, std::int64_t vectors, float value) {
  for (std::int64_t i = first_element(); i < vectors; i += element_step())
    memory[i] = make_float4(value, value, value, value);
}

__global__ void empty_kernel() {
  let_next_launch_begin();
  wait_for_launch_before();
}

__global__ void hold_kernel(volatile int* release, volatile int* gave_up) {
  const long long start = clock64();
  while (*release == 0) {
    if (clock64() - start > 200'000'000) {  // cycles: a tenth of a second at 2 GHz
      *gave_up = 1;
      return;
    }
  }
}

__global__ void copy_kernel(const float4* from, float4* to, std::int64_t vectors) {
  for (std::int64_t i = first_element(); i < vectors; i += element_step()) to[i] = from[i];
}

// Four loads in flight a thread; the sum is written only where it cannot be, so that the loads stay.
__global__ void read_kernel(const float4* from, float* sink, std::int64_t vectors) {
  float sum = 0.0f;
  const std::int64_t step = element_step();
  std::int64_t i = first_element();
  for (; i + 3 * step < vectors; i += 4 * step) {
    const float4 a = from[i], b = from[i + step], c = from[i + 2 * step], d = from[i + 3 * step];
    sum += a.x + a.y + a.z + a.w + b.x + b.y + b.z + b.w + c.x + c.y + c.z + c.w + d.x + d.y + d.z + d.w;
  }
  for (; i < vectors; i += step) sum += from[i].x + from[i].y + from[i].z + from[i].w;
  if (sum == 12345.678f) *sink = sum;
}

constexpr int chains = 16;  // more than a multiply-add's latency of 4 needs, with 8 warps a scheduler or more
constexpr int fma_steps = 2048;  // of each chain

__global__ void __launch_bounds__(threads) fma_kernel(float* sink, float factor, float addend) {
  float value[chains];
#pragma unroll
  for (int i = 0; i < chains; ++i) value[i] = float(threadIdx.x) + float(i);
#pragma unroll 8
  for (int step = 0; step < fma_steps; ++step) {
#pragma unroll
    for (int i = 0; i < chains; ++i) value[i] = fmaf(value[i], factor, addend);
  }
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < chains; ++i) sum += value[i];
  if (sum == 12345.678f) *sink = sum;
}

__global__ void chase_kernel(const unsigned* next, unsigned loads, unsigned* sink, long long* cycles) {
  unsigned at = 0;
  const long long start = clock64();
  for (unsigned i = 0; i < loads; ++i) at = __ldcg(next + at);  // past the L1
  *sink = at;  // before the clock is read: the last load has to arrive
  *cycles = clock64() - start + (at == ~0U ? 1 : 0);
}

}  // namespace

void fill_inputs(const MatrixSets& matrices, std::uint64_t seed, int operand, cudaStream_t stream) {
  for_sets(matrices, 0, matrices.sets, [&](dim3 grid, std::int64_t from, std::int64_t) {
    inputs_kernel<<<grid, threads, 0, stream>>>(matrices, from, seed, operand);
  });
}

void fill_unwritten(const MatrixSets& matrices, std::int64_t from, std::int64_t count, std::uint64_t salt,
                    cudaStream_t stream) {
  for_sets(matrices, from, count, [&](dim3 grid, std::int64_t first, std::int64_t) {
    unwritten_kernel<<<grid, threads, 0, stream>>>(matrices, first, salt);
  });
}

void fingerprint(const MatrixSets& matrices, std::int64_t from, std::int64_t count, std::uint64_t salt,
                 FingerprintSums* sums, cudaStream_t stream) {
  for_sets(matrices, from, count, [&](dim3 grid, std::int64_t first, std::int64_t done) {
    fingerprint_kernel<<<grid, threads, 0, stream>>>(matrices, first, salt, sums + done);
  });
}

void write_over(float4* memory, std::int64_t vectors, float value, cudaStream_t stream) {
  write_kernel<<<blocks_for(vectors), threads, 0, stream>>>(memory, vectors, value);
}

void empty(bool overlaps, cudaStream_t stream) {
  launch_kernel({.entry = reinterpret_cast<const void*>(empty_kernel), .grid = 1, .block = 32}, overlaps,
                nullptr, stream);
}

void hold(volatile int* release, volatile int* gave_up, cudaStream_t stream) {
  hold_kernel<<<1, 1, 0, stream>>>(release, gave_up);
}

void copy(const float4* from, float4* to, std::int64_t vectors, cudaStream_t stream) {
  copy_kernel<<<blocks_for(vectors), threads, 0, stream>>>(from, to, vectors);
}

void read(const float4* from, float* sink, std::int64_t vectors, cudaStream_t stream) {
  read_kernel<<<blocks_for(vectors), threads, 0, stream>>>(from, sink, vectors);
}

std::int64_t multiply_add(float* sink, int multiprocessors, cudaStream_t stream) {
  // Eight blocks of eight warps fill a multiprocessor's 64 warps; four turns of them hide the ends.
  const int blocks = multiprocessors * 8 * 4;
  fma_kernel<<<blocks, threads, 0, stream>>>(sink, 0.999f, 0.001f);
  return std::int64_t(blocks) * threads * chains * fma_steps;
}

void chase(const unsigned* next, unsigned loads, unsigned* sink, long long* cycles, cudaStream_t stream) {
  chase_kernel<<<1, 1, 0, stream>>>(next, loads, sink, cycles);
}

}  // namespace tilewright::gpu
