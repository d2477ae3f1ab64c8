// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The rows of an emergency power-off, and of the way back.

#include "actors/policy/base/natural_order.hpp"
#include "actors/policy/errand/plan.hpp"
#include "actors/policy/errand/words.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::errand {

namespace {

using answer = std::variant<state, refusal>;
using selection = std::variant<std::vector<node_record>, refusal>;

selection select(const epo_errand& x, const surroundings& w) {
  if (x.all && (x.groups || !x.names.empty()))
    return refusal{"--all is the whole cluster: it takes neither names nor "
                   "--groups",
                   refused_for::usage};
  if (x.all)
    return all_nodes(w);
  if (x.names.empty())
    return refusal{x.groups ? "Please provide at least one node group"
                            : "Please provide at least one node, or --all for "
                              "the whole cluster",
                   refused_for::usage};
  if (!x.groups)
    return nodes_named(x.names, w);
  auto nodes = nodes_of_groups(x.names, w);
  const auto* found = std::get_if<0>(&nodes);
  if (found != nullptr && found->empty())
    return refusal{fmt::format("there is no node in node group {}",
                               fmt::join(x.names, ", ")),
                   refused_for::state};
  return nodes;
}

void pass_over(row& r, std::string text) {
  r.state = row_state::skipped;
  r.met = true;
  r.text = std::move(text);
}

std::string no_control(const node_record& node) {
  return fmt::format("Node {} does not support out-of-band handling, it can "
                     "not be handled in a fully automated manner",
                     node.name);
}

/// It cannot be switched; the master, which goes last, is by hand.
bool is_left_alone(const node_record& node, const surroundings& w) {
  return node.name != w.picture->master && w.levels(node).empty();
}

std::string as_wanted(const node_record& node) {
  return fmt::format("Node {} is already in desired power state, skipping",
                     node.name);
}

row off_row(const node_record& node, const surroundings& w, state& s) {
  auto r = row_of(node);
  if (node.name == w.picture->master) {
    pass_over(r, "it is the master, which is left on until the end and is "
                 "switched off by hand");
  } else if (w.levels(node).empty()) {
    r.state = row_state::unsupported;
    r.text = no_control(node);
    add_remark(s, r.text + ": switch it off by hand");
  } else if (!node.powered && w.read_on->count(node.name) == 0) {
    pass_over(r, as_wanted(node));
  }
  return r;
}

/// An order switched it off by itself.
bool is_wished_off(const node_record& node, const surroundings& w) {
  auto wish = w.wishes->find(node.name);
  return wish != w.wishes->end() && wish->second.wanted == power_state::off;
}

row on_row(const node_record& node, const epo_errand& x, const surroundings& w,
           state& s) {
  auto r = row_of(node);
  auto held = w.holds->find(node.name);
  if (node.name == w.picture->master) {
    pass_over(r, "it is the master, which is on");
  } else if (w.levels(node).empty()) {
    r.state = row_state::unsupported;
    r.met = !node.offline;
    r.text = no_control(node);
    if (node.offline)
      add_remark(s, r.text
                      + ": switch it on by hand, and take it back with "
                        "'orderly node modify --offline=no'");
  } else if (node.powered && !node.offline
             && (held == w.holds->end() || w.read_on->count(node.name) != 0)) {
    // The record alone does not say that one is back which we switched off.
    pass_over(r, as_wanted(node));
  } else if (held != w.holds->end() && held->second.was_off
             && (x.all || x.groups)) {
    pass_over(r, "it is off for another reason than the emergency power-off, "
                 "and stays so");
    add_remark(s, fmt::format("Node {} was off before the emergency power-off, "
                              "or was switched off by an order of its own "
                              "since, and was left off; 'orderly power on {}' "
                              "switches it on",
                              node.name, node.name));
  } else if (!node.powered && held == w.holds->end()
             && (!w.holds->empty() || is_wished_off(node, w))
             && (x.all || x.groups)) {
    pass_over(r, "no emergency power-off switched it off, and it stays so");
    add_remark(s, fmt::format("Node {} was not switched off by an emergency "
                              "power-off and was left off; 'orderly power on "
                              "{}' switches it on",
                              node.name, node.name));
  } else if (node.powered && held == w.holds->end()) {
    pass_over(r, as_wanted(node)
                   + "; it is offline for another reason than an emergency "
                     "power-off, and stays so");
  }
  return r;
}

/// Instances that are wanted up and have their primary among the nodes.
std::vector<const instance_record*>
lodgers_of(const std::map<node_name, std::uint32_t>& places,
           const surroundings& w) {
  std::vector<const instance_record*> result;
  for (const auto& x : w.picture->instances)
    if (x.admin == admin_state::up && places.count(x.primary) != 0)
      result.push_back(&x);
  std::sort(result.begin(), result.end(),
            [](auto* a, auto* b) { return natural_less(a->name, b->name); });
  return result;
}

row instance_row(const instance_record& x) {
  row r;
  r.object = x.name;
  r.kind = row_kind::instance;
  return r;
}

/// Instances that go on elsewhere and lose their mirror here.
void tell_of_mirrors(state& s, const std::vector<node_record>& nodes,
                     const surroundings& w) {
  std::set<node_name> going;
  for (const auto& x : nodes)
    if (!is_left_alone(x, w))
      going.insert(x.name);
  auto runs = [&](const instance_record& x) {
    auto home = w.node(x.primary);
    return x.admin == admin_state::up && going.count(x.primary) == 0 && home
           && !home->offline;
  };
  std::vector<std::string> halved;
  for (const auto& x : w.picture->instances)
    if (runs(x)
        && std::any_of(x.secondaries.begin(), x.secondaries.end(),
                       [&going](const auto& n) { return going.count(n) != 0; }))
      halved.push_back(x.name);
  if (!halved.empty())
    add_remark(s, fmt::format("Running on without a mirror, because their "
                              "secondary is among these nodes: {}",
                              some_of(halved)));
}

/// Nodes that are offline and may run what is wanted up there.
void tell_of_marked(state& s, const std::vector<row>& nodes,
                    const surroundings& w) {
  for (const auto& r : nodes) {
    auto node = w.node(r.object);
    if (auto all = lodgers(r.object, w);
        r.was_offline && r.state == row_state::waiting && !all.empty()
        && !(node && is_marked_by_epo(*node, w)))
      add_remark(s, fmt::format("Node {} is marked offline, so that Ganeti "
                                "stops nothing there: it goes off only if "
                                "nothing of it answers then ({})",
                                r.object, some_of(all)));
  }
}

} // namespace

