// SPDX-License-Identifier: MIT
#include "emulator/run/async_copies.h"

#include <cstring>

#include "emulator/run/thread_scheduler.h"

namespace tilewright {
namespace {

void watch(Watcher& watcher, std::uintptr_t address, unsigned bytes, bool write, std::uintptr_t pc) {
  switch (bytes) {
    case 4:
      return write ? watcher.access<4, true>(address, pc) : watcher.access<4, false>(address, pc);
    case 8:
      return write ? watcher.access<8, true>(address, pc) : watcher.access<8, false>(address, pc);
    default:
      return write ? watcher.access<16, true>(address, pc) : watcher.access<16, false>(address, pc);
  }
}

void arrive(const AsyncCopy& copy, Watcher& watcher) {
  if (copy.inside) watch(watcher, copy.from, copy.bytes, false, copy.pc);
  watch(watcher, copy.to, copy.bytes, true, copy.pc);
  void* const to = reinterpret_cast<void*>(copy.to);
  if (copy.inside)
    std::memcpy(to, reinterpret_cast<const void*>(copy.from), copy.bytes);
  else
    std::memset(to, 0, copy.bytes);
}

}  // namespace

void AsyncCopies::start(std::uint32_t thread, const AsyncCopy& copy, Watcher& watcher) {
  if (copy.inside) watcher.expect_waited(copy.from, copy.bytes, false, copy.pc);
  watcher.begin_async_write(copy.to, copy.bytes, copy.pc);
  of(thread).open.push_back(copy);
}

void AsyncCopies::commit(std::uint32_t thread) {
  OfThread& own = of(thread);
  own.groups.push_back(std::move(own.open));
  own.open.clear();
}

void AsyncCopies::wait(std::uint32_t thread, unsigned pending, Watcher& watcher) {
  std::deque<Group>& groups = of(thread).groups;
  while (groups.size() > pending) {
    const Group group = std::move(groups.front());  // out of the queue first: an access may leave the kernel
    groups.pop_front();
    for (const AsyncCopy& copy : group) arrive(copy, watcher);
  }
}

}  // namespace tilewright

// What kernels/words/cp_async.h declares.
extern "C" {
void tilewright_cp_async(void* shared, const void* global, unsigned bytes, bool inside) {
  tilewright::current_scheduler->start_async_copy(
      {reinterpret_cast<std::uintptr_t>(shared), reinterpret_cast<std::uintptr_t>(global), bytes, inside,
       reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))});
}
void tilewright_cp_async_commit() { tilewright::current_scheduler->commit_async_copies(); }
void tilewright_cp_async_wait(unsigned pending) {
  tilewright::current_scheduler->wait_for_async_copies(pending);
}
}
