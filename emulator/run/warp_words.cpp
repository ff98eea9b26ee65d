// SPDX-License-Identifier: MIT
//
// The words by which the lanes of a warp meet: __syncwarp, the shuffles and the votes. A lane that comes to
// one waits until every lane that its mask names, that the block has and that has not left the kernel is at the
// same word with the same mask; then all take away what the others brought. What CUDA leaves undefined, a value
// from a lane that is not there, is all ones: NaN, and no number to be lucky with; from a lane that has left the
// kernel it is a finding as well.
#include <bit>
#include <cstring>
#include <type_traits>

#include "emulator/run/thread_scheduler.h"

namespace tilewright {
namespace {

constexpr std::uint64_t undefined_value = ~std::uint64_t{0};

}  // namespace

std::uint64_t ThreadScheduler::meet_at_warp_word(const WarpMeeting& meeting, std::uintptr_t pc) {
  Fiber& self = *running_;
  self.meeting = meeting;
  self.state = State::at_warp_word;
  self.barrier_pc = pc;
  ++at_warp_words_;
  yield(self);
  if (leaving_) std::longjmp(self.way_out, 1);
  return self.received;
}

template <class Test>
std::uint32_t ThreadScheduler::lanes_of(std::uint32_t first, Test test) const {
  std::uint32_t lanes = 0;
  for (std::uint32_t lane = 0; lane < warp_lanes && first + lane < order_.size(); ++lane)
    if (test(*fibers_[first + lane])) lanes |= 1U << lane;
  return lanes;
}

// The waiting lanes of the warp that begins with thread `first` and are at the same word as `fiber`.
std::uint32_t ThreadScheduler::lanes_at(std::uint32_t first, const Fiber& fiber) const {
  return lanes_of(first, [&](const Fiber& other) {
    return other.state == State::at_warp_word && other.meeting.word == fiber.meeting.word &&
           other.meeting.mask == fiber.meeting.mask;
  });
}

// Everyone has run as far as they can. Lets go on whoever has met all the lanes they wait for; when there is
// nobody, says so and lets go on all who wait, so that the block comes to an end. False: nobody waited.
bool ThreadScheduler::release_warps() {
  if (at_warp_words_ == 0) return false;
  watcher_->begin_warp_epoch();
  bool released = false;
  for (const bool forced : {false, true}) {
    if (released) break;
    for (std::uint32_t first = 0; first < order_.size(); first += warp_lanes)
      released = release_warp(first, forced) || released;
  }
  return true;
}

bool ThreadScheduler::release_warp(std::uint32_t first, bool forced) {
  const std::uint32_t present =
      lanes_of(first, [](const Fiber& fiber) { return fiber.state != State::finished; });
  bool released = false;
  for (std::uint32_t lane = 0; lane < warp_lanes && first + lane < order_.size(); ++lane) {
    const Fiber& fiber = *fibers_[first + lane];
    if (fiber.state != State::at_warp_word) continue;
    const std::uint32_t met = lanes_at(first, fiber);
    if (met != (fiber.meeting.mask & present)) {
      if (!forced) continue;
      if (!released) report_warp_divergence(first, lane, fiber.meeting.mask & present, met);
    }
    release_lanes(first, met);
    released = true;
  }
  return released;
}

void ThreadScheduler::release_lanes(std::uint32_t first, std::uint32_t met) {
  const std::uint32_t left =
      lanes_of(first, [](const Fiber& fiber) { return fiber.state == State::finished; });
  std::uint64_t ballot = 0;
  for (std::uint32_t lane = 0; lane < warp_lanes; ++lane)
    if ((met >> lane & 1) != 0 && fibers_[first + lane]->meeting.value != 0) ballot |= 1ULL << lane;
  for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
    if ((met >> lane & 1) == 0) continue;
    Fiber& fiber = *fibers_[first + lane];
    const std::uint32_t source = fiber.meeting.source;
    const bool there = (met >> source & 1) != 0;
    if (fiber.meeting.word == WarpWord::vote)
      fiber.received = ballot;
    else
      fiber.received = there ? fibers_[first + source]->meeting.value : undefined_value;
    if (fiber.meeting.word == WarpWord::shuffle && (left >> source & 1) != 0)
      report_value_of_nobody(first + lane, first + source);
    fiber.state = State::ready;
    --at_warp_words_;
  }
  watcher_->warp_met(first, met);
}

