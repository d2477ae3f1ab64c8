// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/cli/power_values.hpp"

#include "messages/ascii.hpp"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace orderly::power {

mistake senseless(std::string text) {
  return {std::move(text), 2};
}

mistake refused(std::string text) {
  return {std::move(text), 1};
}

mistake no_name() {
  return senseless("a name is empty; is a variable of your shell unset?");
}

const std::string* values::text(std::string_view name) {
  const std::string* found = nullptr;
  for (const auto& x : parts_.found) {
    if (x.what->name != name || !x.argument)
      continue;
    if (found != nullptr)
      complain(fmt::format("--{} is given twice; give it once", name));
    found = &*x.argument;
  }
  return found;
}

std::optional<millis> values::span(std::string_view name, double low,
                                   double high) {
  const auto* typed = text(name);
  if (typed == nullptr)
    return std::nullopt;
  double number = 0;
  const auto* end = typed->data() + typed->size();
  auto read
    = std::from_chars(typed->data(), end, number, std::chars_format::fixed);
  if (read.ec != std::errc{} || read.ptr != end
      || !(number >= low && number <= high)) {
    complain(fmt::format("--{}: '{}' is no number of seconds between {} and {}",
                         name, *typed, low, high));
    return std::nullopt;
  }
  return millis{std::llround(number * 1000)};
}

std::optional<std::uint32_t> values::number(std::string_view name,
                                            std::uint32_t high) {
  const auto* typed = text(name);
  if (typed == nullptr)
    return std::nullopt;
  std::uint32_t n = 0;
  const auto* end = typed->data() + typed->size();
  auto read = std::from_chars(typed->data(), end, n);
  if (read.ec == std::errc{} && read.ptr == end && n > 0 && n <= high)
    return n;
  complain(
    fmt::format("--{}: '{}' is no number from 1 to {}", name, *typed, high));
  return std::nullopt;
}

std::optional<bool> values::flag(std::string_view name) {
  const auto* typed = text(name);
  if (typed == nullptr)
    return std::nullopt;
  auto word = lowered(*typed);
  if (word == "yes" || word == "true")
    return true;
  if (word == "no" || word == "false")
    return false;
  complain(fmt::format("--{}: '{}' is neither yes nor no", name, *typed));
  return std::nullopt;
}

void values::complain(std::string what) {
  if (!wrong)
    wrong = senseless(std::move(what));
}

} // namespace orderly::power
