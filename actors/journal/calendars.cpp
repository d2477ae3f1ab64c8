// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/journal/calendars.hpp"

#include <algorithm>
#include <charconv>

namespace orderly {

namespace {

/// The calendar is slewed, too, and less than that orders nothing anew.
constexpr millis noise = seconds{1};

/// No machine starts in less.
constexpr millis start_least = seconds{20};

constexpr std::string_view of_offset = "offset/";

struct parts {
  std::string_view start;
  millis offset;
};

std::optional<parts> parse(std::string_view name) {
  auto slash = name.find('/');
  if (slash == 0 || slash == std::string_view::npos)
    return std::nullopt;
  auto number = name.substr(slash + 1);
  millis::rep offset = 0;
  auto end = number.data() + number.size();
  if (auto read = std::from_chars(number.data(), end, offset);
      read.ec != std::errc{} || read.ptr != end)
    return std::nullopt;
  return parts{name.substr(0, slash), millis{offset}};
}

} // namespace

std::string start_in(std::string_view name) {
  auto found = parse(name);
  return found ? std::string{found->start} : std::string{};
}

calendars::calendars(const fields& kept, const std::set<std::string>& named)
  : start_(kept.text("start")) {
  for (const auto& [name, value] : kept.all()) {
    if (!std::string_view{name}.starts_with(of_offset))
      continue;
    auto start = name.substr(of_offset.size());
    if (start == start_ || named.count(start) != 0)
      offsets_.emplace(std::move(start), kept.number(name));
  }
}

void calendars::shift(millis by) {
  for (auto& [start, offset] : offsets_)
    offset += by;
}

void calendars::begin(std::string_view name, instant now, instant last) {
  auto found = parse(name);
  if (found && found->start == start_) {
    follow(name);
    return;
  }
  if (last != never)
    shift(std::min<millis>(now - start_least - last, millis{0}));
  start_ = found ? found->start : std::string_view{};
  if (found)
    offsets_.insert_or_assign(start_, found->offset);
}

bool calendars::follow(std::string_view name) {
  auto found = parse(name);
  if (found && start_.empty())
    start_ = found->start; // as known from now on
  if (!found || found->start != start_)
    return false;
  auto [i, fresh] = offsets_.try_emplace(start_, found->offset);
  auto by = found->offset - i->second;
  if (std::chrono::abs(by) < noise)
    return fresh;
  shift(by);
  return true;
}

std::optional<millis> calendars::since(std::string_view name) const {
  auto found = parse(name);
  auto i = found ? offsets_.find(found->start) : offsets_.end();
  if (i == offsets_.end())
    return std::nullopt;
  auto by = i->second - found->offset;
  return std::chrono::abs(by) < noise ? millis{0} : by;
}

bool calendars::is_sure(std::string_view name) const {
  auto found = parse(name);
  return found && found->start == start_;
}

bool calendars::is_former(std::string_view name) const {
  auto found = parse(name);
  return found && !start_.empty() && found->start != start_;
}

fields calendars::kept() const {
  fields result;
  result.put("start", start_);
  for (const auto& [start, offset] : offsets_)
    result.put(std::string{of_offset} + start, offset.count());
  return result;
}

} // namespace orderly
