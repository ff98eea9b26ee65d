// SPDX-License-Identifier: MIT
#include "model/exact.h"

#include <cmath>
#include <limits>

#include "core/error.h"

namespace tilewright {

std::string text_of(ProductSize product) {
  return std::to_string(product.M) + "x" + std::to_string(product.N) + "x" + std::to_string(product.K);
}

std::string text_of(OutputTile tile) { return std::to_string(tile.BM) + "x" + std::to_string(tile.BN); }

void require_positive(const char* argument, std::int64_t value) {
  if (value < 1) throw bad_input(argument, std::to_string(value), "must be an integer of at least 1");
}

void require_product(ProductSize product) {
  require_positive("M", product.M);
  require_positive("N", product.N);
  require_positive("K", product.K);
}

void require_tile(OutputTile tile, const char* argument) {
  if (tile.BM < 1 || tile.BN < 1) throw bad_input(argument, text_of(tile), "each extent must be at least 1");
}

void require_positive_finite(const char* argument, double value) {
  if (!(std::isfinite(value) && value > 0.0))
    throw bad_input(argument, std::to_string(value), "must be a finite number above 0");
}

void require_at_most(const char* argument, std::int64_t value, std::int64_t most, const std::string& rule) {
  if (value > most) throw bad_input(argument, std::to_string(value), rule);
}

Exact operator*(Exact a, Exact b) {
  Exact result(0);
  const bool wrapped = __builtin_mul_overflow(a.value_, b.value_, &result.value_);
  result.overflowed_ = a.overflowed_ || b.overflowed_ || wrapped;
  return result;
}

Exact operator+(Exact a, Exact b) {
  Exact result(0);
  const bool wrapped = __builtin_add_overflow(a.value_, b.value_, &result.value_);
  result.overflowed_ = a.overflowed_ || b.overflowed_ || wrapped;
  return result;
}

std::int64_t Exact::count(const char* what, const std::string& argument, const std::string& value) const {
  constexpr auto largest = std::numeric_limits<std::int64_t>::max();
  if (overflowed_ || value_ > static_cast<Wide>(largest))
    throw bad_input(argument, value, std::string("its ") + what + " do not fit in 64 bits");
  return static_cast<std::int64_t>(value_);
}

}  // namespace tilewright
