// SPDX-License-Identifier: MIT
//
// A shared object of emulated kernels, loaded into this process: its rungs, its program text, its shared
// memory (which is exactly its thread-local storage), and the source line of every program counter.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "emulator/watch/watcher.h"
#include "kernels/rung.h"

namespace tilewright {

struct SourceLine {
  std::string file;
  int line = 0;
};

// In a module whose launched function only calls the kernel: a pointer to the kernel.
inline constexpr const char* called_kernel_symbol = "tilewright_called_kernel";

// One __shared__ variable.
struct SharedVariable {
  std::string name;
  std::string symbol;                   // mangled; begins with its function's
  std::uint64_t offset = 0, bytes = 0;  // within the module's shared memory
};

class KernelModule {
 public:
  // Loads `path`; throws bad_input when the loader refuses it, with the loader's own words.
  explicit KernelModule(const std::string& path);
  ~KernelModule();
  KernelModule(const KernelModule&) = delete;
  KernelModule& operator=(const KernelModule&) = delete;

  const std::vector<Rung>& rungs() const { return rungs_; }
  const std::string& path() const { return path_; }

  AddressRange code() const { return code_; }
  const std::vector<AddressRange>& data() const { return data_; }
  // The calling OS thread's copy of the module's shared memory.
  AddressRange shared_memory() const;
  // That of a launch: of dynamic shared memory this much, or what there is.
  AddressRange shared_memory(std::int64_t dynamic_shared_bytes) const;
  const std::vector<SharedVariable>& shared_variables() const { return shared_variables_; }
  // Bytes of the __shared__ variables that this kernel itself declares; of a launched function that only calls the
  // kernel, those of the kernel it calls.
  std::int64_t static_shared_bytes(const void* kernel) const;
  // The variable at this offset, if one is there; what lies behind the end of dynamic shared memory is said to
  // be its.
  const SharedVariable* shared_variable_at(std::uint64_t offset) const;

  // Whether its kernels have words by which the lanes of a warp meet.
  bool has_warp_words() const { return has_warp_words_; }

  // The line of the instruction before this return address.
  SourceLine line_of_call(std::uintptr_t return_address) const { return line_at(return_address - 1); }
  SourceLine line_at(std::uintptr_t address) const;

 private:
  struct DebugInfo;
  void find_segments();
  void read_symbols();

  std::string path_;
  void* handle_ = nullptr;
  std::vector<Rung> rungs_;
  std::uintptr_t load_base_ = 0;
  AddressRange code_;
  std::vector<AddressRange> data_;
  std::size_t tls_module_ = 0;
  std::uint64_t tls_bytes_ = 0;
  bool has_warp_words_ = false;
  const void* called_kernel_ = nullptr;  // by the function that is launched, if it is not the kernel itself
  std::optional<std::uint64_t> dynamic_shared_;            // where dynamic shared memory begins
  std::vector<SharedVariable> shared_variables_;           // by offset
  std::map<std::uint64_t, std::string> function_symbols_;  // by address, relative to load_base_
  std::unique_ptr<DebugInfo> debug_;
};

}  // namespace tilewright
