// SPDX-License-Identifier: MIT
#include "device/tensor_limits.h"

#include <limits>

#include "core/error.h"
#include "core/shape.h"
#include "device/device.h"

namespace tilewright {
namespace {

constexpr std::int64_t longest_box_side = 256;
constexpr std::int64_t longest_side = std::numeric_limits<std::uint32_t>::max();
constexpr std::int64_t widest_pitch = (1LL << 40) / 4 - 4;
constexpr std::int64_t unit = 4;  // floats in 16 bytes

// One tensor's limits.
class Limits {
 public:
  Limits(const std::string& of, const Rung& rung, const Problem& problem, const char* tensor)
      : of_(of),
        rung_(rung),
        shape_(to_string(Shape{problem.M, problem.N, problem.K})),
        tensor_(std::string(" of tensor ") + tensor) {}

  void between(const char* what, std::int64_t asked, std::int64_t least, std::int64_t most) const {
    if (asked < least || asked > most)
      refuse(what, asked, "allows " + std::to_string(least) + " to " + std::to_string(most));
  }
  void multiple(const char* what, std::int64_t asked) const {
    if (asked % unit != 0) refuse(what, asked, "allows multiples of " + std::to_string(unit));
  }

 private:
  [[noreturn]] void refuse(const char* what, std::int64_t asked, const std::string& rule) const {
    throw Error(Code::unsupported, rung_.name, shape_,
                what + tensor_ + ": it asks for " + std::to_string(asked) + ", " + of_ + " " + rule);
  }

  const std::string& of_;
  const Rung& rung_;
  std::string shape_, tensor_;
};

std::int64_t elements_of(TensorSource::Where where, const Rung& rung, const Problem& problem) {
  if (where == TensorSource::scratch) return scratch_of(rung, problem);
  return where == TensorSource::A ? problem.M * problem.K : problem.K * problem.N;
}

}  // namespace

void require_tensors_within(const std::string& of, const Rung& rung, const Problem& problem) {
  if (rung.tensors == nullptr) return;
  const Tensors tensors = rung.tensors(problem);
  for (const TensorSource* source : {&tensors.a, &tensors.b}) {
    const Limits limits(of, rung, problem, source == &tensors.a ? "a" : "b");
    limits.between("box rows", source->box_rows, 1, longest_box_side);
    limits.between("box columns", source->box_columns, 1, longest_box_side);
    limits.between("rows", source->rows, 1, longest_side);
    limits.between("columns", source->columns, 1, longest_side);
    limits.between("floats from row to row", source->pitch, source->columns, widest_pitch);
    limits.multiple("floats from row to row", source->pitch);
    limits.multiple("floats before the first", source->offset);
    limits.between("floats up to the last",
                   source->offset + (source->rows - 1) * source->pitch + source->columns, 1,
                   elements_of(source->where, rung, problem));
  }
}

}  // namespace tilewright
