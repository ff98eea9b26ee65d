// SPDX-License-Identifier: MIT
//
// device/device.h and device/sentinel.h: the grid that follows from a tile, the limits of a launch with the
// refusal that names limit and both numbers, and the pattern that stands where nothing was written.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "device/device.h"
#include "device/sentinel.h"
#include "tests/unit/error_of.h"

namespace tilewright {
namespace {

Rung rung_of(Tile tile, Block block, GridOrder order = GridOrder::columns_along_x) {
  return {.name = "test_rung",
          .idea = "",
          .source = "",
          .tile = tile,
          .block = block,
          .grid_order = order,
          .static_shared_bytes = 0,
          .kernel = nullptr,
          .predict = nullptr};
}

TEST(DeviceGrid, CoversCInTheRungsOrder) {
  const Rung columns = rung_of({.BM = 8, .BN = 32, .BK = 1}, {32, 8});
  EXPECT_EQ(grid_of(columns, problem_of({17, 33, 5}, 1)).x, 2);
  EXPECT_EQ(grid_of(columns, problem_of({17, 33, 5}, 1)).y, 3);
  const Rung rows = rung_of({.BM = 32, .BN = 8, .BK = 1}, {32, 8}, GridOrder::rows_along_x);
  EXPECT_EQ(grid_of(rows, problem_of({33, 17, 5}, 1)).x, 2);
  EXPECT_EQ(grid_of(rows, problem_of({33, 17, 5}, 1)).y, 3);
}

TEST(DeviceGrid, HasNoBlockTooManyAndNoneTooFew) {
  const Rung rung = rung_of({.BM = 16, .BN = 16, .BK = 16}, {16, 16});
  for (const auto& [extent, blocks] :
       {std::pair{1, 1}, {15, 1}, {16, 1}, {17, 2}, {32, 2}, {33, 3}, {4096, 256}}) {
    EXPECT_EQ(grid_of(rung, problem_of({extent, 1, 1}, 1)).y, blocks) << extent;
    EXPECT_EQ(grid_of(rung, problem_of({1, extent, 1}, 1)).x, blocks) << extent;
    EXPECT_EQ(grid_of(rung, problem_of({1, 1, extent}, 1)).x, 1) << extent;
  }
}

void expect_limit(const Rung& rung, Shape shape, const std::vector<std::string>& parts) {
  std::vector<std::string> all{"test_rung '" + to_string(shape) + "'", "a test device allows"};
  all.insert(all.end(), parts.begin(), parts.end());
  expect_error([&] { require_within(cuda_limits("a test device"), rung, problem_of(shape, 1)); },
               Code::unsupported, all);
}

TEST(DeviceLimits, AllowWhatCudaAllows) {
  Rung rung = rung_of({.BM = 1, .BN = 1, .BK = 1}, {32, 32});
  rung.static_shared_bytes = 48 << 10;
  rung.dynamic_shared_bytes = (227 - 48) << 10;
  EXPECT_NO_THROW(require_within(cuda_limits(""), rung, problem_of({65535, 4096, 4096}, 1)));
  EXPECT_NO_THROW(
      require_within(cuda_limits(""), rung_of({1, 1, 1}, {1024, 1}), problem_of({1, (1LL << 31) - 1, 1}, 1)));
  EXPECT_NO_THROW(require_within(cuda_limits(""), rung_of({1, 1, 1}, {1, 1024}), problem_of({1, 1, 1}, 1)));
}

TEST(DeviceLimits, NameTheLimitAndBothNumbers) {
  expect_limit(rung_of({1, 1, 1}, {64, 32}), {4, 4, 4},
               {"threads per block", "asks for 2048", "allows 1024"});
  expect_limit(rung_of({1, 1, 1}, {1025, 1}), {4, 4, 4}, {"threads per block", "1025", "1024"});
  expect_limit(rung_of({1, 1, 1}, {16, 16}), {65536, 4, 4},
               {"blocks in y", "asks for 65536", "allows 65535"});
  expect_limit(rung_of({1, 1, 1}, {16, 16}, GridOrder::rows_along_x), {4, 65536, 4},
               {"blocks in y", "65536", "65535"});
  expect_limit(rung_of({1, 1, 1}, {16, 16}), {4, 1LL << 31, 4}, {"blocks in x", "2147483648", "2147483647"});
  expect_limit(rung_of({1, 1, 1}, {16, 16}), {4, 4, 1LL << 31}, {"K: ", "2147483648", "2147483647"});
  Rung shared = rung_of({1, 1, 1}, {16, 16});
  shared.static_shared_bytes = (48 << 10) + 4;
  expect_limit(shared, {4, 4, 4}, {"static shared memory per block", "49156", "49152"});
  Rung dynamic = rung_of({1, 1, 1}, {16, 16});
  dynamic.static_shared_bytes = 40 << 10;
  dynamic.dynamic_shared_bytes = (187 << 10) + 1;
  expect_limit(dynamic, {4, 4, 4}, {"shared memory per block, static and dynamic", "232449", "232448"});
}

TEST(DeviceGrid, IsTheRungsOwnWhereItHasOne) {
  Rung rung = rung_of({.BM = 16, .BN = 16, .BK = 16}, {16, 16});
  rung.grid = [](const Problem& p) -> Grid { return {p.M, p.N, p.K + p.multiprocessors}; };
  const Grid grid = grid_of(rung, problem_of({2, 3, 5}, 7));
  EXPECT_EQ(grid.x, 2);
  EXPECT_EQ(grid.y, 3);
  EXPECT_EQ(grid.z, 12);
  EXPECT_EQ(grid.count(), 72);
}

TEST(DeviceScratch, IsWhatTheRungSaysAndElseNone) {
  Rung rung = rung_of({1, 1, 1}, {16, 16});
  EXPECT_EQ(scratch_of(rung, problem_of({2, 3, 5}, 7)), 0);
  EXPECT_EQ(counters_of(rung, problem_of({2, 3, 5}, 7)), 0);
  rung.scratch_floats = [](const Problem& p) { return p.M * p.N * p.multiprocessors; };
  rung.scratch_counters = [](const Problem& p) { return p.M; };
  EXPECT_EQ(scratch_of(rung, problem_of({2, 3, 5}, 7)), 42);
  EXPECT_EQ(counters_of(rung, problem_of({2, 3, 5}, 7)), 2);
}

TEST(DeviceLimits, HoldForGridAndScratchOfARungsOwn) {
  Rung deep = rung_of({1, 1, 1}, {16, 16});
  deep.grid = [](const Problem& p) -> Grid { return {1, 1, p.K}; };
  EXPECT_NO_THROW(require_within(cuda_limits(""), deep, problem_of({4, 4, 65535}, 1)));
  expect_limit(deep, {4, 4, 65536}, {"blocks in z", "asks for 65536", "allows 65535"});
  Rung scratch = rung_of({1, 1, 1}, {16, 16});
  scratch.scratch_floats = [](const Problem& p) { return p.K << 20; };
  scratch.scratch_counters = [](const Problem& p) { return p.M << 20; };
  EXPECT_NO_THROW(require_within(cuda_limits(""), scratch, problem_of({4, 4, 4096}, 1)));
  expect_limit(scratch, {4, 4, 4097}, {"bytes of scratch", "17184063488", "17179869184"});
  expect_limit(scratch, {5, 4, 4}, {"floats of scratch that are counters", "5242880", "4194304"});
}

void pack(const float*, const float*, float*, int, int, int, float*) {}

// Blocks that walk over tiles count them in 32 bits, with what lies beyond the edge.
TEST(DeviceLimits, HoldForWholeTilesWhereBlocksWalkOverThem) {
  constexpr std::int64_t most = (1LL << 31) - 1;
  Rung walking = rung_of({32, 64, 128}, {16, 16});
  walking.grid = [](const Problem&) -> Grid { return {1, 1}; };
  EXPECT_NO_THROW(require_within(cuda_limits(""), walking, problem_of({most, most, most}, 1)));
  walking.scratch_kernel = pack;
  EXPECT_NO_THROW(
      require_within(cuda_limits(""), walking, problem_of({most - 31, most - 63, most - 127}, 1)));
  expect_limit(walking, {most - 30, 1, 1}, {"M up to whole tiles", "2147483648", "2147483647"});
  expect_limit(walking, {1, most - 62, 1}, {"N up to whole tiles", "2147483648", "2147483647"});
  expect_limit(walking, {1, 1, most - 126}, {"K up to whole steps", "2147483648", "2147483647"});
}

TEST(DeviceKernels, AreTheFirstAndTheRungsOwn) {
  Rung rung = rung_of({.BM = 16, .BN = 16, .BK = 16}, {16, 16});
  EXPECT_EQ(kernels_of(rung, problem_of({20, 3, 5}, 7)).size(), 1U);
  EXPECT_TRUE(is_block_a_tile(rung));
  rung.dynamic_shared_bytes = 1000;
  rung.first = {.kernel = pack,
                .block = {64, 2},
                .grid = [](const Problem& p) -> Grid {
                  return {p.K / 5, p.M};
                },
                .static_shared_bytes = 12};
  EXPECT_FALSE(is_block_a_tile(rung));
  const Problem problem = problem_of({20, 3, 5}, 7);
  const std::vector<Rung> kernels = kernels_of(rung, problem);
  ASSERT_EQ(kernels.size(), 2U);
  EXPECT_EQ(entry_of(kernels[0]), reinterpret_cast<const void*>(pack));
  EXPECT_EQ(kernels[0].block.x, 64);
  EXPECT_EQ(grid_of(kernels[0], problem).count(), 20);
  EXPECT_EQ(kernels[0].static_shared_bytes, 12);
  EXPECT_EQ(kernels[0].dynamic_shared_bytes, 0);
  EXPECT_EQ(kernels[1].block.x, 16);
  EXPECT_EQ(grid_of(kernels[1], problem).count(), 2);
  EXPECT_EQ(kernels[1].dynamic_shared_bytes, 1000);
  for (const Rung& kernel : kernels) EXPECT_EQ(kernel.first.kernel, nullptr);
  EXPECT_EQ(kernels_of(rung, problem_of({20, 3, 4}, 7)).size(), 1U) << "no block";
}

TEST(DeviceLimits, HoldForTheFirstKernelAndNameIt) {
  Rung rung = rung_of({1, 1, 1}, {16, 16});
  rung.first = {.kernel = pack, .block = {1024, 1}, .grid = [](const Problem& p) -> Grid {
                  return {1, p.K};
                }};
  EXPECT_NO_THROW(require_within(cuda_limits(""), rung, problem_of({4, 4, 65535}, 1)));
  expect_limit(rung, {4, 4, 65536}, {"blocks in y of its first kernel", "asks for 65536", "allows 65535"});
  rung.first.block = {1024, 2};
  expect_limit(rung, {4, 4, 4}, {"threads per block of its first kernel", "2048", "1024"});
  rung.first.block = {32, 1};
  rung.first.static_shared_bytes = (48 << 10) + 4;
  expect_limit(rung, {4, 4, 4}, {"static shared memory per block of its first kernel", "49156", "49152"});
}

TEST(DeviceLimits, ADevicesOwnLimitsCount) {
  LaunchLimits small = cuda_limits("a small device");
  small.block_y = 8;
  expect_error(
      [&] {
        require_within(small, rung_of({1, 1, 1}, {16, 16}), problem_of({4, 4, 4}, 1));
      },
      Code::unsupported, {"block extent in y", "16", "a small device allows 8"});
}

TEST(DeviceSentinel, IsNaNEverywhere) {
  for (std::uint64_t salt = 0; salt < 4; ++salt)
    for (std::uint64_t position = 0; position < 100000; ++position)
      ASSERT_TRUE(std::isnan(sentinel(position, salt))) << position << " " << salt;
  EXPECT_TRUE(std::isnan(sentinel(UINT64_MAX, UINT64_MAX)));
}

// Arithmetic gives quiet NaNs, NVIDIA's with every bit of the fraction set: none may look as if nothing was written.
TEST(DeviceSentinel, IsNoNaNThatArithmeticGives) {
  for (std::uint64_t position = 0; position < 100000; ++position)
    ASSERT_EQ(sentinel_bits(position, 3) & 0x00400000U, 0U) << position;
}

TEST(DeviceSentinel, DependsOnPositionAndSalt) {
  std::set<std::uint32_t> seen;
  for (std::uint64_t position = 0; position < 4096; ++position) seen.insert(sentinel_bits(position, 1));
  EXPECT_GT(seen.size(), 4080U);  // 21 bits: a few pairs of 4096 draws may coincide
  int same_as_neighbour = 0, same_for_salt = 0;
  for (std::uint64_t position = 0; position < 4096; ++position) {
    same_as_neighbour += sentinel_bits(position, 1) == sentinel_bits(position + 1, 1) ? 1 : 0;
    same_for_salt += sentinel_bits(position, 1) == sentinel_bits(position, 2) ? 1 : 0;
  }
  EXPECT_EQ(same_as_neighbour, 0);
  EXPECT_EQ(same_for_salt, 0);
}

TEST(DeviceSentinel, IsTheSameEverywhereAndAlways) {
  EXPECT_EQ(sentinel_bits(5, 7), sentinel_bits(5, 7));
  static_assert(sizeof(float) == 4);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(sentinel(5, 7)), sentinel_bits(5, 7));
}

}  // namespace
}  // namespace tilewright