// Lane `lane` waits for a lane that waits elsewhere, or for lanes without naming itself.
void ThreadScheduler::report_warp_divergence(std::uint32_t first, std::uint32_t lane, std::uint32_t named,
                                             std::uint32_t met) {
  const std::uint32_t missing = named & ~met;
  const std::uint32_t other =
      first + (missing != 0 ? static_cast<std::uint32_t>(std::countr_zero(missing)) : lane);
  Event event{.kind = FindingKind::barrier_divergence,
              .actor = watcher_->actor(fibers_[first + lane]->barrier_pc),
              .other = {}};
  event.actor.thread = first + lane;
  event.other = Actor{event.actor.block, other, fibers_[other]->barrier_pc};
  watcher_->report(event);
}

// A shuffle takes the value of a thread that has left the kernel.
void ThreadScheduler::report_value_of_nobody(std::uint32_t thread, std::uint32_t left) {
  Event event{.kind = FindingKind::barrier_divergence,
              .actor = watcher_->actor(fibers_[thread]->barrier_pc),
              .other = {},
              .detail = 1};
  event.actor.thread = thread;
  event.other = Actor{event.actor.block, left, 0};
  watcher_->report(event);
}

namespace {

std::uint32_t own_lane() { return current_scheduler->running_thread() % warp_lanes; }

// The lane a shuffle reads: within the segment of `width` lanes that the own lane is in, else the own one.
std::uint32_t segment(int width) { return own_lane() & ~(static_cast<std::uint32_t>(width) - 1); }
std::uint32_t source_index(int lane, int width) {
  return segment(width) | (static_cast<std::uint32_t>(lane) & (static_cast<std::uint32_t>(width) - 1));
}
std::uint32_t source_up(unsigned delta, int width) {
  return delta <= own_lane() - segment(width) ? own_lane() - delta : own_lane();
}
std::uint32_t source_down(unsigned delta, int width) {
  const std::uint32_t last = segment(width) + static_cast<std::uint32_t>(width) - 1;
  return delta <= last - own_lane() ? own_lane() + delta : own_lane();
}
std::uint32_t source_xor(int mask, int width) {
  const std::uint32_t lane = own_lane() ^ static_cast<std::uint32_t>(mask);
  return lane < segment(width) + static_cast<std::uint32_t>(width) ? lane : own_lane();
}

template <class T>
T shuffle(unsigned mask, T value, std::uint32_t source, std::uintptr_t pc) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  bits = current_scheduler->meet_at_warp_word({WarpWord::shuffle, mask, bits, source}, pc);
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

std::uint32_t vote(unsigned mask, bool value, std::uintptr_t pc) {
  return static_cast<std::uint32_t>(
      current_scheduler->meet_at_warp_word({WarpWord::vote, mask, value ? 1U : 0U, 0}, pc));
}

}  // namespace
}  // namespace tilewright

#define RETURN_ADDRESS reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

// What the prelude declares.
extern "C" {
void __syncwarp(unsigned mask) {
  tilewright::current_scheduler->meet_at_warp_word({tilewright::WarpWord::sync, mask, 0, 0}, RETURN_ADDRESS);
}
unsigned __ballot_sync(unsigned mask, int predicate) {
  return tilewright::vote(mask, predicate != 0, RETURN_ADDRESS);
}
int __any_sync(unsigned mask, int predicate) {
  return tilewright::vote(mask, predicate != 0, RETURN_ADDRESS) != 0 ? 1 : 0;
}
int __all_sync(unsigned mask, int predicate) {
  return tilewright::vote(mask, predicate == 0, RETURN_ADDRESS) == 0 ? 1 : 0;
}
}

#define TILEWRIGHT_SHUFFLES(T)                                                                      \
  T __shfl_sync(unsigned mask, T value, int lane, int width) {                                      \
    return tilewright::shuffle(mask, value, tilewright::source_index(lane, width), RETURN_ADDRESS); \
  }                                                                                                 \
  T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width) {                             \
    return tilewright::shuffle(mask, value, tilewright::source_up(delta, width), RETURN_ADDRESS);   \
  }                                                                                                 \
  T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width) {                           \
    return tilewright::shuffle(mask, value, tilewright::source_down(delta, width), RETURN_ADDRESS); \
  }                                                                                                 \
  T __shfl_xor_sync(unsigned mask, T value, int lanes, int width) {                                 \
    return tilewright::shuffle(mask, value, tilewright::source_xor(lanes, width), RETURN_ADDRESS);  \
  }

TILEWRIGHT_SHUFFLES(int)
TILEWRIGHT_SHUFFLES(unsigned)
TILEWRIGHT_SHUFFLES(long)
TILEWRIGHT_SHUFFLES(unsigned long)
TILEWRIGHT_SHUFFLES(long long)
TILEWRIGHT_SHUFFLES(unsigned long long)
TILEWRIGHT_SHUFFLES(float)
TILEWRIGHT_SHUFFLES(double)
