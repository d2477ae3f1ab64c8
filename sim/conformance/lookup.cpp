// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/settings/group_settings.hpp"
#include "sim/conformance/keys.hpp"
#include "sim/conformance/provider.hpp"
#include "sim/timelines/eligible.hpp"

#include <memory>
#include <stdexcept>

#include <fmt/format.h>

namespace orderly::sim::conformance {

namespace {

constexpr const char* group = "group";

std::string text_of(const json& x) {
  return x.is_string() ? x.get<std::string>() : x.dump();
}

/// A number where a number is expected.
json as_expected(const std::string& text, const json& wanted) {
  if (wanted.is_string())
    return text;
  auto number = json::parse(text, nullptr, false);
  return number.is_number() ? number : json(text);
}

json value_in(const json& one) {
  const auto* setting = ha_setting_named(one.at("key").get<std::string>());
  if (setting == nullptr)
    return nullptr;
  auto all = std::make_shared<settings>();
  if (auto x = one.value("global", json{}); !x.is_null())
    if (auto wrong = set_value(*all, *setting, text_of(x)); !wrong.empty())
      return wrong;
  if (auto x = one.value("cluster", json{}); !x.is_null())
    all->host_ha.groups[group]
      = {fmt::format("{} = {}", text_of(one.at("key")), text_of(x))};
  return as_expected(value_of(*settings_of_group(all, group), *setting),
                     one.at("value"));
}

} // namespace

std::vector<difference> judge_lookups(const json& cases, instant) {
  std::vector<difference> result;
  for (const auto& one : cases) {
    auto wrong = take_keys(one, "case",
                           {{"key", of_no_concern},
                            {"global", of_no_concern},
                            {"cluster", of_no_concern},
                            {"value", of_no_concern},
                            {"why", of_no_concern}});
    if (!wrong.empty())
      throw std::invalid_argument{wrong};
    if (auto got = value_in(one); got != one.at("value"))
      result.push_back({one.dump(), one.at("value").dump(), got.dump()});
  }
  return result;
}

std::vector<difference> judge_eligibility(const json& cases, instant) {
  std::vector<difference> result;
  for (const auto& one : cases) {
    auto x = timelines::candidate_from(one.at("in"));
    auto answer = eligible(x.in);
    auto got = x.treated && answer.eligible;
    if (got != one.at("eligible"))
      result.push_back(
        {one.dump(), one.at("eligible").dump(),
         answer.reason.empty() ? json(got).dump() : answer.reason});
  }
  return result;
}

} // namespace orderly::sim::conformance
