// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "messages/fields.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

namespace orderly {

namespace {

constexpr char date_mark = '@';
constexpr char date_joint = '+';

std::optional<std::int64_t> number_of(std::string_view text) {
  std::int64_t result = 0;
  const auto* last = text.data() + text.size();
  auto [end, error] = std::from_chars(text.data(), last, result);
  return error == std::errc{} && end == last ? std::optional{result}
                                             : std::nullopt;
}

/// The value with each of its instants shifted; nullopt: it is no list of such.
std::optional<std::string> shifted(std::string_view value, millis by) {
  std::string result;
  for (auto rest = value;;) {
    auto one = rest.substr(0, rest.find(date_joint));
    auto number = one.size() > 1 && one.front() == date_mark
                    ? number_of(one.substr(1))
                    : std::nullopt;
    if (!number)
      return std::nullopt;
    auto when = from_ms(*number);
    result += dated(when == never ? never : when + by);
    if (one.size() == rest.size())
      return result;
    result += date_joint;
    rest.remove_prefix(one.size() + 1);
  }
}

} // namespace

std::string dated(instant value) {
  return date_mark + std::to_string(to_ms(value));
}

instant instant_of(std::string_view value) {
  if (!value.empty() && value.front() == date_mark)
    value.remove_prefix(1);
  return from_ms(number_of(value).value_or(0));
}

void fields::put(std::string_view name, std::string_view value) {
  values_.insert_or_assign(std::string{name}, std::string{value});
}

void fields::put(std::string_view name, std::int64_t value) {
  values_.insert_or_assign(std::string{name}, std::to_string(value));
}

void fields::put(std::string_view name, instant value) {
  put(name, dated(value));
}

void fields::put_known(std::string_view name, std::string_view value) {
  if (!value.empty())
    put(name, value);
}

void fields::put_known(std::string_view name, std::int64_t value) {
  if (value != 0)
    put(name, value);
}

void fields::put_known(std::string_view name, instant value) {
  if (value != never)
    put(name, value);
}

std::string fields::text(std::string_view name) const {
  auto i = values_.find(name);
  return i == values_.end() ? std::string{} : i->second;
}

std::int64_t fields::number(std::string_view name,
                            std::int64_t fallback) const {
  auto i = values_.find(name);
  if (i == values_.end())
    return fallback;
  return number_of(i->second).value_or(fallback);
}

std::uint32_t fields::count(std::string_view name) const {
  constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(
    std::clamp(number(name), std::int64_t{0}, most));
}

instant fields::when(std::string_view name) const {
  auto i = values_.find(name);
  return i == values_.end() ? never : instant_of(i->second);
}

void fields::erase(std::string_view name) {
  if (auto i = values_.find(name); i != values_.end())
    values_.erase(i);
}

void fields::shift(millis by) {
  for (auto& [name, value] : values_)
    if (auto later = shifted(value, by))
      value = *std::move(later);
}

} // namespace orderly
