// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "messages/fields.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

namespace orderly {

void fields::put(std::string_view name, std::string_view value) {
  values_.insert_or_assign(std::string{name}, std::string{value});
}

void fields::put(std::string_view name, std::int64_t value) {
  values_.insert_or_assign(std::string{name}, std::to_string(value));
}

void fields::put(std::string_view name, instant value) {
  put(name, to_ms(value));
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
  std::int64_t result = 0;
  const auto* first = i->second.data();
  const auto* last = first + i->second.size();
  auto [end, error] = std::from_chars(first, last, result);
  return error == std::errc{} && end == last ? result : fallback;
}

std::uint32_t fields::count(std::string_view name) const {
  constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(
    std::clamp(number(name), std::int64_t{0}, most));
}

instant fields::when(std::string_view name) const {
  return from_ms(number(name));
}

} // namespace orderly
