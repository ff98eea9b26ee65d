// SPDX-License-Identifier: MIT
//
// device/tensor_limits.h: what may be a tensor of a rung, and the refusal that names tensor, limit and number.
#include <gtest/gtest.h>

#include "device/device.h"
#include "device/tensor_limits.h"
#include "tests/unit/error_of.h"

namespace tilewright {
namespace {

// M x K of A, K x N of B, boxes of 128 x 32.
Tensors whole(const Problem& p) {
  return {.a = {TensorSource::A, 0, p.M, p.K, p.K, 128, 32},
          .b = {TensorSource::B, 0, p.K, p.N, p.N, 32, 128}};
}

Rung rung_with(Tensors (*tensors)(const Problem&)) {
  Rung rung{.name = "test_rung",
            .idea = "",
            .source = "",
            .tile = {.BM = 128, .BN = 128, .BK = 32},
            .block = {128, 1},
            .grid_order = GridOrder::columns_along_x,
            .static_shared_bytes = 0,
            .kernel = nullptr,
            .predict = nullptr};
  rung.tensors = tensors;
  return rung;
}

void expect_refusal(Tensors (*tensors)(const Problem&), Shape shape, const std::vector<std::string>& parts) {
  expect_error(
      [&] { require_within(cuda_limits("a test device"), rung_with(tensors), problem_of(shape, 1)); },
      Code::unsupported, parts);
}

TEST(DeviceTensors, MayBeWholeOperands) {
  EXPECT_NO_THROW(require_within(cuda_limits(""), rung_with(whole), problem_of({17, 20, 24}, 1)));
}

TEST(DeviceTensors, HaveRowsThatBeginAtWholeUnits) {
  expect_refusal(
      whole, {17, 20, 23},
      {"floats from row to row of tensor a", "asks for 23", "a test device allows multiples of 4"});
  expect_refusal(whole, {17, 19, 24}, {"floats from row to row of tensor b", "19"});
  expect_refusal(
      [](const Problem& p) {
        Tensors tensors = whole(p);
        tensors.b.offset = 2;
        return tensors;
      },
      {17, 20, 24}, {"floats before the first of tensor b", "asks for 2"});
}

TEST(DeviceTensors, HaveBoxesOfAtMost256) {
  expect_refusal(
      [](const Problem& p) {
        Tensors tensors = whole(p);
        tensors.a.box_rows = 257;
        return tensors;
      },
      {17, 20, 24}, {"box rows of tensor a", "asks for 257", "allows 1 to 256"});
  expect_refusal(
      [](const Problem& p) {
        Tensors tensors = whole(p);
        tensors.b.box_columns = 0;
        return tensors;
      },
      {17, 20, 24}, {"box columns of tensor b", "asks for 0"});
}

TEST(DeviceTensors, LieInWhatTheyAreOf) {
  expect_refusal(
      [](const Problem& p) {
        Tensors tensors = whole(p);
        tensors.a.rows += 1;
        return tensors;
      },
      {17, 20, 24}, {"floats up to the last of tensor a", "asks for 432", "allows 1 to 408"});
  expect_refusal(
      [](const Problem& p) {
        Tensors tensors = whole(p);
        tensors.b.where = TensorSource::scratch;
        return tensors;
      },
      {17, 20, 24}, {"floats up to the last of tensor b", "asks for 480", "allows 1 to 0"});
  expect_refusal(
      [](const Problem& p) {
        Tensors tensors = whole(p);
        tensors.a.pitch = 20;
        return tensors;
      },
      {17, 20, 24}, {"floats from row to row of tensor a", "asks for 20", "allows 24"});
}

void pack(const float*, const float*, float*, int, int, int, float*) {}

TEST(DeviceTensors, AreOfTheRungsOwnKernel) {
  Rung rung = rung_with(whole);
  rung.tensor_kernel = reinterpret_cast<KernelF32Tensors*>(reinterpret_cast<void*>(&pack));  // never called
  EXPECT_EQ(entry_of(rung), reinterpret_cast<const void*>(rung.tensor_kernel));
  EXPECT_TRUE(takes_scratch(rung));
  EXPECT_FALSE(is_block_a_tile(rung));
  rung.first = {.kernel = pack, .block = {32, 1}, .grid = [](const Problem&) -> Grid { return {1, 1}; }};
  const std::vector<Rung> kernels = kernels_of(rung, problem_of({17, 20, 24}, 1));
  ASSERT_EQ(kernels.size(), 2U);
  EXPECT_EQ(kernels[0].tensors, nullptr);
  EXPECT_EQ(entry_of(kernels[0]), reinterpret_cast<const void*>(&pack));
  EXPECT_EQ(entry_of(kernels[1]), entry_of(rung));
}

}  // namespace
}  // namespace tilewright
