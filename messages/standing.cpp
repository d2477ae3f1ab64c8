// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "messages/standing.hpp"

#include <array>
#include <utility>

namespace orderly {

namespace {

constexpr std::array<std::pair<ha_phase, const char*>, 10> phases{{
  {ha_phase::disabled, "disabled"},
  {ha_phase::ineligible, "ineligible"},
  {ha_phase::available, "available"},
  {ha_phase::suspect, "suspect"},
  {ha_phase::checking, "checking"},
  {ha_phase::degraded, "degraded"},
  {ha_phase::recovering, "recovering"},
  {ha_phase::recovered, "recovered"},
  {ha_phase::fencing, "fencing"},
  {ha_phase::fenced, "fenced"},
}};

} // namespace

const char* to_string(ha_phase x) {
  for (const auto& [value, text] : phases)
    if (value == x)
      return text;
  return "?";
}

ha_phase ha_phase_from(const std::string& text, ha_phase fallback) {
  for (const auto& [value, name] : phases)
    if (text == name)
      return value;
  return fallback;
}

std::vector<std::string> all_remarks(const instance_standing& x) {
  auto result = x.remarks;
  result.insert(result.end(), x.shared_remarks.begin(), x.shared_remarks.end());
  return result;
}

} // namespace orderly
