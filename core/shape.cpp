// SPDX-License-Identifier: MIT
#include "core/shape.h"

#include <charconv>

#include "core/error.h"

namespace tilewright {

std::string to_string(Shape shape) {
  return std::to_string(shape.M) + "x" + std::to_string(shape.N) + "x" + std::to_string(shape.K);
}

std::vector<std::int64_t> parse_extents(std::string_view text, std::size_t most,
                                        const std::string& argument) {
  const std::string rule =
      "must be " + std::string(most == 1 ? "one integer" : "integers joined by 'x'") + ", each at least 1";
  std::vector<std::int64_t> extents;
  std::string_view rest = text;
  while (true) {
    std::int64_t extent = 0;
    const auto [end, status] = std::from_chars(rest.data(), rest.data() + rest.size(), extent);
    if (status == std::errc::result_out_of_range)
      throw bad_input(argument, std::string(text), "a number does not fit in 64 bits");
    if (status != std::errc{} || extent < 1) throw bad_input(argument, std::string(text), rule);
    extents.push_back(extent);
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    if (rest.empty()) break;
    if (rest.front() != 'x' || extents.size() == most)
      throw bad_input(argument, std::string(text), rule + ", at most " + std::to_string(most) + " of them");
    rest.remove_prefix(1);
  }
  return extents;
}

Shape parse_shape(std::string_view text, const std::string& argument) {
  const std::vector<std::int64_t> extents = parse_extents(text, 3, argument);
  if (extents.size() != 3)
    throw bad_input(argument, std::string(text), "a shape is three integers MxNxK, such as 17x19x23");
  return {extents[0], extents[1], extents[2]};
}

}  // namespace tilewright
