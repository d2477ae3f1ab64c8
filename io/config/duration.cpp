// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/config/duration.hpp"

#include <array>
#include <charconv>
#include <limits>

namespace orderly::io {

namespace {

struct unit {
  std::string_view name;
  std::int64_t factor;
};

constexpr std::array<unit, 5> units{{
  {"d", 86400000},
  {"h", 3600000},
  {"m", 60000},
  {"s", 1000},
  {"ms", 1},
}};

} // namespace

std::optional<millis> parse_duration(std::string_view text) {
  std::int64_t count = 0;
  auto last = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), last, count);
  if (error != std::errc{} || count < 0)
    return std::nullopt;
  std::string_view name{rest, static_cast<std::size_t>(last - rest)};
  for (auto& u : units)
    if (u.name == name) {
      if (count > std::numeric_limits<std::int64_t>::max() / u.factor)
        return std::nullopt;
      return millis{count * u.factor};
    }
  return std::nullopt;
}

std::string spell_duration(millis t) {
  // Days are read but not written: "24h" is what people expect to see.
  for (auto& u : units)
    if (u.name != "d" && t.count() % u.factor == 0
        && (t.count() != 0 || u.name == "s"))
      return std::to_string(t.count() / u.factor) + std::string{u.name};
  return std::to_string(t.count()) + "ms";
}

} // namespace orderly::io
