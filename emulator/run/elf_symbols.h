// SPDX-License-Identifier: MIT
//
// Walks the symbol table of an ELF file, an object or a shared object: visit(name, symbol) for each entry. A file that
// is no ELF file, or has no symbol table, has no symbols.
#pragma once

#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include <cstddef>
#include <string>

namespace tilewright {

template <class Visit>
void for_each_symbol(const std::string& path, Visit visit) {
  elf_version(EV_CURRENT);
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  Elf* elf = elf_begin(file, ELF_C_READ, nullptr);
  for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr;
       section = elf_nextscn(elf, section)) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_SYMTAB) continue;
    Elf_Data* data = elf_getdata(section, nullptr);
    for (std::size_t i = 0; i < header.sh_size / header.sh_entsize; ++i) {
      GElf_Sym symbol;
      if (gelf_getsym(data, static_cast<int>(i), &symbol) != nullptr)
        visit(elf_strptr(elf, header.sh_link, symbol.st_name), symbol);
    }
  }
  elf_end(elf);
  close(file);
}

}  // namespace tilewright
