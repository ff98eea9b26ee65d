// SPDX-License-Identifier: MIT
//
// Requests, sectors and bank conflicts: single requests worked out by hand, then whole kernels.
#include <gtest/gtest.h>

#include "device/emulator_device.h"
#include "emulator/watch/warp_view.h"
#include "judge/inputs.h"

namespace tilewright {
namespace {

// Lane l asks for `bytes` at start + l * stride.
WarpRequest strided(std::uint64_t start, std::uint64_t stride, unsigned bytes, unsigned lanes = warp_lanes) {
  WarpRequest request;
  request.bytes = bytes;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    request.active |= 1U << lane;
    request.address[lane] = start + lane * stride;
  }
  return request;
}

std::int64_t sectors(const WarpRequest& request) { return count_request(request, Space::global).sectors; }
std::int64_t ways(const WarpRequest& request) { return count_request(request, Space::shared).most_ways; }

TEST(WarpRequest, MovesWholeSectors) {
  EXPECT_EQ(sectors(strided(0, 4, 4)), 4);      // neighbours
  EXPECT_EQ(sectors(strided(16, 4, 4)), 5);     // neighbours that start within a sector
  EXPECT_EQ(sectors(strided(0, 0, 4)), 1);      // one address
  EXPECT_EQ(sectors(strided(0, 32, 4)), 32);    // one sector a lane
  EXPECT_EQ(sectors(strided(0, 4096, 4)), 32);  // far apart
  EXPECT_EQ(sectors(strided(0, 16, 16)), 16);   // float4 neighbours
  EXPECT_EQ(sectors(strided(0, 4, 4, 3)), 1);   // three lanes
  EXPECT_EQ(sectors(strided(24, 0, 16)), 2);    // one access across a sector's end
}

TEST(WarpRequest, KnowsTheFewestSectorsThatWouldDo) {
  EXPECT_EQ(count_request(strided(0, 4096, 4), Space::global).ideal_sectors, 4);
  EXPECT_EQ(count_request(strided(0, 0, 4), Space::global).ideal_sectors, 1);
  EXPECT_EQ(count_request(strided(16, 4, 4), Space::global).ideal_sectors, 4);
}

TEST(WarpRequest, CountsTheWaysOfABank) {
  EXPECT_EQ(ways(strided(0, 4, 4)), 1);        // a word a bank
  EXPECT_EQ(ways(strided(0, 0, 4)), 1);        // broadcast
  EXPECT_EQ(ways(strided(0, 8, 4)), 2);        // every other bank
  EXPECT_EQ(ways(strided(0, 32 * 4, 4)), 32);  // a column of an unpadded 32-wide tile
  EXPECT_EQ(ways(strided(0, 33 * 4, 4)), 1);   // of a padded one
}

TEST(WarpRequest, ServesWideAccessesInPhases) {
  const WarpCounts float4s = count_request(strided(0, 16, 16), Space::shared);
  EXPECT_EQ(float4s.wavefronts, 4);  // quarter-warps of 128 bytes
  EXPECT_EQ(float4s.bank_conflicts, 0);
  const WarpCounts float2s = count_request(strided(0, 8, 8), Space::shared);
  EXPECT_EQ(float2s.wavefronts, 2);
  EXPECT_EQ(float2s.bank_conflicts, 0);
  // Rows of 128 bytes: the eight lanes of a quarter-warp ask for the same four banks.
  const WarpCounts columns = count_request(strided(0, 128, 16), Space::shared);
  EXPECT_EQ(columns.most_ways, 8);
  EXPECT_EQ(columns.bank_conflicts, 4 * 7);
}

WarpCounts warps_of(const std::string& rung, Shape shape, std::string_view space, std::string_view op) {
  Catalog catalog;
  catalog.load_folder(TILEWRIGHT_LIB_DIR "/rungs");
  EmulatorSettings settings;
  settings.see_warps = true;
  EmulatorDevice device(catalog, settings);
  const Operands operands = make_inputs(find_family("uniform"), shape, 1);
  WarpCounts sum;
  for (const LineCount& line : multiply(device, catalog.find(rung), operands.A, operands.B).lines)
    if (line.space == space && line.op == op) sum += line.warps;
  return sum;
}

TEST(WarpView, ShowsThatTheWrongMappingMovesMore) {
  constexpr std::int64_t n = 64, pairs = n * n * n / warp_lanes;
  const WarpCounts rows = warps_of("direct_rows", {n, n, n}, "global", "read");
  const WarpCounts columns = warps_of("direct", {n, n, n}, "global", "read");
  EXPECT_EQ(rows.requests, 2 * pairs);
  EXPECT_EQ(rows.sectors, (32 + 1) * pairs);  // a column of A, one address of B
  EXPECT_EQ(columns.requests, 2 * pairs);
  EXPECT_EQ(columns.sectors, (1 + 4) * pairs);  // one address of A, a row of B
}

TEST(WarpView, PredictsTheRequestsOfTheSharedTile) {
  // 2N³/T elements in requests of 32 lanes and 4 sectors each.
  constexpr std::int64_t n = 128;
  const WarpCounts loads = warps_of("shared_tile_32", {n, n, n}, "global", "read");
  EXPECT_EQ(loads.requests, 2 * n * n * n / 32 / warp_lanes);
  EXPECT_EQ(loads.sectors, 4 * loads.requests);
  EXPECT_EQ(loads.lanes, warp_lanes * loads.requests);
  const WarpCounts reads = warps_of("shared_tile_32", {n, n, n}, "shared", "read");
  EXPECT_EQ(reads.bank_conflicts, 0);
  EXPECT_EQ(reads.most_ways, 1);
}

TEST(WarpView, SeesLanesThatAreMaskedOff) {
  const WarpCounts loads = warps_of("shared_tile_16", {17, 19, 23}, "global", "read");
  EXPECT_EQ(loads.lanes, 1656);
  EXPECT_LT(loads.lanes, warp_lanes * loads.requests);
}

}  // namespace
}  // namespace tilewright
