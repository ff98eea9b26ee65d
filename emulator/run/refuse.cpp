// SPDX-License-Identifier: MIT
#include "emulator/run/refuse.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <sstream>

namespace tilewright {
namespace {

// Exact names, beginnings of names, and beginnings that only count before a capital letter (cudaMalloc,
// atomicAdd_block). What a header of the toolkit brings (__half, wmma, cooperative_groups) is refused with its
// header.
constexpr std::array refused_names = {"__activemask",
                                      "__nanosleep",
                                      "asm",
                                      "__asm",
                                      "__asm__",
                                      "__managed__",
                                      "__cluster_dims__",
                                      "__syncthreads_count",
                                      "__syncthreads_and",
                                      "__syncthreads_or",
                                      "__trap",
                                      "__dp4a"};
constexpr std::array refused_beginnings = {"__shfl", "__match_", "__reduce_", "__pipeline_", "__cvta_",
                                           "__ldc",  "__stc",    "__stw",     "tex1D",       "tex2D",
                                           "tex3D",  "surf1D",   "surf2D",    "surf3D"};
constexpr std::array refused_before_capital = {"cuda", "atomic"};

bool begins(std::string_view text, std::string_view beginning) {
  return text.substr(0, beginning.size()) == beginning;
}

// What the emulator offers of names that begin like refused ones.
constexpr std::array offered_names = {"atomicInc",      "atomicDec",        "atomicAdd",      "atomicSub",
                                      "atomicExch",     "atomicMin",        "atomicMax",      "atomicAnd",
                                      "atomicOr",       "atomicXor",        "atomicCAS",      "__shfl_sync",
                                      "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync"};

bool is_refused(std::string_view word) {
  if (std::find(offered_names.begin(), offered_names.end(), word) != offered_names.end()) return false;
  const auto word_begins = [&](std::string_view beginning) { return begins(word, beginning); };
  const auto word_begins_before_capital = [&](std::string_view beginning) {
    return begins(word, beginning) && word.size() > beginning.size() &&
           std::isupper(static_cast<unsigned char>(word[beginning.size()])) != 0;
  };
  return std::find(refused_names.begin(), refused_names.end(), word) != refused_names.end() ||
         std::any_of(refused_beginnings.begin(), refused_beginnings.end(), word_begins) ||
         std::any_of(refused_before_capital.begin(), refused_before_capital.end(),
                     word_begins_before_capital);
}

bool is_word_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// A preprocessed line, token by token: words and single other characters; literals are skipped.
class Tokens {
 public:
  explicit Tokens(std::string_view line) : rest_(line) {}
  std::string_view next() {
    while (!rest_.empty()) {
      const char c = rest_.front();
      if (c == '"' || c == '\'') {
        skip_literal(c);
      } else if (is_word_character(c)) {
        std::size_t end = 1;
        while (end < rest_.size() && is_word_character(rest_[end])) ++end;
        return take(end);
      } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
        rest_.remove_prefix(1);
      } else {
        return take(rest_.substr(0, 3) == "<<<" ? 3 : 1);
      }
    }
    return {};
  }

 private:
  std::string_view take(std::size_t length) {
    const std::string_view token = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return token;
  }
  void skip_literal(char quote) {
    std::size_t end = 1;
    while (end < rest_.size() && rest_[end] != quote) end += rest_[end] == '\\' ? 2 : 1;
    rest_.remove_prefix(std::min(rest_.size(), end + 1));
  }
  std::string_view rest_;
};

// Where the preprocessor says we are:  # 12 "my.cu" 2 3
struct Position {
  std::string file;
  int line = 0;
  bool judged = false;

  void follow(std::string_view marker, std::string_view own_folder) {
    std::size_t at = marker.find_first_of("0123456789");
    if (at == std::string_view::npos) return;
    line = std::atoi(std::string(marker.substr(at)).c_str());
    const std::size_t open = marker.find('"');
    const std::size_t close = marker.rfind('"');
    if (open == std::string_view::npos || close <= open) return;
    file = std::string(marker.substr(open + 1, close - open - 1));
    const bool system = marker.find(" 3", close) != std::string_view::npos;
    judged = !system && !file.empty() && file.front() != '<' && !begins(file, std::string(own_folder) + "/");
  }
};

}  // namespace

