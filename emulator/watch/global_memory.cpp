// SPDX-License-Identifier: MIT
#include "emulator/watch/global_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>

#include "core/error.h"

namespace tilewright {
namespace {

constexpr std::uint64_t smallest_red_zone = 1ULL << 30;
constexpr std::uint64_t filled_red_zone = 16ULL << 10;
constexpr std::uint64_t alignment = 256;  // as cudaMalloc gives it
constexpr int nan_byte = 0xFF;            // four of them are a NaN

std::atomic<std::uint64_t>* zeroed_writers(std::uint64_t elements) {
  // calloc, so that the pages of a large output that nobody writes stay untouched.
  void* memory = std::calloc(std::max<std::uint64_t>(1, elements), sizeof(std::atomic<std::uint64_t>));
  if (memory == nullptr) throw std::bad_alloc();
  return static_cast<std::atomic<std::uint64_t>*>(memory);
}

}  // namespace

GlobalMemory::GlobalMemory(const std::vector<Request>& requests) {
  std::uint64_t largest = 0;
  for (const Request& request : requests)
    largest = std::max(largest, static_cast<std::uint64_t>(request.elements) * element_bytes);
  const std::uint64_t slot = std::bit_ceil(largest + 2 * smallest_red_zone);
  slot_shift_ = std::countr_zero(slot);
  bytes_ = slot * requests.size();
  void* memory =
      mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    throw Error(Code::unavailable, "emulated global memory", std::to_string(bytes_ >> 30) + " GiB",
                "the system refuses that much address space (it is reserved, not used); raise `ulimit -v`");
  base_ = reinterpret_cast<std::uintptr_t>(memory);

  for (const Request& request : requests) {
    GlobalBuffer buffer;
    buffer.name = request.name;
    buffer.role = request.role;
    buffer.zeroed = static_cast<std::uint64_t>(request.zeroed);
    buffer.bytes = static_cast<std::uint64_t>(request.elements) * element_bytes;
    const std::uint64_t front = (slot - buffer.bytes) / 2 / alignment * alignment;
    buffer.base = base_ + buffers_.size() * slot + front;
    if (request.role != Role::input)
      buffer.writers = {zeroed_writers(static_cast<std::uint64_t>(request.elements)), std::free};
    auto* first = reinterpret_cast<std::byte*>(buffer.base);
    std::memset(first - filled_red_zone, nan_byte, filled_red_zone);
    std::memset(first + buffer.bytes, nan_byte, filled_red_zone);
    buffers_.push_back(std::move(buffer));
  }
}

GlobalMemory::~GlobalMemory() { munmap(reinterpret_cast<void*>(base_), bytes_); }

void GlobalMemory::forget_writers() {
  for (GlobalBuffer& buffer : buffers_)
    if (buffer.writers) buffer.writers.reset(zeroed_writers(buffer.bytes / element_bytes));
}

void GlobalMemory::end_kernel() {
  for (GlobalBuffer& buffer : buffers_)
    for (std::uint64_t element = 0; buffer.writers && element < buffer.bytes / element_bytes; ++element)
      if (std::atomic<std::uint64_t>& writer = buffer.writers[element];
          !Writer(writer.load(std::memory_order_relaxed)).nobody())
        writer.store(Writer::of_earlier_kernel().bits(), std::memory_order_relaxed);
}

}  // namespace tilewright
