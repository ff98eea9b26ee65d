// SPDX-License-Identifier: MIT
//
// What the compiler made of a kernel: how many load, store and FFMA instructions of each width its machine code
// holds. Static counts, an instruction in a loop once. They tell whether the source's accesses were kept or merged
// into wider ones. And from which banks the FFMA read their registers: even ones are one bank, odd ones the other, and
// each gives one operand a clock. What the FFMA directly before kept for the same place (`.reuse`) is not read
// (docs/decisions/0019-banks-of-registers.md).
#pragma once

#include <map>
#include <string>

namespace tilewright {

struct SassCounts {
  std::string arch;                    // "sm_90a"
  std::map<std::string, int> opcodes;  // "LDS" (4 bytes), "LDS.64", "LDS.128", "LDG", …, "FFMA"; absent: none
  // How many FFMA read so many registers of one bank and so many of the other, the larger number first: "1+1", "2+0", …
  std::map<std::string, int> ffma_reads{};

  int count(const std::string& opcode) const;
  int instructions(const std::string& family) const;  // "LDS": of every width
  int accesses(const std::string& family) const;      // in 4-byte words: LDS.128 stands for four
  bool merged(const std::string& family) const { return instructions(family) != accesses(family); }
};

// From what `cuobjdump -sass` prints: the function of this (mangled) name, in the code for `compute_capability`
// ("9.0"), as the GPU runs it. Throws Error(unavailable) when it is not there.
SassCounts count_sass(const std::string& listing, const std::string& symbol,
                      const std::string& compute_capability);

// The same of a program's own file. Throws Error(unavailable) without cuobjdump.
SassCounts read_sass(const std::string& program, const std::string& symbol,
                     const std::string& compute_capability);

}  // namespace tilewright
