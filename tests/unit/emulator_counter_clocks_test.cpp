// SPDX-License-Identifier: MIT
//
// What orders a write of one block before an access of another: fence, atomic, atomic on the same word, fence, with the
// barriers of both blocks round them.
#include <gtest/gtest.h>

#include "emulator/watch/counter_clocks.h"

namespace tilewright {
namespace {

// Blocks 0, 1 and 2, and words of scratch. A block writes in epoch 1 and meets at the barrier that begins epoch 2.
class CounterClockOf : public testing::Test {
 protected:
  CounterClockOf() {
    for (std::uint64_t block = 0; block < 3; ++block) {
      blocks_[block].begin_block(block);
      blocks_[block].meet(1);
      blocks_[block].meet(2);
    }
  }
  void arrive(std::uint64_t block, std::uint64_t word, std::uint32_t thread = 0) {
    blocks_[block].exchange(words_.at(word), thread);
  }
  static Writer written(std::uint64_t block, std::uint32_t thread, std::uint32_t epoch = 1) {
    return {block, thread, epoch};
  }
  bool ordered(const Writer& before, std::uint64_t block, std::uint32_t thread = 0) const {
    return blocks_[block].ordered(before, thread);
  }

  CounterClocks words_;
  KnownBlocks blocks_[3];
};

TEST_F(CounterClockOf, AnArrivalHandsOnWhatTheWholeBlockWroteBeforeItsBarrier) {
  blocks_[0].fence(0, 2);
  arrive(0, 7);
  arrive(1, 7);
  EXPECT_FALSE(ordered(written(0, 5), 1)) << "not before the fence";
  blocks_[1].fence(0, 2);
  EXPECT_TRUE(ordered(written(0, 5), 1));
  EXPECT_FALSE(ordered(written(0, 5), 1, 3)) << "not for other threads before the barrier";
  blocks_[1].meet(3);
  EXPECT_TRUE(ordered(written(0, 5), 1, 3));
  EXPECT_FALSE(ordered(written(0, 5, 2), 1))
      << "written after the barrier, by another thread than the one that arrived";
  EXPECT_FALSE(ordered(written(2, 5), 1)) << "another block";
}

TEST_F(CounterClockOf, AnArrivalHandsOnItsOwnThreadsLastWrites) {
  blocks_[0].fence(4, 2);
  arrive(0, 7, 4);
  arrive(1, 7);
  blocks_[1].fence(0, 2);
  EXPECT_TRUE(ordered(written(0, 4, 2), 1));
  EXPECT_FALSE(ordered(written(0, 5, 2), 1));
}

TEST_F(CounterClockOf, WithoutAFenceNothingIsHandedOn) {
  arrive(0, 7);
  arrive(1, 7);
  blocks_[1].fence(0, 2);
  EXPECT_FALSE(ordered(written(0, 0), 1));
}

TEST_F(CounterClockOf, AFenceOfAnotherThreadDoesNotDo) {
  blocks_[0].fence(1, 2);
  arrive(0, 7, 0);
  arrive(1, 7);
  blocks_[1].fence(0, 2);
  EXPECT_FALSE(ordered(written(0, 0), 1));
}

TEST_F(CounterClockOf, WhoComesFirstKnowsNothing) {
  blocks_[1].fence(0, 2);
  arrive(1, 7);
  blocks_[1].fence(0, 2);
  blocks_[0].fence(0, 2);
  arrive(0, 7);
  EXPECT_FALSE(ordered(written(0, 0), 1));
}

TEST_F(CounterClockOf, AnotherWordOrdersNothing) {
  blocks_[0].fence(0, 2);
  arrive(0, 7);
  arrive(1, 8);
  blocks_[1].fence(0, 2);
  EXPECT_FALSE(ordered(written(0, 0), 1));
}

TEST_F(CounterClockOf, OrderIsHandedOnByABlockBetween) {
  blocks_[0].fence(0, 2);
  arrive(0, 7);
  arrive(1, 7);
  blocks_[1].fence(0, 2);
  arrive(1, 8);
  arrive(2, 8);
  blocks_[2].fence(0, 2);
  EXPECT_TRUE(ordered(written(0, 5), 2));
  EXPECT_TRUE(ordered(written(1, 5), 2));
}

TEST_F(CounterClockOf, ANewBlockKnowsNothing) {
  blocks_[0].fence(0, 2);
  arrive(0, 7);
  arrive(1, 7);
  blocks_[1].fence(0, 2);
  blocks_[1].begin_block(9);
  EXPECT_FALSE(ordered(written(0, 5), 1));
}

}  // namespace
}  // namespace tilewright
