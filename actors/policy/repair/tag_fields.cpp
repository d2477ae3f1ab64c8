// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/repair/tag_fields.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>
#include <utility>

namespace orderly::tags {

namespace {

constexpr std::array types{repair_type::fix_storage, repair_type::migrate,
                           repair_type::failover, repair_type::reinstall};

constexpr std::array<std::pair<repair_result, const char*>, 3> results{{
  {repair_result::success, "success"},
  {repair_result::failure, "failure"},
  {repair_result::enoperm, "enoperm"},
}};

template <class Names, class Value>
const char* name_of(const Names& names, Value x) {
  for (const auto& [value, name] : names)
    if (value == x)
      return name;
  return "?";
}

template <class T>
std::optional<T> integer(std::string_view text) {
  T value{};
  const auto* last = text.data() + text.size();
  auto [end, error] = std::from_chars(text.data(), last, value);
  if (text.empty() || error != std::errc{} || end != last)
    return std::nullopt;
  return value;
}

} // namespace

std::vector<std::string_view> split(std::string_view text, char mark) {
  std::vector<std::string_view> parts;
  for (;;) {
    auto end = text.find(mark);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos)
      return parts;
    text.remove_prefix(end + 1);
  }
}

bool drop_prefix(std::string_view& text, std::string_view what) {
  if (text.substr(0, what.size()) != what)
    return false;
  text.remove_prefix(what.size());
  return true;
}

bool is_integer(std::string_view text) {
  drop_prefix(text, "-");
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return c >= '0' && c <= '9';
  });
}

std::optional<instant> time_from(std::string_view text) {
  constexpr auto most = std::chrono::floor<seconds>(millis::max()).count();
  auto value = integer<std::int64_t>(text);
  if (!value || *value > most || *value < -most)
    return std::nullopt;
  return instant{seconds{*value}};
}

std::optional<instant> end_from(std::string_view text) {
  auto end = time_from(text);
  return end && *end > instant{} ? end : std::nullopt;
}

std::optional<job_id> job_from(std::string_view text) {
  return integer<job_id>(text);
}

std::optional<repair_type> repair_type_from(std::string_view text) {
  for (auto x : types)
    if (text == to_string(x))
      return x;
  return std::nullopt;
}

const char* to_string(repair_result x) {
  return name_of(results, x);
}

std::optional<repair_result> repair_result_from(std::string_view text) {
  for (const auto& [value, name] : results)
    if (text == name)
      return value;
  return std::nullopt;
}

} // namespace orderly::tags
