// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The seed's calls about host HA as a person's orders at the desk: its zone is
// the cluster, its cluster a node group, its host a node. Nodes have to opt in,
// as hosts do there.

#include "actors/policy/host_ha/providers.hpp"
#include "messages/standing.hpp"
#include "sim/conformance/desk.hpp"
#include "sim/conformance/keys.hpp"
#include "sim/conformance/provider.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

namespace orderly::sim::conformance {

namespace {

/// One call: what it is here, and which argument names its objects.
struct call_kind {
  ha_action action;
  ha_scope scope;
  const char* argument;
};

const std::map<std::string, call_kind>& call_kinds() {
  using enum ha_action;
  using enum ha_scope;
  static const std::map<std::string, call_kind> all{
    {"configureHAForHost", {configure, nodes, "host"}},
    {"enableHAForHost", {enable, nodes, "host"}},
    {"disableHAForHost", {disable, nodes, "host"}},
    {"enableHAForCluster", {enable, group, "cluster"}},
    {"disableHAForCluster", {disable, group, "cluster"}},
    {"enableHAForZone", {enable, cluster, "zone"}},
    {"disableHAForZone", {disable, cluster, "zone"}},
    {"listHostHAResources", {list, nodes, "host"}},
    {"listHostHAConfigurations", {list, nodes, "host"}},
    {"listHostHAProviders", {providers, nodes, "hypervisor"}}};
  return all;
}

const call_kind& kind_of(const json& one) {
  auto i = call_kinds().find(one.at("call").get<std::string>());
  if (i == call_kinds().end())
    throw std::invalid_argument{one.at("call").dump() + " is no call"};
  return i->second;
}

/// `host` or `hostid`; nullopt: it is not there.
std::optional<std::string> argument(const json& one, const std::string& key) {
  auto args = one.value("args", json::object());
  for (const auto& name : {key, key + "id"})
    if (auto i = args.find(name); i != args.end())
      return i->is_string() ? i->get<std::string>() : i->dump();
  return std::nullopt;
}

errand_request request_of(const json& one) {
  const auto& kind = kind_of(one);
  ha_errand x;
  x.action = kind.action;
  x.scope = kind.scope;
  auto name = argument(one, kind.argument);
  auto lists
    = kind.action == ha_action::list || kind.action == ha_action::providers;
  if (name)
    x.names = {*name};
  else if (!lists)
    x.names = {""}; // the seed's calls need a name, also that of the zone
  x.provider = argument(one, "provider").value_or("");
  errand_request result;
  result.what = std::move(x);
  result.who = "root";
  return result;
}

/// What some call must find is there.
std::set<std::string> found(const json& cases, ha_scope scope) {
  std::set<std::string> result;
  for (const auto& one : cases) {
    const auto& kind = kind_of(one);
    auto name = argument(one, kind.argument);
    if (kind.scope == scope && kind.action != ha_action::providers && name
        && one.at("ok") == true)
      result.insert(*name);
  }
  return result;
}

power_given given_for(const json& cases) {
  auto hosts = found(cases, ha_scope::nodes);
  hosts.insert({"unconfigured", "kvm-host"});
  auto groups = found(cases, ha_scope::group);
  groups.insert("default");
  auto zones = found(cases, ha_scope::cluster);
  auto nodes = json::array({{{"name", "m"}, {"master", true}}});
  for (const auto& name : hosts)
    if (name != "m")
      nodes.push_back({{"name", name}, {"group", *groups.begin()}});
  auto listed = json::array();
  for (const auto& name : groups)
    listed.push_back({{"name", name}});
  auto given
    = read_power_given({{"nodes", std::move(nodes)},
                        {"groups", std::move(listed)},
                        {"cluster_ndparams", {{"oob_program", "/usr/bin/oob"}}},
                        {"settings",
                         {{"host_ha.enabled", true},
                          {"host_ha.opt_in", true},
                          {"host_ha.check_interval", "10s"}}}});
  if (!given)
    throw std::invalid_argument{given.why().text};
  if (!zones.empty())
    given->world.plan.name = *zones.begin();
  return *given;
}

/// "Disabled", as the scenarios spell it.
std::string spelled(ha_phase x) {
  std::string text = to_string(x);
  text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text;
}

/// What is shown of a host afterwards, in the same second.
json shown_of(desk_stage& on, const std::string& host) {
  errand_request question;
  question.what = ha_errand{ha_action::list, ha_scope::nodes, {host}, {}};
  auto sheet = on.work_off(question);
  if (!sheet || sheet->rows.empty() || !sheet->rows.front().ha)
    return nullptr;
  const auto& card = *sheet->rows.front().ha;
  return {{"hostid", host},
          {"haprovider", card.provider},
          {"haenable", card.enabled},
          {"hastate", spelled(card.state)}};
}

json providers_in(const errand_sheet& sheet) {
  auto names = json::array();
  for (const auto& row : sheet.rows)
    if (const auto* card = host_ha::provider_named(row.object))
      names.push_back(card->shown);
  return {{"haprovider", std::move(names)}};
}

bool went_well(const std::optional<errand_sheet>& sheet) {
  return sheet && sheet->refusal.empty() && !sheet->failed;
}

} // namespace

std::vector<difference> play_admin(const json& cases, instant clock) {
  std::vector<difference> result;
  desk_stage on{given_for(cases), clock};
  if (auto wrong = on.wait_ready(); !wrong.empty())
    return {{"the daemon", "one that is ready", wrong}};
  for (const auto& one : cases) {
    auto wrong = take_keys(one, "case",
                           {{"call", of_no_concern},
                            {"args", of_no_concern},
                            {"ok", of_no_concern},
                            {"shown", of_no_concern},
                            {"why", of_no_concern}});
    if (!wrong.empty())
      throw std::invalid_argument{wrong};
    auto sheet = on.work_off(request_of(one));
    auto ok = went_well(sheet);
    if (ok != one.at("ok"))
      result.push_back({one.dump(), one.at("ok").dump(),
                        sheet ? sheet->refusal : "no answer"});
    if (!ok || !one.contains("shown"))
      continue;
    auto seen = kind_of(one).action == ha_action::providers
                  ? providers_in(*sheet)
                  : shown_of(on, argument(one, "host").value_or(""));
    for (const auto& [key, wanted] : one["shown"].items())
      if (!seen.is_object() || seen.value(key, json{}) != wanted)
        result.push_back({one.dump(), one["shown"].dump(), seen.dump()});
  }
  return result;
}

} // namespace orderly::sim::conformance
