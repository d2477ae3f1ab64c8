// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/host_ha/switches.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::host_ha {

namespace {

/// What was said of this very machine; null: nothing.
const node_switch* find(const ha_switches& all, const node_record& node) {
  auto i = all.nodes.find(node.name);
  auto its = i != all.nodes.end()
             && (i->second.uuid.empty() || i->second.uuid == node.uuid);
  return its ? &i->second : nullptr;
}

std::string provider_of(const node_switch* said, bool opt_in) {
  if (said != nullptr && !said->provider.empty())
    return said->provider;
  return opt_in ? "" : usual_provider;
}

std::string by(const std::string& who) {
  return " by " + (who.empty() ? "somebody" : who);
}

ruling refuse(refused_as kind, std::string text) {
  ruling result;
  result.refused = kind;
  result.text = std::move(text);
  return result;
}

} // namespace

stand stand_of(const ha_switches& all, const cluster_record& picture,
               const node_record& node) {
  const auto* said = find(all, node);
  stand x;
  x.provider = provider_of(said, all.opt_in);
  x.enabled = said != nullptr && said->enabled ? *said->enabled : !all.opt_in;
  const auto* group = find_record(picture.groups, node.group);
  if (x.provider.empty()) {
    x.off = off_by::provider;
    x.why = "no provider is configured for it";
  } else if (!x.enabled) {
    x.off = off_by::node;
    x.why = said != nullptr && said->enabled ? "disabled for it" + by(said->who)
                                             : "it was not enabled yet";
  } else if (group != nullptr && !is_on(all, *group)) {
    x.off = off_by::group;
    x.why = fmt::format("disabled for group {}{}", node.group,
                        by(all.groups.at(group->uuid).who));
  } else if (all.cluster && !all.cluster->on) {
    x.off = off_by::cluster;
    x.why = "disabled for the cluster" + by(all.cluster->who);
  }
  return x;
}

bool is_on(const ha_switches& all, const group_record& group) {
  auto i = all.groups.find(group.uuid); // its name may have changed
  return i == all.groups.end() || i->second.on;
}

refused_for kind_of(refused_as x) {
  switch (x) {
  case refused_as::nothing:
    return refused_for::nothing;
  case refused_as::unknown_object:
    return refused_for::not_found;
  case refused_as::foreign_provider:
  case refused_as::unconfigured:
    return refused_for::state;
  case refused_as::no_name:
  case refused_as::no_provider:
  case refused_as::unknown_provider:
    break;
  }
  return refused_for::usage;
}

namespace {

/// Rules upon one request, object by object.
class judge {
public:
  judge(const ha_errand& asked, const std::string& who,
        const cluster_record& picture, const ha_switches& all)
    : asked_(asked), who_(who), picture_(picture) {
    result_.next = all;
  }

  ruling nodes() {
    for (const auto& name : asked_.names)
      if (const auto* node = find_record(picture_.nodes, name))
        put(name, row_kind::node, one_node(*node));
      else
        put(name, row_kind::node, unknown("node", name));
    return conclude();
  }

  ruling groups() {
    for (const auto& name : asked_.names)
      if (const auto* group = find_record(picture_.groups, name))
        put(name, row_kind::group, one_group(*group), group->uuid);
      else
        put(name, row_kind::group, unknown("node group", name));
    return conclude();
  }

  ruling cluster() {
    for (const auto& name : asked_.names)
      if (name != picture_.name)
        return refuse(
          refused_as::unknown_object,
          fmt::format("this cluster is {}, and not {}", picture_.name, name));
    result_.next.cluster = upper_switch{turns_on(), {}, who_};
    put(picture_.name, row_kind::cluster, {refused_as::nothing, state_text()});
    return conclude();
  }

private:
  struct answer {
    refused_as refused = refused_as::nothing;
    std::string text;
  };

  [[nodiscard]] bool turns_on() const {
    return asked_.action == ha_action::enable;
  }

  [[nodiscard]] std::string state_text() const {
    return turns_on() ? "enabled" : "disabled";
  }

  static answer unknown(const char* what, const std::string& name) {
    return {refused_as::unknown_object,
            fmt::format("there is no {} {}", what, name)};
  }

  void put(const std::string& object, row_kind kind, answer x,
           const std::string& uuid = {}) {
    result_.rows.push_back({object, kind, x.refused, std::move(x.text), uuid});
  }

