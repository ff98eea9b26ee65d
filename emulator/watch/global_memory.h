// SPDX-License-Identifier: MIT
//
// The global memory of one emulated launch: every buffer in a slot of its own, with gigabytes of red zone on
// both sides, so that an index that misses a buffer lands beside it and names it. For each element of an
// output and of scratch it remembers who wrote it last and when.
//
// The slots are address space, not memory: pages come into being when they are touched.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tilewright {

// Who wrote an element: block, thread of the block, time of the block, whether by an atomic. Zero: nobody yet.
class Writer {
 public:
  static constexpr int thread_bits = 10, epoch_bits = 20;

  Writer() = default;
  Writer(std::uint64_t block, std::uint32_t thread, std::uint32_t epoch, bool atomic = false)
      : bits_(((block + 1) << block_shift) | (std::uint64_t{atomic} << (thread_bits + epoch_bits)) |
              (std::uint64_t{epoch} << thread_bits) | thread) {}
  explicit Writer(std::uint64_t bits) : bits_(bits) {}

  // Whoever of a kernel that has ended: with it everything is in order.
  static Writer of_earlier_kernel() { return Writer(~std::uint64_t{0}); }

  bool nobody() const { return bits_ == 0; }
  bool is_of_earlier_kernel() const { return bits_ == ~std::uint64_t{0}; }
  std::uint64_t block() const { return (bits_ >> block_shift) - 1; }
  std::uint32_t thread() const { return std::uint32_t(bits_ & ((1U << thread_bits) - 1)); }
  std::uint32_t epoch() const { return std::uint32_t(bits_ >> thread_bits) & ((1U << epoch_bits) - 1); }
  bool atomic() const { return (bits_ >> (thread_bits + epoch_bits) & 1) != 0; }
  std::uint64_t bits() const { return bits_; }

 private:
  static constexpr int block_shift = thread_bits + epoch_bits + 1;
  std::uint64_t bits_ = 0;
};

// Of scratch, blocks may write and read what they like as long as something orders them.
enum class Role { input, output, scratch };

struct GlobalBuffer {
  std::string name;
  Role role = Role::input;
  std::uint64_t zeroed = 0;  // so many elements are zero before anyone has written them, from the first on
  std::uintptr_t base = 0;
  std::uint64_t bytes = 0;
  std::unique_ptr<std::atomic<std::uint64_t>[], void (*)(void*)> writers { nullptr, nullptr };  // per element

  bool holds(std::uintptr_t address, std::uint64_t size) const {
    return address - base <= bytes - size && size <= bytes;
  }
};

class GlobalMemory {
 public:
  static constexpr std::uint64_t element_bytes = sizeof(float);

  struct Request {
    std::string name;
    Role role;
    std::int64_t elements;
    std::int64_t zeroed = 0;
    bool operator==(const Request&) const = default;
  };

  // Allocates every buffer; the near part of each red zone is filled with NaN, so that a value read there
  // shows.
  explicit GlobalMemory(const std::vector<Request>& requests);
  ~GlobalMemory();
  GlobalMemory(const GlobalMemory&) = delete;
  GlobalMemory& operator=(const GlobalMemory&) = delete;

  float* data(std::size_t buffer) const { return reinterpret_cast<float*>(buffers_[buffer].base); }
  const std::vector<GlobalBuffer>& buffers() const { return buffers_; }

  // Forgets who wrote what, before a launch.
  void forget_writers();
  // A kernel has ended, and another of the same launch begins.
  void end_kernel();

  std::uintptr_t base() const { return base_; }
  std::uint64_t bytes() const { return bytes_; }
  // The buffer whose slot holds this address, which lies inside base() … base() + bytes().
  const GlobalBuffer& nearest(std::uintptr_t address) const {
    return buffers_[(address - base_) >> slot_shift_];
  }

 private:
  std::uintptr_t base_ = 0;
  std::uint64_t bytes_ = 0;
  int slot_shift_ = 0;
  std::vector<GlobalBuffer> buffers_;
};

}  // namespace tilewright
