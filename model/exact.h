// SPDX-License-Identifier: MIT
//
// Exact counting: the sizes that every model speaks of, and integers that never wrap round. Intermediate
// results have 128 bits; a count that does not fit in 64 bits with a sign is refused by name, not reported.
#pragma once

#include <cstdint>
#include <string>

namespace tilewright {

// C[M x N] = A[M x K] * B[K x N].
struct ProductSize {
  std::int64_t M, N, K;
};

// The part of C that one block, or one thread, computes.
struct OutputTile {
  std::int64_t BM, BN;
};

std::string text_of(ProductSize product);  // "17x19x23"
std::string text_of(OutputTile tile);      // "128x64"

// Throw bad_input naming the argument unless every extent is at least 1.
void require_positive(const char* argument, std::int64_t value);
void require_product(ProductSize product);
void require_tile(OutputTile tile, const char* argument = "tile");
// Throws bad_input unless the number is finite and above zero.
void require_positive_finite(const char* argument, double value);
// Throws bad_input naming the argument when the value exceeds what a model can enumerate or a device can do.
void require_at_most(const char* argument, std::int64_t value, std::int64_t most, const std::string& rule);

// How many tiles cover an extent, the last one ragged; both at least 1.
constexpr std::int64_t tiles_over(std::int64_t extent, std::int64_t tile) { return (extent - 1) / tile + 1; }

__extension__ typedef unsigned __int128 Wide;

// A sum of products of numbers that are not negative.
class Exact {
 public:
  Exact(std::int64_t value) : value_(static_cast<Wide>(value)) {}  // NOLINT: an integer is exact
  friend Exact operator*(Exact a, Exact b);
  friend Exact operator+(Exact a, Exact b);

  // Throws bad_input(argument, value): "its WHAT do not fit in 64 bits".
  std::int64_t count(const char* what, const std::string& argument, const std::string& value) const;
  std::int64_t count(const char* what, ProductSize product) const {
    return count(what, "MxNxK", text_of(product));
  }

 private:
  Wide value_;
  bool overflowed_ = false;
};

}  // namespace tilewright
