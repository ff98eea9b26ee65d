// SPDX-License-Identifier: MIT
//
// The barriers of one block's bulk copies (kernels/words/bulk_copy.h). A phase may end once all its arrivals have come and
// as many bytes as they expect are copied or on their way; the emulator lets it end when someone waits for it and no other
// thread can go on, and does its copies then. A barrier's own word in shared memory is not used: all is kept here.
//
// A barrier orders nothing but its copies: arrivals are not taken for the arrivals of readers.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/run/tensor_box.h"
#include "emulator/watch/watcher.h"

namespace tilewright {

class BulkBarriers {
 public:
  struct Wait {
    std::uint32_t barrier = 0;  // its number
    unsigned parity = 0;
  };

  void begin_block(Watcher& watcher);

  // What the running thread does. Where the hardware's behaviour would be undefined, a finding, which ends the block.
  void initialize(std::uintptr_t address, unsigned arrivals, std::uintptr_t pc);
  void fence();
  void expect(std::uintptr_t address, unsigned bytes, std::uintptr_t pc);
  void copy(const BulkTransfer& copy, std::uintptr_t address);
  void copy_box(const TensorBox& box, std::uintptr_t address);
  Wait wait_for(std::uintptr_t address, unsigned parity, std::uintptr_t pc);

  // Whether the phase of this parity has ended, for this thread to know.
  bool has_ended(Wait wait, std::uint32_t thread);
  // Ends the phase if it can end.
  bool end(Wait wait);
  // `thread` waits there for ever.
  void report_no_end(Wait wait, std::uint32_t thread, std::uintptr_t pc);
  // The block has ended: no copy may be on its way.
  void report_in_flight();

 private:
  struct Copy {
    BulkTransfer transfer;
    std::uint32_t number = 0;
    Actor issuer;
  };
  struct Barrier {
    std::uintptr_t address = 0;
    unsigned arrivals = 0;  // a phase
    Actor initializer{};
    std::uint32_t initialized = 0;  // when
    bool fenced = false;

    std::uint32_t phases = 0;  // that have ended
    unsigned missing = 0;      // arrivals
    std::int64_t expected = 0, copied = 0;
    std::vector<Copy> copies{};  // on their way
    Actor last{};                // who did something to this phase last
  };

  std::uint32_t number_at(std::uintptr_t address) const;
  std::uint32_t use(std::uintptr_t address, std::uintptr_t pc, bool by_copy);
  void check(const BulkTransfer& copy) const;
  void check(const TensorBox& box) const;
  void start(const BulkTransfer& copy, std::uint32_t number);
  void end_phase(Barrier& barrier);
  Event event_at(const Barrier& barrier, FindingKind kind, BulkTrouble trouble, std::uintptr_t pc) const;
  [[noreturn]] void stop(const Event& event) const;

  static constexpr std::uint32_t none = ~0U;
  Watcher* watcher_ = nullptr;
  std::vector<Barrier> barriers_;  // by number
};

}  // namespace tilewright
