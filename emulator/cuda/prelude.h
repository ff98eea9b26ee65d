// SPDX-License-Identifier: MIT
//
// CUDA C++ as the emulator understands it. Injected (g++ -include) in front of an unmodified .cu file, so
// that its kernels compile as host functions which one fiber runs for each CUDA thread. It gives CUDA's words
// their CPU meaning and nothing else; words it lacks are refused by name before the compiler sees them
// (run/refuse.cpp).
//
// threadIdx and its kin are calls that return by value: a variable would turn each use into a watched memory
// access.
#pragma once

#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ctime>

#define TILEWRIGHT_EMULATOR 1
// A kernel that looks takes the path it would take on compute capability 9.0.
#define __CUDACC__ 1
#define __CUDA_ARCH__ 900

#ifdef TILEWRIGHT_SCAN  // only preprocessed: leaves a trace of where the kernels are
#define __global__ tilewright_global_function
#else
#define __global__
#endif
#define __device__
#define __host__
#define __constant__
#define __grid_constant__
// Zero before it is written, as far as the compiler can tell: no guard stands before a class with a constructor.
#define __shared__ constinit thread_local
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __noinline__  // empty, so that the standard library may say __attribute__((__noinline__))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __ldg(pointer) (*(pointer))

struct uint3 {
  unsigned x, y, z;
};

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x_extent = 1, unsigned y_extent = 1, unsigned z_extent = 1)
      : x(x_extent), y(y_extent), z(z_extent) {}
  constexpr dim3(uint3 extents) : x(extents.x), y(extents.y), z(extents.z) {}
};

extern "C" {
// Constant for the fiber that asks, so the compiler may keep the answer in a register.
__attribute__((const)) uint3 tilewright_thread_index();
__attribute__((const)) uint3 tilewright_block_index();
__attribute__((const)) uint3 tilewright_block_extent();
__attribute__((const)) uint3 tilewright_grid_extent();
void __syncthreads();
long long clock64();
clock_t tilewright_clock();
void __syncwarp(unsigned mask = 0xffffffffU);
unsigned __ballot_sync(unsigned mask, int predicate);
int __any_sync(unsigned mask, int predicate);
int __all_sync(unsigned mask, int predicate);
}

#define TILEWRIGHT_SHUFFLES(T)                                                \
  T __shfl_sync(unsigned mask, T value, int lane, int width = 32);            \
  T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32);   \
  T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32); \
  T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32);
TILEWRIGHT_SHUFFLES(int)
TILEWRIGHT_SHUFFLES(unsigned)
TILEWRIGHT_SHUFFLES(long)
TILEWRIGHT_SHUFFLES(unsigned long)
TILEWRIGHT_SHUFFLES(long long)
TILEWRIGHT_SHUFFLES(unsigned long long)
TILEWRIGHT_SHUFFLES(float)
TILEWRIGHT_SHUFFLES(double)
#undef TILEWRIGHT_SHUFFLES

int atomicAdd(int* address, int value);
unsigned atomicAdd(unsigned* address, unsigned value);
unsigned long long atomicAdd(unsigned long long* address, unsigned long long value);
float atomicAdd(float* address, float value);
double atomicAdd(double* address, double value);

#define TILEWRIGHT_INTEGER_ATOMICS(T) \
  T atomicExch(T* address, T value);  \
  T atomicMin(T* address, T value);   \
  T atomicMax(T* address, T value);   \
  T atomicAnd(T* address, T value);   \
  T atomicOr(T* address, T value);    \
  T atomicXor(T* address, T value);   \
  T atomicCAS(T* address, T compare, T value);
TILEWRIGHT_INTEGER_ATOMICS(int)
TILEWRIGHT_INTEGER_ATOMICS(unsigned)
TILEWRIGHT_INTEGER_ATOMICS(unsigned long long)
#undef TILEWRIGHT_INTEGER_ATOMICS
int atomicSub(int* address, int value);
unsigned atomicSub(unsigned* address, unsigned value);
float atomicExch(float* address, float value);
unsigned atomicInc(unsigned* address, unsigned last);
unsigned atomicDec(unsigned* address, unsigned last);

// Within a block the watcher takes a fence for no ordering by itself; between blocks it orders with atomics on scratch.
extern "C" void __threadfence();
inline void __threadfence_block() {}
inline void __threadfence_system() { __threadfence(); }

#define threadIdx (tilewright_thread_index())
#define blockIdx (tilewright_block_index())
#define blockDim (tilewright_block_extent())
#define gridDim (tilewright_grid_extent())
#define warpSize 32
#define clock() tilewright_clock()  // not the C library's, which differs from run to run

// An implicit copy constructor beside an assignment of one's own is what keeps the types below aggregates.
#pragma GCC diagnostic ignored "-Wdeprecated-copy"

