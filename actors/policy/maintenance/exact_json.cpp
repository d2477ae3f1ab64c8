// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/maintenance/exact_json.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <vector>

#include <fmt/format.h>

namespace orderly::maintenance {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// The length of the well-formed UTF-8 character at the begin of `x`; 0: none.
std::size_t utf8_length(std::string_view x) {
  auto at = [&x](std::size_t i) {
    return i < x.size() ? static_cast<unsigned char>(x[i]) : 0U;
  };
  auto follows
    = [&](std::size_t i, unsigned least = 0x80U, unsigned most = 0xbfU) {
        return at(i) >= least && at(i) <= most;
      };
  auto first = at(0);
  if (first < 0x80U)
    return x.empty() ? 0 : 1;
  if (first >= 0xc2U && first <= 0xdfU)
    return follows(1) ? 2 : 0;
  if (first >= 0xe0U && first <= 0xefU) {
    auto least = first == 0xe0U ? 0xa0U : 0x80U;
    auto most = first == 0xedU ? 0x9fU : 0xbfU;
    return follows(1, least, most) && follows(2) ? 3 : 0;
  }
  if (first >= 0xf0U && first <= 0xf4U) {
    auto least = first == 0xf0U ? 0x90U : 0x80U;
    auto most = first == 0xf4U ? 0x8fU : 0xbfU;
    return follows(1, least, most) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

void put_utf8(std::string& to, std::uint32_t c) {
  auto put = [&to](std::uint32_t x) { to += static_cast<char>(x); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xc0 | (c >> 6));
    put(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    put(0xe0 | (c >> 12));
    put(0x80 | ((c >> 6) & 0x3f));
    put(0x80 | (c & 0x3f));
  } else {
    put(0xf0 | (c >> 18));
    put(0x80 | ((c >> 12) & 0x3f));
    put(0x80 | ((c >> 6) & 0x3f));
    put(0x80 | (c & 0x3f));
  }
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (auto c : text) {
    auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      result += std::string{"\\"} + c;
    else if (code < 0x20)
      result += fmt::format("\\u{:04x}", unsigned{code});
    else
      result += c;
  }
  return result + "\"";
}

/// Reads one text from begin to end.
class reader {
public:
  explicit reader(std::string_view text) : text_(text) {
    // nop
  }

  exact_json run() {
    exact_json result;
    if (text_.size() > json_size_max) {
      fail(fmt::format("it is longer than {} bytes", json_size_max));
    } else {
      skip();
      result.is_object = peek() == '{';
      result.canonical = value(result.is_object ? &result : nullptr);
      skip();
      if (wrong_.empty() && at_ != text_.size())
        fail("something follows behind its end");
    }
    if (!wrong_.empty()) {
      result = {};
      result.wrong = wrong_;
    }
    return result;
  }

private:
  /// The first mistake counts.
  std::string fail(const std::string& what) {
    if (wrong_.empty())
      wrong_ = fmt::format("byte {}: {}", at_, what);
    return {};
  }

  [[nodiscard]] char peek() const {
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c)
      return false;
    ++at_;
    return true;
  }

  void skip() {
    while (at_ < text_.size()
           && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n'
               || text_[at_] == '\r'))
      ++at_;
  }

  /// The value here in canonical form. Members of an object go into `into`.
  std::string value(exact_json* into) {
    skip();
    auto c = peek();
    if (c == '{' || c == '[') {
      if (++depth_ > json_depth_max)
        return fail(fmt::format("it is nested deeper than {}", json_depth_max));
      auto result = c == '{' ? object(into) : array();
      --depth_;
      return result;
    }
    if (c == '"') {
      auto text = string();
      return text ? quoted(*text) : std::string{};
    }
    if (c == '-' || is_digit(c))
      return number();
    for (std::string_view word : {"true", "false", "null"})
      if (text_.substr(at_, word.size()) == word) {
        at_ += word.size();
        return std::string{word};
      }
    return fail(at_ >= text_.size() ? "it ends too early"
                                    : "no value begins so");
  }

  std::string array() {
    ++at_;
    std::string result = "[";
    skip();
    if (take(']'))
      return "[]";
    do {
      result += (result.size() > 1 ? "," : "") + value(nullptr);
      skip();
    } while (wrong_.empty() && take(','));
    if (wrong_.empty() && !take(']'))
      return fail("a list is not closed");
    return result + "]";
  }

  std::string object(exact_json* into) {
    ++at_;
    std::map<std::string, std::string> members;
    skip();
    if (take('}'))
      return "{}";
    do {
      member(members, into);
      skip();
    } while (wrong_.empty() && take(','));
    if (wrong_.empty() && !take('}'))
      return fail("an object is not closed");
    std::string result = "{";
    for (const auto& [key, text] : members)
      result += (result.size() > 1 ? "," : "") + quoted(key) + ":" + text;
    return result + "}";
  }

  void member(std::map<std::string, std::string>& all, exact_json* into) {
    skip();
    auto key = string();
    skip();
    if (!key)
      return;
    if (all.count(*key) != 0) {
      fail(fmt::format("the key {} is there twice", quoted(*key)));
      return;
    }
    if (!take(':')) {
      fail("a key has no value");
      return;
    }
    skip();
    auto begin = at_;
    auto is_text = peek() == '"';
    auto text = value(nullptr);
    if (into != nullptr && wrong_.empty()) {
      if (is_text) {
        reader again{text_.substr(begin, at_ - begin)};
        into->texts[*key] = again.string().value_or("");
      } else {
        into->others[*key] = text;
      }
    }
    all.emplace(std::move(*key), std::move(text));
  }

  std::optional<std::uint32_t> hex4() {
    std::uint32_t code = 0;
    auto part = text_.substr(at_, 4);
    auto read
      = std::from_chars(part.data(), part.data() + part.size(), code, 16);
    if (part.size() != 4 || read.ptr != part.data() + 4) {
      fail("\\u needs four digits");
      return std::nullopt;
    }
    at_ += 4;
    return code;
  }

  void escape(std::string& to) {
    constexpr std::string_view names = "\"\\/bfnrt";
    constexpr std::string_view meant = "\"\\/\b\f\n\r\t";
    auto c = peek();
    ++at_;
    auto i = names.find(c);
    if (i != std::string_view::npos) {
      to += meant[i];
      return;
    }
    if (c != 'u') {
      fail("there is no such escape");
      return;
    }
    auto code = hex4();
    if (code && *code >= 0xd800 && *code <= 0xdbff) {
      auto low = take('\\') && take('u') ? hex4() : std::nullopt;
      if (!low || *low < 0xdc00 || *low > 0xdfff)
        fail("half a character");
      else
        code = 0x10000 + ((*code - 0xd800) << 10) + (*low - 0xdc00);
    } else if (code && *code >= 0xdc00 && *code <= 0xdfff) {
      fail("half a character");
    }
    if (code && wrong_.empty())
      put_utf8(to, *code);
  }

  std::optional<std::string> string() {
    std::string result;
    if (!take('"')) {
      fail("a text was expected");
      return std::nullopt;
    }
    while (wrong_.empty()) {
      if (at_ >= text_.size()) {
        fail("a text is not closed");
        break;
      }
      if (take('"'))
        return result;
      if (take('\\')) {
        escape(result);
        continue;
      }
      auto length = utf8_length(text_.substr(at_));
      if (length == 0)
        fail("it is not UTF-8");
      else if (length == 1 && static_cast<unsigned char>(peek()) < 0x20)
        fail("a control character in a text");
      result += text_.substr(at_, length);
      at_ += length;
    }
    return std::nullopt;
  }

  std::string digits() {
    auto begin = at_;
    while (is_digit(peek()))
      ++at_;
    return std::string{text_.substr(begin, at_ - begin)};
  }

  /// "-12.50e3" as sign, digits and a power of ten: "-125e2".
  std::string number() {
    auto minus = take('-');
    auto all = digits();
    if (all.empty() || (all.size() > 1 && all.front() == '0'))
      return fail("no number is written so");
    std::int64_t power = 0;
    if (take('.')) {
      auto fraction = digits();
      if (fraction.empty())
        return fail("no digit follows the point");
      power = -static_cast<std::int64_t>(fraction.size());
      all += fraction;
    }
    if (take('e') || take('E')) {
      auto down = take('-');
      if (!down)
        take('+');
      auto text = digits();
      std::int64_t by = 0;
      auto read = std::from_chars(text.data(), text.data() + text.size(), by);
      constexpr std::int64_t most = 1'000'000'000;
      if (text.empty() || read.ec != std::errc{} || by > most)
        return fail("the exponent is none, or too large");
      power += down ? -by : by;
    }
    auto first = all.find_first_not_of('0');
    if (first == std::string::npos)
      return "0";
    auto last = all.find_last_not_of('0');
    power += static_cast<std::int64_t>(all.size() - 1 - last);
    return fmt::format("{}{}{}", minus ? "-" : "",
                       all.substr(first, last - first + 1),
                       power == 0 ? "" : fmt::format("e{}", power));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  std::string wrong_;
};

} // namespace

exact_json read_exact(std::string_view text) {
  return reader{text}.run();
}

} // namespace orderly::maintenance