std::variant<state, refusal> plan_epo(const errand_request& asked,
                                      const epo_errand& x,
                                      const surroundings& w) {
  auto selected = select(x, w);
  if (auto* why = std::get_if<refusal>(&selected))
    return std::move(*why);
  const auto& nodes = std::get<0>(selected);
  for (const auto& node : nodes)
    if (node.name == w.picture->master && !x.on && !x.all)
      return refusal{
        fmt::format("{} is the master node, please do a master-failover to "
                    "another node not affected by the EPO or use --all if you "
                    "intend to shutdown the whole cluster",
                    node.name),
        refused_for::state};
  state s;
  s.asked = asked;
  std::map<node_name, std::uint32_t> places;
  std::vector<row> rows;
  for (const auto& node : nodes) {
    places.emplace(node.name, static_cast<std::uint32_t>(rows.size()));
    rows.push_back(x.on ? on_row(node, x, w, s) : off_row(node, w, s));
  }
  if (x.on) {
    s.rows = std::move(rows);
    for (const auto* i : lodgers_of(places, w)) {
      auto r = instance_row(*i);
      for (const auto& name : nodes_of(*i))
        if (auto place = places.find(name); place != places.end())
          r.needs.push_back(place->second);
      s.rows.push_back(std::move(r));
    }
    return s;
  }
  tell_of_marked(s, rows, w);
  // On nodes that are offline Ganeti stops nothing, and what cannot be switched
  // is left alone with all that is on it.
  for (const auto& node : nodes)
    if (node.offline || is_left_alone(node, w))
      places.erase(node.name);
  for (const auto* i : lodgers_of(places, w))
    s.rows.push_back(instance_row(*i));
  s.rows.insert(s.rows.end(), rows.begin(), rows.end());
  tell_of_mirrors(s, nodes, w);
  return s;
}

} // namespace orderly::errand
