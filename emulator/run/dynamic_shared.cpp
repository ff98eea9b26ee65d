// SPDX-License-Identifier: MIT
#include "emulator/run/dynamic_shared.h"

#include <algorithm>
#include <sstream>

#include "emulator/run/elf_symbols.h"

namespace tilewright {

std::vector<std::string> undefined_thread_locals(const std::string& object) {
  std::vector<std::string> names;
  for_each_symbol(object, [&](const char* name, const GElf_Sym& symbol) {
    if (GELF_ST_TYPE(symbol.st_info) == STT_TLS && symbol.st_shndx == SHN_UNDEF) names.emplace_back(name);
  });
  std::sort(names.begin(), names.end());
  return names;
}

std::string dynamic_shared_assembly(const std::vector<std::string>& names, std::int64_t bytes) {
  // As aligned as a block's shared memory is on the GPU when it has no static part. A block of no bytes keeps
  // one, so that there is a place to be outside of; KernelModule knows its true size from the marker.
  const std::int64_t reserved = std::max<std::int64_t>(1, bytes);
  constexpr const char* no_executable_stack = ".section .note.GNU-stack,\"\",@progbits\n";
  if (names.empty()) return no_executable_stack;
  std::ostringstream text;
  text << ".section .tbss,\"awT\",@nobits\n.balign 1024\n";
  const auto define = [&](const std::string& name, std::int64_t size) {
    text << ".globl \"" << name << "\"\n.hidden \"" << name << "\"\n.type \"" << name
         << "\",@object\n.size \"" << name << "\"," << size << "\n\"" << name << "\":\n";
  };
  define(dynamic_shared_symbol, bytes);
  for (const std::string& name : names) define(name, reserved);
  text << ".zero " << reserved << "\n" << no_executable_stack;
  return text.str();
}

}  // namespace tilewright
