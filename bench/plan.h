// SPDX-License-Identifier: MIT
//
// How a measurement is made, chosen before its first sample: which memory is warm, how hot the chip, where the interval
// begins and ends, how many samples.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/shape.h"

namespace tilewright {

// What the caches hold when a launch begins. Three experiments, three labels, never mixed.
enum class Cache {
  warm,    // the same buffers again
  rotate,  // operand sets that fill the L2 at least twice, in turn: what the last launches left is of no use
  cold,    // the L2 flushed before each launch
};

enum class Mode {
  boost,      // short batches with pauses between them, so that neither heat nor power lowers the clock
  sustained,  // seconds of work first, then batch upon batch
  quick,      // a few batches with neither: to rank rungs (`tune`), not to publish their times
};

enum class Boundary {
  device,      // from an event before a batch of launches to an event after it
  end_to_end,  // allocation, copies to the GPU, one launch, the copy back, by the host's clock
};

std::string to_string(Cache cache);
std::string to_string(Mode mode);
std::string to_string(Boundary boundary);

struct TimingPlan {
  Cache cache = Cache::warm;
  Mode mode = Mode::boost;
  Boundary boundary = Boundary::device;
  double seconds = 1.0;  // of timed work for the slowest contender of a cell
  std::uint64_t seed = 1;

  // A batch is long beside the clock's resolution, and short enough for many of them.
  double batch_microseconds() const {
    return mode == Mode::quick ? seconds * 1e6 / most_quick_rounds : mode == Mode::boost ? 5e3 : 20e3;
  }
  double pause_seconds() const { return mode == Mode::boost ? 0.005 : 0; }
  double shortest_warm_up() const { return mode == Mode::quick ? 0 : mode == Mode::boost ? 0.2 : 3.0; }
  double longest_warm_up() const { return mode == Mode::quick ? 0 : mode == Mode::boost ? 0.8 : 6.0; }
  // Eight are the fewest whose smallest and largest hold the median with the confidence of statistics.h; three have
  // a median.
  std::int64_t fewest_rounds() const { return mode == Mode::quick ? 3 : 8; }
  std::int64_t most_rounds() const { return mode == Mode::quick ? most_quick_rounds : 24; }
  // A contender of which the fewest samples would take longer is not measured.
  double longest_seconds() const { return mode == Mode::quick ? 60 : 5 * seconds; }

  static constexpr int most_quick_rounds = 7;
};

// What is launched ahead of a running kernel waits in a queue of about a thousand; a library's product may be three
// launches.
inline constexpr std::int64_t most_launches = 256;

}  // namespace tilewright
