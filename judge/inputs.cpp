// SPDX-License-Identifier: MIT
//
// Each family is one function from a place in an operand to its value; nothing depends on the
// order of filling.
#include "judge/inputs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/nearest.h"
#include "core/parallel.h"
#include "judge/sample.h"

namespace tilewright {
namespace {

enum class Operand : std::uint64_t { A = 1, B = 2 };

// One element: A[outer, k] or B[k, outer]. Families speak of `outer` (the row of A, the column of B) and `k`.
struct Place {
  Shape shape;
  std::uint64_t seed;
  Operand operand;
  std::int64_t outer, k;

  bool in_A() const { return operand == Operand::A; }
  std::uint64_t bits(std::int64_t at_k) const {
    return draw(seed, static_cast<std::uint64_t>(operand), outer, at_k);
  }
  std::uint64_t bits() const { return bits(k); }
};

// 53 random bits in [0, 1), so that the float32 rounded from them has a full 24-bit mantissa
// at any magnitude.
double unit(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }
double signed_unit(std::uint64_t bits) { return 2.0 * unit(bits) - 1.0; }

double zeros(const Place&) { return 0.0; }
double ones(const Place&) { return 1.0; }
double uniform(const Place& place) { return signed_unit(place.bits()); }
double positive(const Place& place) { return unit(place.bits()); }

// The operand with the longer outer dimension has a 1 wherever outer = k modulo the shorter of its two sides:
// the identity when square, a repeated identity else. So every element of the other operand, in multiples of
// 1/64, reaches C: copied where K fits, else summed with those a multiple of that side away.
double identity(const Place& place) {
  const bool eye_in_A = place.shape.M >= place.shape.N;
  if (place.in_A() != eye_in_A) return (static_cast<double>(place.bits() % 129) - 64.0) / 64.0;
  const std::int64_t side = std::min(std::max(place.shape.M, place.shape.N), place.shape.K);
  return (place.outer - place.k) % side == 0 ? 1.0 : 0.0;
}

// A = (-1)^(row + k), B = (-1)^(k * column): in even columns the signs of the products alternate and the sum
// is 0 or ±1, in odd columns they agree and the sum is ±K.
double alternating(const Place& place) {
  const bool minus = place.in_A() ? (place.outer + place.k) % 2 != 0 : (place.outer * place.k) % 2 != 0;
  return minus ? -1.0 : 1.0;
}

// The largest power of two R up to 256 for which K products of integers up to R sum to at most 2^24.
std::int64_t code_range(std::int64_t K) {
  std::int64_t range = 256;
  while (range > 1 && K * range * range > (std::int64_t{1} << 24)) range /= 2;
  return range;
}

// Integers over R. A climbs with its row, B falls with its column, so that C shows which row and column it
// holds; a hash of (outer, k) on top makes every row, column and k unlike any other, however long the shape.
double coded(const Place& place) {
  const std::int64_t range = code_range(place.shape.K), half = std::max<std::int64_t>(1, range / 2);
  const std::int64_t ramp = 1 + place.outer % half;  // 1 … R/2
  // 0 … R/2 − 1
  const auto hashed = static_cast<std::int64_t>(place.bits() % static_cast<std::uint64_t>(half));
  return static_cast<double>(place.in_A() ? ramp + hashed : hashed - ramp) / static_cast<double>(range);
}

// Products 2m and 2m+1 cancel to about 2^-6 of their size. They do not cancel exactly, because then the
// rounding of inputs to a narrower format would cancel as well and this family would not show it.
double cancelling(const Place& place) {
  constexpr double rest = 0x1p-6;
  const std::int64_t first_of_pair = place.k - place.k % 2;
  if (place.in_A()) return signed_unit(place.bits(first_of_pair));
  const double value = (1.0 - rest) * signed_unit(place.bits(first_of_pair));
  return place.k == first_of_pair ? value : rest * signed_unit(place.bits()) - value;
}

double halves(const Place& place) {
  const double value = unit(place.bits());
  return place.in_A() || place.k < (place.shape.K + 1) / 2 ? value : -value;
}

// Exponents uniform over 16 binades (almost five decimal orders), mantissas uniform in [1/2, 1), either sign.
double wide(const Place& place) {
  const std::uint64_t bits = place.bits();  // unit() uses bits 11 … 63, the exponent and the sign the rest
  const double value = std::ldexp(0.5 + 0.5 * unit(bits), -static_cast<int>(bits & 15U));
  return (bits & 16U) != 0 ? -value : value;
}

constexpr std::array<Family, 10> family_list{{
    {"zeros", "every element 0", true, false},
    {"ones", "every element 1, so that every output is K", true, false},
    {"identity", "one operand a repeated identity, so that C shows the other", true, false},
    {"alternating", "±1 with signs that cancel in even columns and agree in odd ones", true, false},
    {"coded", "small integers coded by row, column and k, asymmetric", true, false},
    {"uniform", "uniform in [-1, 1] with full mantissas", false, false},
    {"positive", "uniform in [0, 1]", false, false},
    {"cancelling", "neighbouring products that nearly cancel", false, false},
    {"halves", "first half of the products positive, second half negative", false, true},
    {"wide", "magnitudes over 16 binades, either sign", false, false},
}};
constexpr std::array<double (*)(const Place&), family_list.size()> value_of{
    zeros, ones, identity, alternating, coded, uniform, positive, cancelling, halves, wide};

Matrix fill(double (*value)(const Place&), Shape shape, std::uint64_t seed, Operand operand) {
  const bool in_A = operand == Operand::A;
  Matrix matrix(in_A ? shape.M : shape.K, in_A ? shape.K : shape.N);
  const int workers = matrix.values.size() < 65536 ? 1 : core_count();  // for less, threads cost more
  parallel_for(matrix.rows, workers, [&](int, std::int64_t row) {
    for (std::int64_t column = 0; column < matrix.columns; ++column) {
      const Place place{shape, seed, operand, in_A ? row : column, in_A ? column : row};
      matrix.at(row, column) = static_cast<float>(value(place));
    }
  });
  return matrix;
}

}  // namespace

std::span<const Family> families() { return family_list; }

const Family& find_family(std::string_view name) {
  std::vector<std::string> names;
  std::string known;
  for (const Family& family : family_list) {
    if (name == family.name) return family;
    names.emplace_back(family.name);
    known += (known.empty() ? "" : ", ") + names.back();
  }
  throw bad_input("input family", std::string(name),
                  "unknown; did you mean '" + nearest(name, names) + "'? Known: " + known);
}

Operands make_inputs(const Family& family, Shape shape, std::uint64_t seed) {
  if (shape.M < 1 || shape.N < 1 || shape.K < 1)
    throw bad_input("shape", to_string(shape), "every dimension must be at least 1");
  const auto index = static_cast<std::size_t>(&find_family(family.name) - family_list.data());
  return {fill(value_of[index], shape, seed, Operand::A), fill(value_of[index], shape, seed, Operand::B)};
}

}  // namespace tilewright
