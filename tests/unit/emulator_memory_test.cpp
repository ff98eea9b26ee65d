// SPDX-License-Identifier: MIT
//
// emulator/watch/global_memory.h: buffers aligned as cudaMalloc aligns them, far apart, with NaN around them.
#include <gtest/gtest.h>

#include <cmath>

#include "emulator/watch/global_memory.h"

namespace tilewright {
namespace {

class EmulatorMemory : public testing::Test {
 protected:
  GlobalMemory memory_{{{"A", Role::input, 6}, {"B", Role::input, 1000003}, {"C", Role::output, 1}}};
};

TEST_F(EmulatorMemory, HasTheBuffersThatWereAskedFor) {
  ASSERT_EQ(memory_.buffers().size(), 3U);
  EXPECT_EQ(memory_.buffers()[0].name, "A");
  EXPECT_EQ(memory_.buffers()[1].bytes, 4000012U);
  EXPECT_EQ(memory_.buffers()[2].role, Role::output);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory_.data(i)), memory_.buffers()[i].base);
}

TEST_F(EmulatorMemory, IsAlignedAsCudaMallocAligns) {
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory_.data(i)) % 256, 0U) << i;
}

TEST_F(EmulatorMemory, HasNaNJustOutside) {
  for (const GlobalBuffer& buffer : memory_.buffers()) {
    const auto* first = reinterpret_cast<const float*>(buffer.base);
    const float* end = first + buffer.bytes / sizeof(float);
    for (const int distance : {1, 2, 100, 4096}) {
      EXPECT_TRUE(std::isnan(first[-distance])) << buffer.name << " " << distance;
      EXPECT_TRUE(std::isnan(end[distance - 1])) << buffer.name << " " << distance;
    }
    EXPECT_FALSE(std::isnan(first[0])) << buffer.name;
    EXPECT_FALSE(std::isnan(end[-1])) << buffer.name;
  }
}

TEST_F(EmulatorMemory, HoldsExactlyItsBytes) {
  const GlobalBuffer& A = memory_.buffers()[0];
  EXPECT_TRUE(A.holds(A.base, 1));
  EXPECT_TRUE(A.holds(A.base, 24));
  EXPECT_TRUE(A.holds(A.base + 20, 4));
  EXPECT_TRUE(A.holds(A.base + 23, 1));
  EXPECT_TRUE(A.holds(A.base + 8, 16));
  EXPECT_FALSE(A.holds(A.base, 25));
  EXPECT_FALSE(A.holds(A.base + 21, 4));
  EXPECT_FALSE(A.holds(A.base + 12, 16));
  EXPECT_FALSE(A.holds(A.base + 24, 1));
  EXPECT_FALSE(A.holds(A.base - 1, 1));
  EXPECT_FALSE(A.holds(A.base - 4, 8));
  EXPECT_FALSE(A.holds(A.base - 4, 4));
  EXPECT_FALSE(A.holds(0, 4));
  EXPECT_FALSE(A.holds(UINTPTR_MAX, 4));
  const GlobalBuffer& C = memory_.buffers()[2];
  EXPECT_TRUE(C.holds(C.base, 4));
  EXPECT_FALSE(C.holds(C.base, 16));
}

TEST_F(EmulatorMemory, AnAddressBesideABufferNamesIt) {
  constexpr std::uintptr_t far = 900UL << 20;
  for (const GlobalBuffer& buffer : memory_.buffers()) {
    for (const std::uintptr_t address : {buffer.base - 4, buffer.base - far, buffer.base,
                                         buffer.base + buffer.bytes, buffer.base + buffer.bytes + far}) {
      ASSERT_GE(address, memory_.base());
      ASSERT_LT(address, memory_.base() + memory_.bytes());
      EXPECT_EQ(&memory_.nearest(address), &buffer);
    }
  }
}

TEST_F(EmulatorMemory, OnlyOutputsHaveWritersAndTheyAreForgotten) {
  EXPECT_EQ(memory_.buffers()[0].writers, nullptr);
  EXPECT_EQ(memory_.buffers()[1].writers, nullptr);
  std::atomic<std::uint64_t>& slot = memory_.buffers()[2].writers[0];
  EXPECT_TRUE(Writer(slot.load()).nobody());
  slot = Writer(0, 0, 0).bits();
  EXPECT_FALSE(Writer(slot.load()).nobody());
  memory_.forget_writers();
  EXPECT_TRUE(Writer(memory_.buffers()[2].writers[0].load()).nobody());
}

TEST(EmulatorWriter, KeepsBlockThreadAndEpoch) {
  constexpr std::uint32_t last_thread = 1023, last_epoch = (1U << Writer::epoch_bits) - 1;
  for (const std::uint64_t block : {0UL, 1UL, 4294967294UL})
    for (const std::uint32_t thread : {0U, 1U, last_thread})
      for (const std::uint32_t epoch : {0U, 1U, last_epoch}) {
        const Writer writer(block, thread, epoch);
        EXPECT_FALSE(writer.nobody());
        EXPECT_EQ(writer.block(), block);
        EXPECT_EQ(writer.thread(), thread);
        EXPECT_EQ(writer.epoch(), epoch);
        EXPECT_EQ(Writer(writer.bits()).bits(), writer.bits());
      }
  EXPECT_TRUE(Writer().nobody());
}

}  // namespace
}  // namespace tilewright
