// SPDX-License-Identifier: MIT
//
// The literal is read token by token against the one form that NumPy writes, in any spacing and order of
// keys.
#include "cli/npy_header.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <limits>
#include <system_error>

namespace tilewright {
namespace {

// Parses the header's dict, token by token; the views in the NpyHeader point into `text`.
class HeaderParser {
 public:
  HeaderParser(const std::string& path, std::string_view text) : path_(path), text_(text) { advance(); }

  NpyHeader parse() {
    constexpr std::array<std::string_view, 3> keys{"descr", "fortran_order", "shape"};
    constexpr const char* rule = "the keys are descr, fortran_order and shape, each once";
    std::array<int, 3> seen{};
    expect("{");
    for (bool separated = true; !take("}"); separated = take(",")) {
      if (!separated) throw malformed("expected ',' or '}'");
      const std::string_view name = string();
      const auto key = static_cast<std::size_t>(std::ranges::find(keys, name) - keys.begin());
      if (key == keys.size() || ++seen[key] > 1) throw npy_refusal(path_, "header key", name, rule);
      expect(":");
      if (key == 0 && (token_ == "[" || token_ == "("))
        throw npy_refusal(path_, "dtype",
                          text_.substr(at_ - 1, text_.find(token_ == "[" ? ']' : ')', at_) + 2 - at_),
                          std::string("this is a structured dtype") + npy_dtype_rule);
      if (key == 0) header_.descr = string();
      if (key == 1) header_.fortran_order = token_ == "True";
      if (key == 1 && !take("True") && !take("False")) throw malformed("expected True or False");
      if (key == 2) shape();
    }
    if (!token_.empty()) throw malformed("only padding may follow the closing '}'");
    if (std::ranges::count(seen, 1) != 3) throw npy_refusal(path_, "header", text_, rule);
    return header_;
  }

 private:
  // The next token: a quoted string, a run of letters and digits, or one other byte; empty at the end.
  void advance() {
    const auto word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    at_ = std::min(text_.find_first_not_of(" \t\n\r\f", at_), text_.size());
    const char c = at_ < text_.size() ? text_[at_] : '\0';
    std::size_t end = at_ + 1;
    if (c == '\'' || c == '"') end = std::min(text_.find(c, end), text_.size() - 1) + 1;
    while (word(c) && end < text_.size() && word(text_[end])) ++end;
    token_ = text_.substr(at_, end - at_);
    at_ += token_.size();
  }

  bool take(std::string_view wanted) { return token_ == wanted && (advance(), true); }
  void expect(std::string_view wanted) {
    if (!take(wanted)) throw malformed("expected '" + std::string(wanted) + "'");
  }

  Error malformed(const std::string& rule) const {
    const std::string byte = std::to_string(at_ - token_.size());
    return npy_refusal(path_, "header", token_, "malformed at its byte " + byte + ": " + rule);
  }

  std::string_view string() {
    const std::string_view token = token_;
    if (token.size() < 2 || (token[0] != '\'' && token[0] != '"') || token.back() != token[0] ||
        token.find_first_of("\\\n") != std::string_view::npos)
      throw malformed("expected a quoted string on one line, without backslashes");
    advance();
    return token.substr(1, token.size() - 2);
  }

  void shape() {
    const std::size_t start = at_ - token_.size();
    expect("(");
    for (bool separated = true; token_ != ")"; separated = take(",")) {
      if (!separated) throw malformed("expected ',' or ')'");
      std::uint64_t extent = 0;
      const char* const last = token_.data() + token_.size();
      const auto [end, status] = std::from_chars(token_.data(), last, extent);
      if (status == std::errc::invalid_argument || end != last || (token_[0] == '0' && token_.size() > 1))
        throw malformed("a dimension is a decimal integer without sign, suffix or leading zeros");
      advance();
      if (status != std::errc{}) extent = std::numeric_limits<std::uint64_t>::max();
      if (header_.rank < 2) header_.extents[header_.rank] = extent;
      if (++header_.rank == 1 && token_ == ")") throw malformed("one dimension is written (n,)");
    }
    header_.shape = text_.substr(start, at_ - start);
    advance();
  }

  const std::string& path_;
  std::string_view text_, token_;
  std::size_t at_ = 0;  // in text_, just past token_
  NpyHeader header_;
};

}  // namespace

std::string printable(std::string_view text, std::size_t most, unsigned char last) {
  constexpr std::string_view hex = "0123456789abcdef";
  std::string line;
  for (const char c : text.substr(0, most)) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte >= ' ' && byte <= last && byte != 0x7f;
    line += plain ? std::string{c} : std::string{'\\', 'x', hex[byte >> 4], hex[byte & 15]};
  }
  return line + (text.size() > most ? "..." : "");
}

Error npy_refusal(const std::string& path, const char* what, std::string_view value, std::string rule) {
  return bad_input(npy_path_text(path) + ": " + what, printable(value), std::move(rule));
}

NpyHeader parse_npy_header(const std::string& path, std::string_view text) {
  return HeaderParser(path, text).parse();
}

}  // namespace tilewright
