// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/host_ha/eligibility.hpp"
#include "actors/policy/settings/group_settings.hpp"
#include "sim/conformance/keys.hpp"
#include "sim/conformance/provider.hpp"

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

namespace {

/// A node as the daemon would ask about it. What the seed's maintenance of a
/// partition, and its disabling of a host, say is to us a person's doing that
/// automation keeps out of; a power that is not known is a controller that
/// cannot be relied upon.
std::string read_input(const json& x, eligibility_input& in, bool& treated) {
  auto is = [](const char* why, std::string& into, bool when) {
    return [why, &into, when](const json& v) {
      if (v == when)
        into = why;
      return v.is_boolean();
    };
  };
  auto off_unless = [&treated](const json& v) {
    treated = treated && v == true;
    return v.is_boolean();
  };
  auto count = [&in](const json& v) {
    in.neighbours = v.is_number_unsigned() ? v.get<std::uint32_t>() : 0;
    return v.is_number_unsigned();
  };
  auto hypervisor = [&in](const json& v) {
    in.family = v.is_string() ? host_ha::family_from(v.get<std::string>())
                              : std::nullopt;
    // One that nobody knows is none that the provider serves.
    if (!in.family)
      in.family = host_ha::family::fake;
    return v.is_string();
  };
  auto power = [&in](const json& v) {
    if (v == "Unknown")
      in.unprotected = "its controller does not tell its power";
    return v == "On" || v == "Off" || v == "Unknown";
  };
  return take_keys(
    x, "in",
    {{"enabled", off_unless},
     {"partition_enabled", off_unless},
     {"partition_maintenance", is("its partition is worked on", in.held, true)},
     {"host_disabled", is("a person disabled it", in.held, true)},
     {"maintenance", flag_into(in.node.offline)},
     {"agent_supports", is("its agent is too old", in.unwatched, false)},
     {"volume_supports", is("no volume of it shows it", in.unwatched, false)},
     {"oobm",
      [&in](const json& v) {
        if (v == false)
          in.program.clear();
        return v.is_boolean();
      }},
     {"hypervisor", hypervisor},
     {"power", power},
     {"power_commanded",
      [&in](const json& v) {
        in.recorded_on = in.recorded_on && v != true;
        return v.is_boolean();
      }},
     {"neighbours", count},
     {"healthy", of_no_concern},
     {"activity", of_no_concern}});
}

} // namespace

std::vector<difference> judge_eligibility(const json& cases, instant) {
  std::vector<difference> result;
  for (const auto& one : cases) {
    eligibility_input in;
    in.node.name = "n1";
    in.program = "/usr/bin/oob";
    in.neighbours = 1;
    in.family = host_ha::family::kvm;
    in.provider = host_ha::provider_named("KVMHAProvider");
    auto treated = true;
    if (auto wrong = read_input(one.at("in"), in, treated); !wrong.empty())
      throw std::invalid_argument{wrong};
    auto answer = eligible(in);
    auto got = treated && answer.eligible;
    if (got != one.at("eligible"))
      result.push_back(
        {one.dump(), one.at("eligible").dump(),
         answer.reason.empty() ? json(got).dump() : answer.reason});
  }
  return result;
}

} // namespace orderly::sim::conformance
