// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/json/when.hpp"

#include <cstdio>

#include <fmt/format.h>

namespace orderly::io::http {

namespace {

using days = std::chrono::days;

constexpr instant end_of_9999
  = std::chrono::sys_days{std::chrono::year{10000} / std::chrono::January / 1};

} // namespace

std::string to_rfc3339(instant t) {
  if (t <= never || t >= end_of_9999)
    return "";
  auto day = std::chrono::floor<days>(t);
  std::chrono::year_month_day date{day};
  std::chrono::hh_mm_ss time{t - day};
  return fmt::format(
    "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
    static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
    time.hours().count(), time.minutes().count(), time.seconds().count(),
    time.subseconds().count());
}

std::optional<instant> from_rfc3339(std::string_view text) {
  // Everything but the digits is fixed, so a mask is the whole grammar.
  constexpr std::string_view mask = "dddd-dd-ddTdd:dd:dd.dddZ";
  std::string full{text};
  if (full.size() == mask.size() - 4 && full.back() == 'Z')
    full.insert(full.size() - 1, ".000");
  if (full.size() != mask.size())
    return std::nullopt;
  for (size_t i = 0; i < mask.size(); ++i) {
    bool digit = full[i] >= '0' && full[i] <= '9';
    if (mask[i] == 'd' ? !digit : full[i] != mask[i])
      return std::nullopt;
  }
  auto number = [&full](size_t from, size_t size) {
    int value = 0;
    for (auto c : full.substr(from, size))
      value = value * 10 + (c - '0');
    return value;
  };
  std::chrono::year_month_day date{
    std::chrono::year{number(0, 4)},
    std::chrono::month{static_cast<unsigned>(number(5, 2))},
    std::chrono::day{static_cast<unsigned>(number(8, 2))}};
  if (!date.ok() || number(11, 2) > 23 || number(14, 2) > 59
      || number(17, 2) > 59)
    return std::nullopt;
  return instant{std::chrono::sys_days{date}} + hours{number(11, 2)}
         + minutes{number(14, 2)} + seconds{number(17, 2)}
         + millis{number(20, 3)};
}

} // namespace orderly::io::http
