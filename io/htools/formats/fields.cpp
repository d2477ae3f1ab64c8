// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/formats/fields.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

/// Letters, digits, and these marks.
bool is_bare(std::string_view text, std::string_view marks) {
  return std::all_of(text.begin(), text.end(), [marks](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z')
           || (c >= 'A' && c <= 'Z') || marks.find(c) != std::string_view::npos;
  });
}

std::string in_quotes(std::string_view text) {
  std::string result = "'";
  for (auto c : text)
    result += c == '\'' ? "'\\''" : std::string{c};
  return result + "'";
}

/// What the reference calls what no digits can show.
std::string no_decimal(double x) {
  if (std::isnan(x))
    return "NaN";
  return x > 0 ? "Infinity" : "-Infinity";
}

} // namespace

std::vector<std::string_view> split(std::string_view text, char mark) {
  std::vector<std::string_view> result;
  if (text.empty())
    return result;
  for (;;) {
    auto end = text.find(mark);
    result.push_back(text.substr(0, end));
    if (end == std::string_view::npos)
      return result;
    text.remove_prefix(end + 1);
  }
}

std::vector<std::string> split_words(std::string_view text, char mark) {
  std::vector<std::string> result;
  for (auto x : split(text, mark))
    result.emplace_back(x);
  return result;
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t x = 0;
  auto end = text.data() + text.size();
  auto [at, error] = std::from_chars(text.data(), end, x);
  // Beyond this, sums of sizes are no longer exact.
  constexpr std::int64_t most = 1'000'000'000'000;
  if (error != std::errc{} || at != end || x > most || x < -most)
    return std::nullopt;
  return x;
}

std::optional<double> decimal_number(std::string_view text) {
  auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  auto body = text;
  if (!body.empty() && body.front() == '-')
    body.remove_prefix(1);
  if (body.empty() || !is_digit(body.front()) || !is_digit(body.back()))
    return std::nullopt;
  for (auto point = body.find('.'); point != std::string_view::npos;
       point = body.find('.', point + 1))
    if (!is_digit(body[point + 1]))
      return std::nullopt;
  double x = 0;
  auto end = text.data() + text.size();
  auto [at, error] = std::from_chars(text.data(), end, x);
  constexpr double most = 1e15;
  if (error != std::errc{} || at != end || !(std::abs(x) <= most))
    return std::nullopt;
  return x;
}

std::string number_complaint(std::string_view text) {
  auto end
    = text.find_first_not_of("0123456789", text.starts_with('-') ? 1 : 0);
  auto has_digits
    = end != std::string_view::npos && end > 0 && text[end - 1] != '-';
  if (has_digits)
    return fmt::format("leftover characters when parsing '{}': '{}'", text,
                       text.substr(end));
  return fmt::format("cannot parse string '{}'", text);
}

result<std::int64_t> size_in_mib(std::string_view text) {
  auto end = std::min(text.find_first_not_of("0123456789"), text.size());
  auto number = whole_number(text.substr(0, end));
  if (!number || (end < text.size() && text[end] == '.'))
    return fault{fault_kind::bad_input,
                 fmt::format("Can't parse string '{}'", text)};
  auto unit = text.substr(end);
  std::string upper{unit};
  for (auto& c : upper)
    c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  constexpr double mega = 1e6 / (1024.0 * 1024.0);
  auto factor = 0.0;
  if (unit.empty() || unit == "m" || upper == "MIB")
    factor = 1;
  else if (unit == "g" || upper == "GIB")
    factor = 1024;
  else if (unit == "t" || upper == "TIB")
    factor = 1024 * 1024;
  else if (unit == "M" || upper == "MB")
    factor = mega;
  else if (unit == "G" || upper == "GB")
    factor = mega * 1000;
  else if (unit == "T" || upper == "TB")
    factor = mega * 1e6;
  else
    return fault{fault_kind::bad_input, fmt::format("Unknown unit '{}'", unit)};
  auto size = static_cast<double>(*number) * factor;
  if (size > 1e12)
    return fault{fault_kind::bad_input,
                 fmt::format("'{}' is no size of this world", text)};
  return static_cast<std::int64_t>(size);
}

std::string short_decimal(double x) {
  if (!std::isfinite(x))
    return no_decimal(x);
  auto size = std::abs(x);
  if (size != 0 && (size < 0.1 || size >= 1e7)) {
    auto text = fmt::format("{:e}", x); // only to find the exponent
    auto exponent = std::stoi(text.substr(text.find('e') + 1));
    auto front = fmt::format("{}", x / std::pow(10, exponent));
    if (front.find('.') == std::string::npos)
      front += ".0";
    return fmt::format("{}e{}", front, exponent);
  }
  auto text = fmt::format("{}", x);
  if (text.find('.') == std::string::npos)
    text += ".0";
  return text;
}

std::string fixed_decimal(double x, int places) {
  if (!std::isfinite(x))
    return no_decimal(x);
  auto result = fmt::format("{:.{}f}", x, places);
  // The shortest text decides what is a half, not the bits.
  auto shortest = fmt::format("{}", x);
  auto point = shortest.find('.');
  auto last = point + static_cast<std::size_t>(places) + 1;
  auto is_half = point != std::string::npos && shortest.size() == last + 1
                 && shortest[last] == '5'
                 && shortest.find('e') == std::string::npos;
  if (!is_half)
    return result;
  auto before = shortest[last - 1];
  if (before == '.')
    before = shortest[last - 2];
  shortest[last] = (before - '0') % 2 == 0 ? '4' : '6';
  return fmt::format("{:.{}f}", std::strtod(shortest.c_str(), nullptr), places);
}

std::string general_decimal(double x) {
  if (!std::isfinite(x))
    return no_decimal(x);
  auto size = std::abs(x);
  if (size == 0 || (size >= 0.1 && size < 1e7))
    return fixed_decimal(x, 6);
  auto text = fmt::format("{:.6e}", x);
  auto at = text.find('e');
  return text.substr(0, at + 1)
         + std::to_string(std::stoi(text.substr(at + 1)));
}

std::string shell_word(const std::string& text) {
  return is_bare(text, ".") ? text : in_quotes(text);
}

std::string command_word(const std::string& name) {
  auto bare = !name.empty() && is_bare(name, "-.,=:/_+@");
  return bare ? name : in_quotes(name);
}

std::string join(const std::vector<std::string>& words, char mark) {
  std::string result;
  for (const auto& w : words) {
    if (&w != &words.front())
      result += mark;
    result += w;
  }
  return result;
}

} // namespace orderly::io::htools
