// SPDX-License-Identifier: MIT
//
// Infinities and NaNs go through every rung as IEEE 754 says. Tiles that stick out of the matrices are filled up with
// zeros, and 0·∞ is NaN: a zero of the filling must meet nothing but another zero, or a row or column that is not
// stored. A rung that does it otherwise, and is right for all finite inputs, is here too, and is caught.
#include "judge/non_finite.h"

#include <limits>

#include "tests/agree/agreement.h"
#include "tests/unit/emulated_source.h"

namespace tilewright {
namespace {

constexpr float inf = std::numeric_limits<float>::infinity();

// Round the tile's edges, where the filling is: less than one tile, one more and one less than some.
std::vector<Shape> ragged_shapes(const Tile& tile) {
  return {{3, 5, 2},
          {tile.BM + 1, tile.BN - 1, tile.BK + 3},
          {tile.BM - 1, tile.BN + 3, 2 * std::int64_t{tile.BK} + 1},
          {tile.BM, tile.BN, tile.BK}};
}

// Special values at the corners and in the last row, column and k, next to which the filling lies.
std::vector<Operands> special_inputs(Shape shape) {
  const Operands uniform = make_inputs(find_family("uniform"), shape, 1);
  std::vector<Operands> all;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const float value : {inf, -inf, nan}) {
    Operands last_k = uniform;
    last_k.A.at(0, shape.K - 1) = value;
    last_k.B.at(shape.K - 1, shape.N - 1) = value;
    all.push_back(last_k);
    Operands corners = uniform;
    corners.A.at(shape.M - 1, 0) = value;
    corners.B.at(0, 0) = value;
    all.push_back(corners);
  }
  // Every element of the last row of B: whatever filling of A meets it shows in all columns.
  Operands edge = uniform;
  for (std::int64_t column = 0; column < shape.N; ++column) edge.B.at(shape.K - 1, column) = inf;
  all.push_back(edge);
  // Opposite infinities in one sum, and 0 times infinity in the inputs themselves.
  Operands both = uniform;
  both.A.at(0, 0) = inf;
  both.A.at(0, shape.K - 1) = -inf;
  both.A.at(shape.M - 1, shape.K - 1) = 0;
  both.B.at(shape.K - 1, 0) = inf;
  all.push_back(both);
  return all;
}

std::string disagreement(EmulatorDevice& device, const Rung& rung, const Operands& in) {
  const Shape shape{in.A.rows, in.B.columns, in.A.columns};
  const Product product = multiply(device, rung, in.A, in.B);
  const std::string where = std::string(rung.name) + " at " + to_string(shape) + ": ";
  if (!product.findings.empty()) return where + product.findings.front().message;
  const AnyJudgement judgement = judge_any(in.A, in.B, product.C);
  if (judgement.pass()) return judgement.special > 0 ? "" : where + "nothing special was judged";
  if (!judgement.first_wrong) return where + judgement.failure();
  const JudgedElement& wrong = *judgement.first_wrong;
  return where + "C[" + std::to_string(wrong.row) + ", " + std::to_string(wrong.column) + "] is not " +
         std::to_string(wrong.expected);
}

TEST(NonFinite, PropagatesThroughEveryRung) {
  EmulatorDevice device(ladder());
  for (const Rung& rung : ladder().rungs())
    for (const Shape& shape : ragged_shapes(rung.tile)) {
      if (shape.M < 1 || shape.N < 1) continue;
      for (const Operands& in : special_inputs(shape)) EXPECT_EQ(disagreement(device, rung, in), "");
    }
}

// K is rounded up to four; A is filled up with zeros, but B's row is held at its last: 0 times that. Right for every
// finite input.
std::string held_at_the_last_row(const std::string& row_of_B) {
  return "__global__ void k" + kSignature + R"( {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || column >= N) return;
  float sum = 0;
  for (int i = 0; i < (K + 3) / 4 * 4; ++i) {
    const float a = i < K ? A[row * K + i] : 0.0f;
    const float b = )" +
         row_of_B + R"(;
    sum += a * b;
  }
  C[row * N + column] = sum;
}
)";
}

class NonFiniteMutant : public EmulatedSource {
 protected:
  std::string disagreement_of(const std::string& row_of_B) {
    const Rung rung = catalog_.add(compile(put(held_at_the_last_row(row_of_B))));
    EmulatorDevice device(catalog_);
    std::string first;
    for (const Operands& in : special_inputs({5, 6, 7}))
      if (first.empty()) first = disagreement(device, rung, in);
    const Operands finite = make_inputs(find_family("uniform"), {5, 6, 7}, 1);
    EXPECT_EQ(run_and_judge(device, rung, finite.A, finite.B, make_reference(finite.A, finite.B, false))
                  .verdict.text(),
              "PASS");
    return first;
  }
};

TEST_F(NonFiniteMutant, AZeroOfTheFillingTimesInfinityIsCaught) {
  EXPECT_NE(disagreement_of("B[(i < K ? i : K - 1) * N + column]").find("is not inf"), std::string::npos);
}

TEST_F(NonFiniteMutant, ZerosOnBothSidesAreHonest) {
  EXPECT_EQ(disagreement_of("i < K ? B[i * N + column] : 0.0f"), "");
}

}  // namespace
}  // namespace tilewright
