// SPDX-License-Identifier: MIT
//
// What is ordered between blocks of one launch, by vector clocks that are handed on at the atomics on scratch.
//
// A block that comes to an atomic hands on what it did before its last fence; one that comes to the same word later takes it,
// and may rely on it after a fence of its own. This is the release and acquire pattern of CUDA's memory model with a relaxed
// atomic: fence and atomic are of one thread, and the barriers of a block stand between that thread and the others.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>

#include "emulator/watch/global_memory.h"

namespace tilewright {

// Of each block, and of each of its threads alone: the first epoch whose writes are not ordered.
class Clock {
 public:
  static constexpr std::uint32_t everyone = 1U << Writer::thread_bits;  // in place of a thread

  void note(std::uint64_t block, std::uint32_t thread, std::uint32_t epoch);
  void join(const Clock& other);
  bool covers(const Writer& writer) const;
  bool empty() const { return epochs_.empty(); }
  void clear() { epochs_.clear(); }

 private:
  std::map<std::uint64_t, std::uint32_t> epochs_;  // by block and thread
};

// What was handed on at each word of scratch: of all blocks of a launch, wherever they run.
class CounterClocks {
 public:
  // Held while a word's clock is used and while the word itself changes, so that both have one order.
  std::unique_lock<std::mutex> hold() { return std::unique_lock(lock_); }
  Clock& at(std::uint64_t word) { return clocks_[word]; }
  void clear() { clocks_.clear(); }

 private:
  std::mutex lock_;
  std::map<std::uint64_t, Clock> clocks_;
};

// What one block knows of the others.
class KnownBlocks {
 public:
  void begin_block(std::uint64_t block);
  // All threads met, and this epoch begins.
  void meet(std::uint32_t epoch);
  void fence(std::uint32_t thread, std::uint32_t epoch);
  // At an atomic on the word with this clock, which is held.
  void exchange(Clock& word, std::uint32_t thread);
  // Whether this write of another block is ordered before what the thread does now.
  bool ordered(const Writer& writer, std::uint32_t thread) const;

 private:
  struct Fence {
    std::uint32_t met, epoch;  // the last barrier before it, and its own time
  };

  std::uint64_t block_ = 0;
  std::uint32_t met_ = 0;
  std::map<std::uint32_t, Fence> fences_;  // the last of each thread
  std::map<std::uint32_t, Clock> taken_;   // by a thread whose fence is still to come
  std::map<std::uint32_t, Clock> fenced_;  // by a thread since the last barrier
  Clock known_;                            // by every thread
};

}  // namespace tilewright