namespace {

// The words of one judged line, in their order over the whole file.
class Scanner {
 public:
  explicit Scanner(KernelFileScan& scan) : scan_(scan) {}

  void line(std::string_view text, const Position& position) {
    Tokens tokens(text);
    for (std::string_view token = tokens.next(); !token.empty(); token = tokens.next()) {
      if (!scan_.refused) refuse(token, position);
      if (token == "tilewright_global_function") after_global_ = true;
      if (token == "(" && after_global_) {
        scan_.kernels.push_back(before_);
        scan_.kernel_lines.push_back(position.line);
        after_global_ = false;
      }
      before_ = std::string(token);
    }
  }

 private:
  void refuse(std::string_view token, const Position& position) {
    std::string named;
    if (token == "<<<")
      named = "a kernel launch <<<...>>> (host code)";
    else if (token == "alignas" && before_ == "thread_local")
      named = "__shared__ alignas (write __shared__ __align__)";
    else if (is_refused(token))
      named = std::string(token);
    if (!named.empty()) scan_.refused = RefusedWord{position.file, position.line, named};
  }

  KernelFileScan& scan_;
  std::string before_;         // the previous token
  bool after_global_ = false;  // between __global__ and its parameter list
};

}  // namespace

KernelFileScan scan_kernel_file(std::string_view preprocessed, std::string_view own_folder) {
  KernelFileScan scan;
  Scanner scanner(scan);
  Position position;
  while (!preprocessed.empty()) {
    const std::size_t end = preprocessed.find('\n');
    const std::string_view line = preprocessed.substr(0, end);
    preprocessed.remove_prefix(end == std::string_view::npos ? preprocessed.size() : end + 1);
    if (line.substr(0, 2) == "# ") {
      position.follow(line, own_folder);
      continue;
    }
    if (position.judged && line.substr(0, 1) != "#")
      scanner.line(line, position);  // "#pragma" stays as it is
    ++position.line;
  }
  return scan;
}

bool is_cuda_header(std::string_view name) {
  constexpr std::array beginnings = {
      "cuda/",  "cuda_fp", "cuda_bf", "cuda_pipeline", "cuda_awbarrier", "cooperative_groups",
      "mma.h",  "cublas",  "curand",  "cute/",         "cutlass/",       "cub/",
      "thrust/"};
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](std::string_view beginning) { return begins(name, beginning); });
}

bool is_half_precision_header(std::string_view name) {
  return name == "cuda_fp16.h" || name == "cuda_bf16.h";
}

bool is_half_precision_source(std::string_view file) {
  const std::string_view name = file.substr(file.rfind('/') + 1);
  return begins(name, "cuda_fp16.h") || begins(name, "cuda_bf16.h");
}

namespace {

// "In function '__half hexp(__half)'," -> "hexp"
std::string function_named_in(std::string_view line) {
  std::string_view text = line.substr(0, line.find('('));
  const auto other = std::find_if_not(text.rbegin(), text.rend(), is_word_character);
  return std::string(other.base(), text.end());
}

}  // namespace

//   In function '__half hexp(__half)',
//       inlined from '__half twice(__half)' at /…/cuda_fp16.hpp:7:1,
//       inlined from 'void k(…)' at my.cu:24:8:
std::optional<RefusedWord> gpu_instruction(std::string_view output) {
  const std::size_t error = output.find("TILEWRIGHT_GPU_INSTRUCTION");
  const std::size_t start = error == std::string_view::npos ? error : output.rfind("In function ", error);
  if (start == std::string_view::npos) return std::nullopt;
  std::istringstream lines(std::string(output.substr(start, error - start)));
  std::string line, callee;
  std::getline(lines, line);
  for (callee = function_named_in(line); std::getline(lines, line); callee = function_named_in(line)) {
    const std::size_t at = line.rfind(" at ");
    if (line.find("inlined from ") == std::string::npos || at == std::string::npos) break;
    const std::string place = line.substr(at + 4);
    const std::string file = place.substr(0, place.find(':'));
    if (!is_half_precision_source(file))
      return RefusedWord{file, std::atoi(place.c_str() + std::min(place.size(), file.size() + 1)), callee};
  }
  return std::nullopt;
}

}  // namespace tilewright