// The assignment of a vector type: one access, or two where 16 bytes are not enough. It must not be the compiler's own: of
// `shared[i] = make_float4(…)` the compiler has the call write to memory by itself, which no callback is told of.
template <unsigned long Bytes>
struct tilewright_piece;
template <>
struct tilewright_piece<2> {
  using type __attribute__((may_alias)) = unsigned short;
};
template <>
struct tilewright_piece<4> {
  using type __attribute__((may_alias)) = unsigned;
};
template <>
struct tilewright_piece<8> {
  using type __attribute__((may_alias)) = unsigned long;
};
template <>
struct tilewright_piece<16> {
  using type __attribute__((may_alias)) = unsigned __int128;
};
template <class Vector>
__attribute__((always_inline)) inline Vector& tilewright_assign(Vector& to, const Vector& from) {
  constexpr unsigned long bytes = sizeof(Vector) < 16 ? sizeof(Vector) : 16;
  using Piece = typename tilewright_piece<bytes>::type;
  Piece* const pieces = reinterpret_cast<Piece*>(&to);
  const Piece* const of = reinterpret_cast<const Piece*>(&from);
  pieces[0] = of[0];
  if constexpr (sizeof(Vector) > bytes) pieces[1] = of[1];
  return to;
}
#define TILEWRIGHT_ASSIGNED(name) \
  __attribute__((always_inline)) name& operator=(const name& from) { return tilewright_assign(*this, from); }

// CUDA's vector types, with CUDA's alignment: a load of one is a single access.
#define TILEWRIGHT_VECTOR_TYPES(T, name)                       \
  struct name##1 {                                             \
    T x;                                                       \
  };                                                           \
  struct alignas(2 * sizeof(T)) name##2 {                      \
    T x, y;                                                    \
    TILEWRIGHT_ASSIGNED(name##2)                               \
  };                                                           \
  struct name##3_ {                                            \
    T x, y, z;                                                 \
  };                                                           \
  struct alignas(sizeof(T) < 8 ? 4 * sizeof(T) : 16) name##4 { \
    T x, y, z, w;                                              \
    TILEWRIGHT_ASSIGNED(name##4)                               \
  };                                                           \
  inline name##1 make_##name##1(T x) { return {x}; }           \
  inline name##2 make_##name##2(T x, T y) { return {x, y}; }   \
  inline name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }

TILEWRIGHT_VECTOR_TYPES(float, float)
TILEWRIGHT_VECTOR_TYPES(double, double)
TILEWRIGHT_VECTOR_TYPES(int, int)
TILEWRIGHT_VECTOR_TYPES(unsigned, uint)
TILEWRIGHT_VECTOR_TYPES(unsigned char, uchar)
TILEWRIGHT_VECTOR_TYPES(short, short)
#undef TILEWRIGHT_VECTOR_TYPES
#undef TILEWRIGHT_ASSIGNED

using float3 = float3_;
using double3 = double3_;
using int3 = int3_;
inline float3 make_float3(float x, float y, float z) { return {x, y, z}; }
inline double3 make_double3(double x, double y, double z) { return {x, y, z}; }
inline int3 make_int3(int x, int y, int z) { return {x, y, z}; }
inline uint3 make_uint3(unsigned x, unsigned y, unsigned z) { return {x, y, z}; }

inline int min(int a, int b) { return a < b ? a : b; }
inline int max(int a, int b) { return a > b ? a : b; }
inline unsigned min(unsigned a, unsigned b) { return a < b ? a : b; }
inline unsigned max(unsigned a, unsigned b) { return a > b ? a : b; }
inline unsigned min(int a, unsigned b) { return min(unsigned(a), b); }
inline unsigned max(int a, unsigned b) { return max(unsigned(a), b); }
inline unsigned min(unsigned a, int b) { return min(a, unsigned(b)); }
inline unsigned max(unsigned a, int b) { return max(a, unsigned(b)); }
inline long long min(long long a, long long b) { return a < b ? a : b; }
inline long long max(long long a, long long b) { return a > b ? a : b; }
inline unsigned long long min(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
inline unsigned long long max(unsigned long long a, unsigned long long b) { return a > b ? a : b; }
inline long min(long a, long b) { return a < b ? a : b; }
inline long max(long a, long b) { return a > b ? a : b; }
inline unsigned long min(unsigned long a, unsigned long b) { return a < b ? a : b; }
inline unsigned long max(unsigned long a, unsigned long b) { return a > b ? a : b; }
inline float min(float a, float b) { return fminf(a, b); }
inline float max(float a, float b) { return fmaxf(a, b); }
inline double min(double a, double b) { return fmin(a, b); }
inline double max(double a, double b) { return fmax(a, b); }

inline unsigned __float_as_uint(float value) { return __builtin_bit_cast(unsigned, value); }
inline int __float_as_int(float value) { return __builtin_bit_cast(int, value); }
inline float __uint_as_float(unsigned bits) { return __builtin_bit_cast(float, bits); }
inline float __int_as_float(int bits) { return __builtin_bit_cast(float, bits); }
inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
inline float __fmaf_ieee_rn(float a, float b, float c) { return fmaf(a, b, c); }
inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fsub_rn(float a, float b) { return a - b; }
inline float __fdiv_rn(float a, float b) { return a / b; }
inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fdividef(float a, float b) { return a / b; }
inline float __saturatef(float value) { return fminf(fmaxf(value, 0.0f), 1.0f); }
inline float rsqrtf(float value) { return 1.0f / sqrtf(value); }
inline int __popc(unsigned bits) { return __builtin_popcount(bits); }
inline int __popcll(unsigned long long bits) { return __builtin_popcountll(bits); }
inline int __clz(int bits) { return bits == 0 ? 32 : __builtin_clz(unsigned(bits)); }
inline int __ffs(int bits) { return __builtin_ffs(bits); }
