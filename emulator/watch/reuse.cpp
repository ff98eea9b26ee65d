// SPDX-License-Identifier: MIT
#include "emulator/watch/reuse.h"

#include <bit>

namespace tilewright {
namespace {

constexpr std::uint64_t bits = 64;
const ElementSet no_elements;

}  // namespace

void ElementSet::add(std::size_t buffer, std::uint64_t element) {
  if (buffer >= words_.size()) words_.resize(buffer + 1);
  std::vector<std::uint64_t>& words = words_[buffer];
  if (element / bits >= words.size()) words.resize(element / bits + 1);
  words[element / bits] |= std::uint64_t{1} << (element % bits);
}

void ElementSet::add(const ElementSet& other) {
  if (other.words_.size() > words_.size()) words_.resize(other.words_.size());
  for (std::size_t buffer = 0; buffer < other.words_.size(); ++buffer) {
    const std::vector<std::uint64_t>& theirs = other.words_[buffer];
    std::vector<std::uint64_t>& ours = words_[buffer];
    if (theirs.size() > ours.size()) ours.resize(theirs.size());
    for (std::size_t i = 0; i < theirs.size(); ++i) ours[i] |= theirs[i];
  }
}

std::int64_t ElementSet::size() const {
  std::int64_t elements = 0;
  for (const auto& words : words_)
    for (const std::uint64_t word : words) elements += std::popcount(word);
  return elements;
}

void Reuse::touch(std::uint32_t line, bool write, Space space, const WarpRequest& request) {
  const std::size_t at = 2 * std::size_t{line} + (write ? 1 : 0);
  if (at >= uses_.size()) uses_.resize(at + 1);
  LineUse& use = uses_[at];
  std::uint64_t previous = ~std::uint64_t{0};
  for (unsigned lane = 0; lane < warp_lanes; ++lane) {
    if ((request.active >> lane & 1U) == 0 || request.address[lane] == previous) continue;
    previous = request.address[lane];
    if (space == Space::global)
      touch_global(use, previous, request.bytes);
    else
      touch_shared(use, previous, request.bytes);
  }
}

void Reuse::touch_global(LineUse& use, std::uint64_t address, unsigned bytes) {
  constexpr std::uint64_t size = GlobalMemory::element_bytes;
  const GlobalBuffer& buffer = global_.nearest(address);
  if (!buffer.holds(address, bytes)) return;  // a finding, and no element of anything
  const auto number = static_cast<std::size_t>(&buffer - global_.buffers().data());
  const std::uint64_t from = address - buffer.base;
  for (std::uint64_t element = from / size; element <= (from + bytes - 1) / size; ++element)
    use.global.add(number, element);
}

void Reuse::touch_shared(LineUse& use, std::uint64_t offset, unsigned bytes) const {
  constexpr std::uint64_t size = GlobalMemory::element_bytes;
  const std::uint64_t last = (offset + bytes - 1) / size;
  if (last >= use.last_interval.size()) use.last_interval.resize(last + 1);
  for (std::uint64_t word = offset / size; word <= last; ++word) {
    if (use.last_interval[word] == interval_) continue;
    use.last_interval[word] = interval_;
    ++use.shared;
  }
}

const Reuse::LineUse* Reuse::find(std::uint32_t line, bool write) const {
  const std::size_t at = 2 * std::size_t{line} + (write ? 1 : 0);
  return at < uses_.size() ? &uses_[at] : nullptr;
}

const ElementSet& Reuse::global_elements(std::uint32_t line, bool write) const {
  const LineUse* use = find(line, write);
  return use != nullptr ? use->global : no_elements;
}

std::int64_t Reuse::shared_elements(std::uint32_t line, bool write) const {
  const LineUse* use = find(line, write);
  return use != nullptr ? use->shared : 0;
}

}  // namespace tilewright
