// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/config/scan.hpp"

#include <cstdint>

namespace orderly::io {

namespace {

constexpr std::size_t size_max = 256 << 10;

/// Each dot of a key nests a table, and the library frees tables by
/// recursion: no file may make it dig through the stack.
constexpr int dots_max = 1000;

/// The length of the valid UTF-8 character at the start of `s`, 0 if none.
std::size_t character(std::string_view s) {
  auto byte = [s](std::size_t i) {
    return i < s.size() ? static_cast<unsigned char>(s[i]) : 0u;
  };
  auto first = byte(0);
  if (first < 0x80)
    return 1;
  std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4)
    return 0;
  std::uint32_t code = first & (0x7fu >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80)
      return 0;
    code = code << 6 | (byte(i) & 0x3f);
  }
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  bool surrogate = code >= 0xd800 && code <= 0xdfff;
  return code < least[size] || code > 0x10ffff || surrogate ? 0 : size;
}

class scanner {
public:
  explicit scanner(std::string_view text) : rest_(text) {
    // nop
  }

  std::optional<bad_place> run() {
    while (!rest_.empty() && !bad_) {
      auto c = rest_.front();
      if (c == '#')
        comment();
      else if (c == '"' || c == '\'')
        quoted(c);
      else if (static_cast<unsigned char>(c) >= 0x80)
        complain("only ASCII is allowed outside strings and comments");
      else if (c == '.' && ++dots_ > dots_max)
        complain("too many dots outside strings and comments");
      else
        advance();
    }
    return bad_;
  }

private:
  void complain(std::string text) {
    if (!bad_)
      bad_ = bad_place{line_, column_, std::move(text)};
  }

  /// Moves over one character; complains if it may stand nowhere.
  void advance() {
    auto c = static_cast<unsigned char>(rest_.front());
    auto size = character(rest_);
    if (size == 0)
      return complain("this byte is not valid UTF-8");
    if (c == '\r' ? rest_.substr(0, 2) != "\r\n"
                  : (c < 0x20 && c != '\t' && c != '\n') || c == 0x7f)
      return complain("control characters are not allowed");
    rest_.remove_prefix(size);
    ++column_;
    if (c == '\n') {
      ++line_;
      column_ = 1;
    }
  }

  void comment() {
    while (!rest_.empty() && rest_.front() != '\n' && !bad_)
      advance();
  }

  void quoted(char quote) {
    bad_place start{line_, column_, "this string is not closed"};
    std::string closing(3, quote);
    bool many_lines = rest_.substr(0, 3) == closing;
    if (!many_lines)
      closing.resize(1);
    for (std::size_t i = 0; i < closing.size(); ++i)
      advance();
    while (!bad_ && rest_.substr(0, closing.size()) != closing) {
      if (rest_.empty() || (!many_lines && rest_.front() == '\n')) {
        bad_ = start;
        return;
      }
      bool escape = quote == '"' && rest_.front() == '\\';
      advance();
      if (escape && !bad_ && !rest_.empty() && rest_.front() != '\n')
        advance();
    }
    for (std::size_t i = 0; i < closing.size() && !bad_; ++i)
      advance();
    // Up to two more quotes belong to the string: """a"""".
    for (int i = 0; many_lines && i < 2 && !rest_.empty() && !bad_; ++i)
      if (rest_.front() == quote)
        advance();
  }

  std::string_view rest_;
  int line_ = 1;
  int column_ = 1;
  int dots_ = 0;
  std::optional<bad_place> bad_;
};

} // namespace

std::optional<bad_place> scan_toml(std::string_view text) {
  if (text.size() > size_max)
    return bad_place{1, 1, "the file is larger than 256 KiB"};
  return scanner{text}.run();
}

} // namespace orderly::io
