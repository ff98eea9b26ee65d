// SPDX-License-Identifier: MIT
#include "emulator/watch/counter_clocks.h"

#include <algorithm>

namespace tilewright {
namespace {

std::uint64_t key_of(std::uint64_t block, std::uint32_t thread) {
  return block << (Writer::thread_bits + 1) | thread;
}

}  // namespace

void Clock::note(std::uint64_t block, std::uint32_t thread, std::uint32_t epoch) {
  std::uint32_t& known = epochs_[key_of(block, thread)];
  known = std::max(known, epoch);
}

void Clock::join(const Clock& other) {
  for (const auto& [key, epoch] : other.epochs_) {
    std::uint32_t& known = epochs_[key];
    known = std::max(known, epoch);
  }
}

bool Clock::covers(const Writer& writer) const {
  const auto before = [&](std::uint32_t thread) {
    const auto found = epochs_.find(key_of(writer.block(), thread));
    return found != epochs_.end() && writer.epoch() < found->second;
  };
  return before(everyone) || before(writer.thread());
}

void KnownBlocks::begin_block(std::uint64_t block) {
  block_ = block;
  met_ = 0;
  fences_.clear();
  taken_.clear();
  fenced_.clear();
  known_.clear();
}

void KnownBlocks::meet(std::uint32_t epoch) {
  met_ = epoch;
  for (const auto& [thread, clock] : fenced_) known_.join(clock);
  fenced_.clear();
}

void KnownBlocks::fence(std::uint32_t thread, std::uint32_t epoch) {
  fences_.insert_or_assign(thread, Fence{met_, epoch});
  const auto taken = taken_.find(thread);
  if (taken == taken_.end()) return;
  fenced_[thread].join(taken->second);
  taken_.erase(taken);
}

void KnownBlocks::exchange(Clock& word, std::uint32_t thread) {
  taken_[thread].join(word);
  const auto fence = fences_.find(thread);
  if (fence == fences_.end()) return;
  word.join(known_);
  if (const auto own = fenced_.find(thread); own != fenced_.end()) word.join(own->second);
  word.note(block_, Clock::everyone, fence->second.met);
  word.note(block_, thread, fence->second.epoch + 1);
}

bool KnownBlocks::ordered(const Writer& writer, std::uint32_t thread) const {
  const auto own = fenced_.find(thread);
  return known_.covers(writer) || (own != fenced_.end() && own->second.covers(writer));
}

}  // namespace tilewright
