// SPDX-License-Identifier: MIT
//
// What a rung declares about itself. The array at the end of each rung file is the only list of rungs there
// is: the emulator, the GPU device, the judge and the command line all read it.
//
// Included by nvcc and by the emulator's host compiler, so it holds no standard-library containers. A rung
// does not launch itself: it has one of three signatures, and a grid that follows from its tile or from a function of the
// problem.
#pragma once

#include <cstdint>

namespace tilewright {

// C[M x N] = A[M x K] * B[K x N]; all contiguous row-major float32.
using KernelF32 = void(const float* A, const float* B, float* C, int M, int N, int K);
// The same with memory that all blocks share (Rung::scratch_floats).
using KernelF32Scratch = void(const float* A, const float* B, float* C, int M, int N, int K, float* scratch);
// In place of A and B, what tensor copies take of them or of the scratch (Rung::tensors). The kernel writes its first two
// parameters as `const __grid_constant__ TensorMap` (kernels/words/tensor_copy.h).
struct TensorMap;
using KernelF32Tensors = void(TensorMap a, TensorMap b, float* C, int M, int N, int K, float* scratch);

// One product and the GPU that is to compute it (0 multiprocessors where that is not known): what a launch's grid,
// scratch and counts may depend on.
struct Problem {
  std::int64_t M, N, K;
  int multiprocessors;
};

// Of blocks.
struct Grid {
  std::int64_t x, y, z = 1;
  std::int64_t count() const { return x * y * z; }
};

struct Tile {
  int BM, BN;          // the part of C that one block computes
  int BK;              // the reduction step; 1 where the kernel has no reduction tile
  int TM = 1, TN = 1;  // the part of C that one thread computes
};

struct Block {
  int x, y;
};

// Which dimension of C runs along x of grid and block. Columns along x is the coalesced choice.
enum class GridOrder { columns_along_x, rows_along_x };

// What one launch must access, in elements: exact, checked against the emulator.
struct PredictedCounts {
  std::int64_t global_reads, global_writes, shared_reads, shared_writes;
};

// A matrix that tensor copies take boxes of: an operand or a part of one, or of the scratch. In floats.
struct TensorSource {
  enum Where { A, B, scratch };
  Where where;
  std::int64_t offset;                // where its first element lies: a multiple of 4
  std::int64_t rows, columns, pitch;  // pitch: from one row's begin to the next one's, a multiple of 4
  int box_rows, box_columns;          // at most 256, columns a multiple of 4

  const float* base(const float* a, const float* b, const float* of_scratch) const {
    return (where == A ? a : where == B ? b : of_scratch) + offset;
  }
};

struct Tensors {
  TensorSource a, b;
};

// A kernel that is launched before a rung's own, in the same launch of the rung: it has ended, and what it wrote is there,
// when the rung's own begins. It is for scratch; of C it writes nothing.
struct FirstKernel {
  KernelF32Scratch* kernel = nullptr;  // null: there is none
  Block block{};
  Grid (*grid)(const Problem&) = nullptr;  // without a block it is not launched for this problem
  std::int64_t static_shared_bytes = 0;
};

struct Rung {
  const char* name;  // the same for command line, page, test and record
  const char* idea;  // one sentence
  const char* source;
  Tile tile;
  Block block;
  GridOrder grid_order;
  std::int64_t static_shared_bytes;
  KernelF32* kernel;
  PredictedCounts (*predict)(const Problem&);
  std::int64_t dynamic_shared_bytes =
      0;  // for its `extern __shared__` arrays, which lie behind the static ones

  Grid (*grid)(const Problem&) = nullptr;  // null: one block a tile of C, in grid_order
  // Of the scratch, the first scratch_counters floats are 32-bit counters: zero before the first launch, and each launch
  // leaves them zero for the next. The rest holds anything: a block reads there what has been written in the same launch,
  // by the first kernel, by itself, or by another block, ordered by an atomic on a counter (docs/decisions/0013, 0022).
  std::int64_t (*scratch_floats)(const Problem&) = nullptr;
  std::int64_t (*scratch_counters)(const Problem&) = nullptr;
  KernelF32Scratch* scratch_kernel = nullptr;  // in place of kernel
  // C starts as zeros and blocks add to it atomically, in no fixed order: not deterministic.
  bool adds_to_output = false;
  FirstKernel first{};                           // `predict` is of both kernels together
  Tensors (*tensors)(const Problem&) = nullptr;  // what the maps of tensor_kernel are of
  KernelF32Tensors* tensor_kernel = nullptr;     // in place of kernel
  // Its kernels, the first one too, begin by waiting for the launch before (kernels/words/launch_overlap.h), so that they may
  // be launched while that one still runs.
  bool overlaps = false;
  // So many blocks, neighbours along x of the grid, which is a multiple of it, run as a cluster (kernels/words/cluster.h).
  int cluster = 1;
  // Null: those of whole tiles, or of C where no shared memory holds tiles.
  std::int64_t (*multiply_adds)(const Problem&) = nullptr;
};

// What is launched, whatever its signature; null for what is no CUDA kernel.
inline const void* entry_of(const Rung& rung) {
  if (rung.tensor_kernel != nullptr) return reinterpret_cast<const void*>(rung.tensor_kernel);
  return rung.scratch_kernel != nullptr ? reinterpret_cast<const void*>(rung.scratch_kernel)
                                        : reinterpret_cast<const void*>(rung.kernel);
}

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// The counts of a kernel whose blocks walk along K with zero-filled tiles in shared memory, where in each k a thread reads
// TM elements of the tile of A and TN of the tile of B.
constexpr PredictedCounts counts_of_tiles(Tile tile, const Problem& p) {
  const std::int64_t down = ceil_div(p.M, tile.BM), across = ceil_div(p.N, tile.BN);
  const std::int64_t steps = down * across * ceil_div(p.K, tile.BK) * tile.BK;  // k, over all blocks
  const std::int64_t threads = std::int64_t{tile.BM} * tile.BN / (std::int64_t{tile.TM} * tile.TN);
  return {p.M * p.K * across + p.K * p.N * down, p.M * p.N, steps * threads * (tile.TM + tile.TN),
          steps * (tile.BM + tile.BN)};
}

struct RungList {
  const Rung* rungs;
  int count;
};

}  // namespace tilewright

// Each compiler's build has its own registry; the emulator's rungs register themselves when their module is
// loaded, the GPU's before main().
#ifdef TILEWRIGHT_EMULATOR
#define TILEWRIGHT_REGISTER tilewright_register_emulated_rungs
#else
#define TILEWRIGHT_REGISTER tilewright_register_gpu_rungs
#endif
extern "C" void TILEWRIGHT_REGISTER(tilewright::RungList list);

#define TILEWRIGHT_RUNGS(...)                                                              \
  namespace {                                                                              \
  constexpr ::tilewright::Rung rung_list[] = {__VA_ARGS__};                                \
  [[maybe_unused]] const bool rungs_are_registered =                                       \
      (TILEWRIGHT_REGISTER({rung_list, int(sizeof rung_list / sizeof *rung_list)}), true); \
  }
