// SPDX-License-Identifier: MIT
//
// The simulators against the closed forms and a plain product, over seeded random shapes: every count and,
// with small integers, every value is equal.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "model/mma.h"
#include "model/phases.h"
#include "model/simulate.h"
#include "model/traffic.h"
#include "tests/unit/error_of.h"

namespace tilewright {
namespace {

constexpr int shapes_tried = 600;

std::vector<float> small_integers(std::mt19937_64& random, std::int64_t count) {
  std::vector<float> values(static_cast<std::size_t>(count));
  for (float& value : values) value = static_cast<float>(static_cast<int>(random() % 9) - 4);
  return values;
}

std::vector<float> real_numbers(std::mt19937_64& random, std::int64_t count) {
  std::uniform_real_distribution<float> draw(-1.0F, 1.0F);
  std::vector<float> values(static_cast<std::size_t>(count));
  for (float& value : values) value = draw(random);
  return values;
}

std::vector<float> direct(const std::vector<float>& A, const std::vector<float>& B, ProductSize product) {
  const auto [M, N, K] = product;
  std::vector<float> C;
  for (std::int64_t i = 0; i < M; ++i)
    for (std::int64_t j = 0; j < N; ++j) {
      float sum = 0;
      for (std::int64_t k = 0; k < K; ++k)
        sum = std::fma(A[static_cast<std::size_t>(i * K + k)], B[static_cast<std::size_t>(k * N + j)], sum);
      C.push_back(sum);
    }
  return C;
}

class ModelSimulate : public testing::Test {
 protected:
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(high - low + 1));
  }
  ProductSize shape() { return {between(1, 40), between(1, 40), between(1, 40)}; }

  std::mt19937_64 random_{20261130};
};

TEST_F(ModelSimulate, TiledCountsAndValuesOnEveryShape) {
  for (int tried = 0; tried < shapes_tried; ++tried) {
    const ProductSize product = shape();
    const std::int64_t b = between(1, 48);
    SCOPED_TRACE(text_of(product) + " b " + std::to_string(b));
    const auto A = real_numbers(random_, product.M * product.K),
               B = real_numbers(random_, product.K * product.N);
    const TiledProduct result = tiled_matmul(A, B, product, b);
    ASSERT_EQ(result.C, direct(A, B, product));
    ASSERT_EQ(result.global_reads, tiled_counts(product, b).global_reads);
    ASSERT_EQ(result.global_reads, matmul_traffic(product, {b, b}).tiled);
    ASSERT_EQ(result.shared_reads, tiled_counts(product, b).shared_reads);
  }
}

TEST_F(ModelSimulate, TwoLevelCountsAndValuesOnEveryShape) {
  for (int tried = 0; tried < shapes_tried; ++tried) {
    const ProductSize product = shape();
    const std::int64_t t = between(1, 8), b = t * between(1, 6);
    SCOPED_TRACE(text_of(product) + " b " + std::to_string(b) + " t " + std::to_string(t));
    const auto A = real_numbers(random_, product.M * product.K),
               B = real_numbers(random_, product.K * product.N);
    const TiledProduct result = two_level_matmul(A, B, product, b, t);
    ASSERT_EQ(result.C, direct(A, B, product));
    ASSERT_EQ(result.global_reads, two_level_counts(product, b, t).global_reads);
    ASSERT_EQ(result.shared_reads, two_level_counts(product, b, t).shared_reads);
  }
}

TEST_F(ModelSimulate, MmaCountsAndValuesOnEveryShape) {
  const MmaShape shapes[] = {{16, 8, 16}, {16, 8, 8}, {64, 16, 16}, {5, 3, 7}};
  for (int tried = 0; tried < shapes_tried; ++tried) {
    const ProductSize product = shape();
    const MmaShape mma = shapes[tried % 4];
    SCOPED_TRACE(text_of(product) + " m " + std::to_string(mma.m));
    const auto A = small_integers(random_, product.M * product.K),
               B = small_integers(random_, product.K * product.N);
    const MmaProduct result = mma_matmul(A, B, product, mma);
    ASSERT_EQ(result.C, direct(A, B, product));  // small integers: exact in any order
    ASSERT_EQ(result.instructions, mma_count(product, mma).instructions);
  }
}

// The loads that the paper trace lists are those that the simulator does.
TEST_F(ModelSimulate, PhasesAddUpToTheSimulatedLoads) {
  for (int tried = 0; tried < shapes_tried; ++tried) {
    const ProductSize product = shape();
    const std::int64_t T = between(1, 32);
    SCOPED_TRACE(text_of(product) + " T " + std::to_string(T));
    std::int64_t loads = 0, zeros = 0, padded_reads = 0;
    for (const Phase& phase : list_phases(product, T)) {
      loads += phase.loaded_elements;
      zeros += phase.zero_elements;
      padded_reads += 2 * phase.participating_threads * (phase.valid_k + phase.zero_filled_k);
    }
    ASSERT_EQ(loads, tiled_counts(product, T).global_reads);
    ASSERT_EQ(padded_reads, tiled_counts(product, T).padded_shared_reads);
    ASSERT_EQ((loads + zeros) * T, padded_reads);
  }
}

TEST_F(ModelSimulate, TwoLevelsAt80Cubed) {
  const ProductSize product{80, 80, 80};
  const auto A = small_integers(random_, 6400), B = small_integers(random_, 6400);
  const TiledProduct result = two_level_matmul(A, B, product, 32, 8);
  EXPECT_EQ(result.C, direct(A, B, product));
  EXPECT_EQ(result.global_reads, 38'400);
  EXPECT_EQ(result.shared_reads, 128'000);
}

TEST_F(ModelSimulate, RefusesOperandsOfAnotherSize) {
  const std::vector<float> six(6), five(5);
  expect_error([&] { tiled_matmul(five, six, {2, 2, 3}, 2); }, Code::bad_input, {"A '5 values'", "2 x 3"});
  expect_error([&] { tiled_matmul(six, five, {2, 2, 3}, 2); }, Code::bad_input, {"B '5 values'", "3 x 2"});
  expect_error([&] { tiled_matmul(six, six, {2, 2, 3}, 0); }, Code::bad_input, {"b '0'"});
  expect_error([&] { two_level_matmul(six, six, {2, 2, 3}, 4, 3); }, Code::bad_input, {"t '3'", "divide"});
  expect_error([&] { mma_matmul(six, six, {2, 2, 3}, {0, 8, 16}); }, Code::bad_input, {"mma m '0'"});
  expect_error([&] { mma_matmul(six, six, {2, 2, 3}, {16, 8, 2000}); }, Code::bad_input, {"mma k '2000'"});
}

}  // namespace
}  // namespace tilewright
