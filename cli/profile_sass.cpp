// SPDX-License-Identifier: MIT
#include "cli/profile_sass.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <regex>
#include <set>
#include <sstream>
#include <string_view>

#include "cli/profile_counters.h"
#include "core/error.h"
#include "core/process.h"

namespace tilewright {
namespace {

constexpr std::array<std::string_view, 9> families{"LDG", "STG",    "LDS",  "STS", "LDL",
                                                   "STL", "LDGSTS", "FFMA", "BAR"};
constexpr std::array<std::pair<std::string_view, int>, 3> widths{{{"", 1}, {".64", 2}, {".128", 4}}};

// "LDG.E.128.CONSTANT" → "LDG.128"; empty for what is not counted.
std::string opcode_of(const std::string& instruction) {
  std::istringstream parts(instruction);
  std::string family, width;
  std::getline(parts, family, '.');
  bool counted = false;
  for (const std::string_view known : families) counted = counted || family == known;
  if (!counted) return {};
  for (std::string part; std::getline(parts, part, '.');)
    if (part == "64" || part == "128") width = "." + part;
  return family + width;
}

// The registers that the FFMA of a function read anew, one after the other.
class RegisterReads {
 public:
  // `operands`: "R20, R20.reuse, R10, R3", the sum's register first.
  void add(const std::string& operands, std::map<std::string, int>& counts) {
    std::array<std::string, 3> now;
    std::set<std::string> read;
    std::size_t place = 0;
    for (std::sregex_iterator found(operands.begin(), operands.end(), source_), end;
         found != end && place < now.size(); ++found, ++place) {
      const std::string own = (*found)[1];
      if (!own.empty() && own != kept_[place]) read.insert(own);
      if ((*found)[2].str().find(".reuse") != std::string::npos) now[place] = own;
    }
    kept_ = now;
    const auto odd = std::count_if(read.begin(), read.end(),
                                   [](const std::string& name) { return (name.back() - '0') % 2 == 1; });
    const auto even = static_cast<std::ptrdiff_t>(read.size()) - odd;
    ++counts[std::to_string(std::max(even, odd)) + "+" + std::to_string(std::min(even, odd))];
  }
  void forget() { kept_ = {}; }  // behind any other instruction

 private:
  const std::regex source_{",\\s*[-|]?(R[0-9]+)?([^,]*)"};
  std::array<std::string, 3> kept_;
};

}  // namespace

int SassCounts::count(const std::string& opcode) const {
  const auto found = opcodes.find(opcode);
  return found == opcodes.end() ? 0 : found->second;
}

int SassCounts::instructions(const std::string& family) const {
  int sum = 0;
  for (const auto& [width, words] : widths) sum += count(family + std::string(width));
  return sum;
}

int SassCounts::accesses(const std::string& family) const {
  int sum = 0;
  for (const auto& [width, words] : widths) sum += words * count(family + std::string(width));
  return sum;
}

SassCounts count_sass(const std::string& listing, const std::string& symbol,
                      const std::string& compute_capability) {
  std::string arch = "sm_" + compute_capability;
  arch.erase(arch.find('.'), 1);
  const std::regex code("code for (sm_[0-9]+[a-z]?)"), function("Function : (\\S+)"),
      instruction("/\\*[0-9a-f]{4,}\\*/\\s+(?:@!?U?P[T0-9]+\\s+)?([A-Z][A-Z0-9_.a-z]*)\\s*([^;]*)");
  SassCounts counts;
  std::string current_arch;
  bool inside = false;
  RegisterReads reads;
  std::istringstream stream(listing);
  std::smatch found;
  for (std::string line; std::getline(stream, line);) {
    if (std::regex_search(line, found, code)) {
      current_arch = found[1];
      inside = false;
    } else if (std::regex_search(line, found, function)) {
      inside = found[1] == symbol && current_arch.rfind(arch, 0) == 0;
      if (inside) counts.arch = current_arch;
    } else if (inside && std::regex_search(line, found, instruction)) {
      const std::string opcode = opcode_of(found[1]);
      if (!opcode.empty()) ++counts.opcodes[opcode];
      if (opcode == "FFMA")
        reads.add(found[2], counts.ffma_reads);
      else
        reads.forget();
    }
  }
  if (counts.arch.empty())
    throw Error(Code::unavailable, "cuobjdump", symbol, "is not in the program's code for " + arch);
  return counts;
}

SassCounts read_sass(const std::string& program, const std::string& symbol,
                     const std::string& compute_capability) {
  const std::string cuobjdump = find_cuda_program("cuobjdump");
  if (cuobjdump.empty()) throw Error(Code::unavailable, "cuobjdump", "", "is not installed");
  const ProcessResult listing = run_process({cuobjdump, "-sass", program});
  if (listing.exit_status != 0)
    throw Error(Code::unavailable, "cuobjdump", program,
                "ended with status " + std::to_string(listing.exit_status));
  return count_sass(listing.out, symbol, compute_capability);
}

}  // namespace tilewright
