// SPDX-License-Identifier: MIT
//
// cooperative_groups as far as the emulator has it: the thread block, and tiles
// of a block whose size is a power of two up to a warp. The rest of CUDA's
// header is not here, and a kernel that uses it does not compile.
//
// What waits is defined in run/cooperative_groups.cpp, not here: a finding
// names the line that called it.
#pragma once

// The emulator's own sources do not know CUDA's words.
#ifndef TILEWRIGHT_EMULATOR
struct dim3;
#endif

namespace cooperative_groups {

class thread_block {
 public:
  void sync() const;
  unsigned thread_rank() const;
  unsigned size() const;
  unsigned num_threads() const { return size(); }
#ifdef TILEWRIGHT_EMULATOR
  dim3 group_index() const { return blockIdx; }
  dim3 thread_index() const { return threadIdx; }
  dim3 group_dim() const { return blockDim; }
  dim3 dim_threads() const { return blockDim; }
#endif
};

inline thread_block this_thread_block() { return {}; }
inline void sync(const thread_block& block) { block.sync(); }

namespace details {

class tile {
 public:
  explicit tile(unsigned size) : size_(size) {}
  void sync() const;
  unsigned thread_rank() const;
  unsigned meta_group_rank() const;
  unsigned meta_group_size() const;
  unsigned size() const { return size_; }
  unsigned num_threads() const { return size_; }
  unsigned ballot(int predicate) const;  // bit i: the thread of rank i in the tile
  int any(int predicate) const;
  int all(int predicate) const;
#define TILEWRIGHT_TILE_SHUFFLES(T)           \
  T shfl(T value, unsigned rank) const;       \
  T shfl_up(T value, unsigned delta) const;   \
  T shfl_down(T value, unsigned delta) const; \
  T shfl_xor(T value, unsigned ranks) const;
  TILEWRIGHT_TILE_SHUFFLES(int)
  TILEWRIGHT_TILE_SHUFFLES(unsigned)
  TILEWRIGHT_TILE_SHUFFLES(long long)
  TILEWRIGHT_TILE_SHUFFLES(unsigned long long)
  TILEWRIGHT_TILE_SHUFFLES(float)
  TILEWRIGHT_TILE_SHUFFLES(double)
#undef TILEWRIGHT_TILE_SHUFFLES

 private:
  unsigned mask() const;  // the tile's lanes in its warp
  unsigned size_;
};

}  // namespace details

template <unsigned Size, class Parent = void>
class thread_block_tile : public details::tile {
  static_assert(Size > 0 && Size <= 32 && (Size & (Size - 1)) == 0,
                "the emulator's tiles are a power of two of threads, up to a warp");

 public:
  thread_block_tile() : details::tile(Size) {}
  template <class Other>
  thread_block_tile(const thread_block_tile<Size, Other>&) : details::tile(Size) {}
  static constexpr unsigned size() { return Size; }
  static constexpr unsigned num_threads() { return Size; }
};

template <unsigned Size, class Parent>
thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
  return {};
}
template <class Parent>
void sync(const thread_block_tile<32, Parent>& tile) {
  tile.sync();
}

}  // namespace cooperative_groups