  answer one_node(const node_record& node) {
    const auto* said = find(result_.next, node);
    auto next = said == nullptr ? node_switch{} : *said;
    next.uuid = node.uuid;
    next.who = who_;
    answer x;
    if (asked_.action == ha_action::configure) {
      const auto* card = provider_named(asked_.provider);
      if (!serves(*card, std::nullopt))
        return {refused_as::foreign_provider,
                fmt::format("{} is for hosts of another hypervisor than those "
                            "of a Ganeti cluster, such as node {}",
                            card->shown, node.name)};
      next.provider = card->name;
      x.text = "its provider is " + card->name;
    } else {
      if (turns_on() && provider_of(said, result_.next.opt_in).empty())
        return {refused_as::unconfigured,
                fmt::format("no provider is configured for node {}: 'orderly "
                            "ha configure --provider ganeti {}' does that",
                            node.name, node.name)};
      next.enabled = turns_on();
      x.text = state_text();
    }
    result_.next.nodes[node.name] = std::move(next);
    return x;
  }

  answer one_group(const group_record& group) {
    result_.next.groups[group.uuid] = {turns_on(), group.uuid, who_};
    return {refused_as::nothing, state_text()};
  }

  /// What is wrong with all of them is refused as a whole.
  ruling conclude() {
    auto fine = std::any_of(
      result_.rows.begin(), result_.rows.end(),
      [](const ruled_row& x) { return x.refused == refused_as::nothing; });
    if (fine)
      return std::move(result_);
    const auto& first = result_.rows.front();
    return refuse(first.refused, first.text);
  }

  const ha_errand& asked_;
  const std::string& who_;
  const cluster_record& picture_;
  ruling result_;
};

/// A name that is empty is a variable of somebody's shell that is unset.
bool names_nothing(const ha_errand& asked) {
  const auto& all = asked.names;
  return (all.empty() && asked.scope != ha_scope::cluster)
         || std::any_of(all.begin(), all.end(),
                        [](const std::string& x) { return x.empty(); });
}

ruling no_names(const ha_errand& asked) {
  return refuse(refused_as::no_name,
                fmt::format("it must be said of which {} host HA is to be {}",
                            asked.scope == ha_scope::cluster ? "cluster"
                            : asked.scope == ha_scope::group ? "node group"
                                                             : "node",
                            asked.action == ha_action::configure ? "configured"
                            : asked.action == ha_action::enable  ? "enabled"
                                                                 : "disabled"));
}

} // namespace

ruling rule(const ha_errand& asked, const std::string& who,
            const cluster_record& picture, const ha_switches& all) {
  if (names_nothing(asked))
    return no_names(asked);
  auto configures = asked.action == ha_action::configure;
  if (configures && asked.provider.empty())
    return refuse(refused_as::no_provider,
                  "a provider must be named, one of " + known_providers());
  if (configures && provider_named(asked.provider) == nullptr)
    return refuse(refused_as::unknown_provider,
                  fmt::format("there is no provider {}, it must be one of {}",
                              asked.provider, known_providers()));
  judge x{asked, who, picture, all};
  if (asked.scope == ha_scope::nodes)
    return x.nodes();
  if (configures)
    return refuse(refused_as::no_name, "providers are configured for nodes: "
                                       "name them");
  return asked.scope == ha_scope::group ? x.groups() : x.cluster();
}

ruling select(const ha_errand& asked, const cluster_record& picture) {
  ruling result;
  auto grouped = asked.scope == ha_scope::group;
  if ((grouped || !asked.names.empty()) && names_nothing(asked))
    return refuse(refused_as::no_name, "a name is empty");
  for (const auto& name : asked.names) {
    auto known = grouped ? find_record(picture.groups, name) != nullptr
                         : find_record(picture.nodes, name) != nullptr;
    if (!known)
      return refuse(refused_as::unknown_object,
                    fmt::format("there is no {} {}",
                                grouped ? "node group" : "node", name));
  }
  for (const auto& node : picture.nodes) {
    const auto& key = grouped ? node.group : node.name;
    auto meant = asked.names.empty()
                 || std::find(asked.names.begin(), asked.names.end(), key)
                      != asked.names.end();
    if (meant)
      result.rows.push_back({node.name, row_kind::node, {}, {}, {}});
  }
  return result;
}

fields to_fields(const node_switch& x) {
  fields f;
  f.put("provider", x.provider);
  if (x.enabled)
    f.put("enabled", std::int64_t{*x.enabled});
  f.put("uuid", x.uuid);
  f.put("who", x.who);
  return f;
}

fields to_fields(const upper_switch& x) {
  fields f;
  f.put("on", std::int64_t{x.on});
  f.put("uuid", x.uuid);
  f.put("who", x.who);
  return f;
}

node_switch node_switch_from(const fields& f) {
  node_switch x;
  x.provider = f.text("provider");
  if (f.has("enabled"))
    x.enabled = f.number("enabled") != 0;
  x.uuid = f.text("uuid");
  x.who = f.text("who");
  return x;
}

upper_switch upper_switch_from(const fields& f) {
  return {f.number("on", 1) != 0, f.text("uuid"), f.text("who")};
}

} // namespace orderly::host_ha
