// SPDX-License-Identifier: MIT
#include "emulator/cuda/include/cooperative_groups.h"

#include <cstdint>
#include <cstring>

#include "emulator/run/thread_scheduler.h"

#define RETURN_ADDRESS reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

namespace cooperative_groups {
namespace {

using tilewright::current_scheduler;
using tilewright::warp_lanes;
using tilewright::WarpWord;

unsigned own_lane() { return current_scheduler->running_thread() % warp_lanes; }

template <class T>
T shuffle(unsigned mask, T value, unsigned source, std::uintptr_t pc) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  bits = current_scheduler->meet_at_warp_word({WarpWord::shuffle, mask, bits, source}, pc);
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

unsigned vote(unsigned mask, bool value, std::uintptr_t pc) {
  return static_cast<unsigned>(
      current_scheduler->meet_at_warp_word({WarpWord::vote, mask, value ? 1U : 0U, 0}, pc));
}

}  // namespace

void thread_block::sync() const { current_scheduler->wait_at_barrier(RETURN_ADDRESS); }
unsigned thread_block::thread_rank() const { return current_scheduler->running_thread(); }
unsigned thread_block::size() const { return static_cast<unsigned>(current_scheduler->task().block.count()); }

namespace details {

unsigned tile::mask() const {
  return (size_ == warp_lanes ? ~0U : (1U << size_) - 1) << (own_lane() & ~(size_ - 1));
}
void tile::sync() const {
  current_scheduler->meet_at_warp_word({WarpWord::sync, mask(), 0, 0}, RETURN_ADDRESS);
}
unsigned tile::thread_rank() const { return own_lane() & (size_ - 1); }
unsigned tile::meta_group_rank() const { return current_scheduler->running_thread() / size_; }
unsigned tile::meta_group_size() const {
  return (static_cast<unsigned>(current_scheduler->task().block.count()) + size_ - 1) / size_;
}
unsigned tile::ballot(int predicate) const {
  const unsigned first = own_lane() & ~(size_ - 1), lanes = mask();
  return (vote(lanes, predicate != 0, RETURN_ADDRESS) & lanes) >> first;
}
int tile::any(int predicate) const { return vote(mask(), predicate != 0, RETURN_ADDRESS) != 0 ? 1 : 0; }
int tile::all(int predicate) const { return vote(mask(), predicate == 0, RETURN_ADDRESS) == 0 ? 1 : 0; }

// A rank outside the tile gives a thread its own value back.
#define TILEWRIGHT_TILE_SHUFFLES(T)                                                                          \
  T tile::shfl(T value, unsigned rank) const {                                                               \
    return shuffle(mask(), value, own_lane() - thread_rank() + (rank & (size_ - 1)), RETURN_ADDRESS);        \
  }                                                                                                          \
  T tile::shfl_up(T value, unsigned delta) const {                                                           \
    return shuffle(mask(), value, own_lane() - (delta <= thread_rank() ? delta : 0), RETURN_ADDRESS);        \
  }                                                                                                          \
  T tile::shfl_down(T value, unsigned delta) const {                                                         \
    return shuffle(mask(), value, own_lane() + (delta < size_ - thread_rank() ? delta : 0), RETURN_ADDRESS); \
  }                                                                                                          \
  T tile::shfl_xor(T value, unsigned ranks) const {                                                          \
    return shuffle(mask(), value, own_lane() ^ (ranks < size_ ? ranks : 0), RETURN_ADDRESS);                 \
  }

TILEWRIGHT_TILE_SHUFFLES(int)
TILEWRIGHT_TILE_SHUFFLES(unsigned)
TILEWRIGHT_TILE_SHUFFLES(long long)
TILEWRIGHT_TILE_SHUFFLES(unsigned long long)
TILEWRIGHT_TILE_SHUFFLES(float)
TILEWRIGHT_TILE_SHUFFLES(double)

}  // namespace details
}  // namespace cooperative_groups
