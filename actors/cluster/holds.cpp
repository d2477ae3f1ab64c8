// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the desk says of nodes: held, about to go, about to come, switched off
// by the record; and what follows from it for whoever is near.

#include "actors/cluster/facts.hpp"
#include "actors/cluster/places.hpp"
#include "actors/cluster/relay.hpp"
#include "actors/policy/host_ha/switches.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace orderly {

namespace {

/// Where an instance may go changed for all that are near.
void spread_leaving(cluster_self self,
                    std::map<node_name, std::string> leaving) {
  auto& st = self->state;
  if (st.leaving == leaving)
    return;
  auto before = std::exchange(st.leaving, std::move(leaving));
  st.rooms.clear();
  auto all = st.said;
  all.leaving = st.leaving;
  self->send(st.peers.balancer, std::move(all));
  if (!st.picture)
    return;
  st.digest.spares = spares_in(st);
  for (const auto& x : st.picture->instances)
    send_facts(self, x);
  for (const auto& x : st.picture->nodes)
    if (before.count(x.name) != st.leaving.count(x.name))
      send_facts(self, x);
}

/// An order that has ended counts until a picture shows what came of it.
void take_leaving(cluster_self self) {
  auto& st = self->state;
  auto all = st.said.leaving;
  for (const auto& [node, why] : st.leaving)
    if (all.emplace(node, why).second)
      st.parting.emplace(node, now(self, st.ctx));
    else
      st.parting.erase(node);
  spread_leaving(self, std::move(all));
}

/// What relies on them being off hears of it at once.
void take_rising(cluster_self self, const holds& what) {
  auto& st = self->state;
  auto changed = std::exchange(st.rising, what.rising);
  if (!st.picture)
    return;
  changed.insert(what.rising.begin(), what.rising.end());
  for (const auto& [node, why] : changed) {
    if (const auto* record = find_record(st.picture->nodes, node))
      send_facts(self, *record);
    if (auto i = st.lodgers.find(node); i != st.lodgers.end())
      for (auto index : i->second)
        send_facts(self, st.picture->instances[index]);
  }
}

/// Who waits for an order's step hears at once that it was made. Those that are
/// new come with `leaving`.
void take_falling(cluster_self self, const std::set<node_name>& before) {
  auto& st = self->state;
  if (!st.picture)
    return;
  std::vector<node_name> through;
  std::set_difference(before.begin(), before.end(), st.said.falling.begin(),
                      st.said.falling.end(), std::back_inserter(through));
  for (const auto& node : through)
    if (const auto* record = find_record(st.picture->nodes, node))
      send_facts(self, *record);
}

/// Whose switch was turned hears of it at once.
void take_switches(cluster_self self, const ha_switches& before) {
  auto& st = self->state;
  if (!st.picture || before == st.said.switches)
    return;
  for (const auto& node : st.picture->nodes)
    if (host_ha::stand_of(before, *st.picture, node).why
        != host_ha::stand_of(st.said.switches, *st.picture, node).why)
      send_facts(self, node);
}

} // namespace

void end_partings(cluster_self self) {
  auto& st = self->state;
  auto all = st.leaving;
  std::erase_if(st.parting, [&](const auto& x) {
    return st.read_at > x.second && all.erase(x.first) > 0;
  });
  spread_leaving(self, std::move(all));
}

void take_holds(cluster_self self, const holds& what) {
  auto& st = self->state;
  auto said = std::exchange(st.said, what);
  auto& raised = said.raised;
  take_switches(self, said.switches);
  if (st.picture)
    for (const auto& [node, at] : what.raised)
      if (const auto* record = find_record(st.picture->nodes, node);
          record != nullptr && raised[node] != at)
        send_facts(self, *record);
  take_leaving(self);
  take_falling(self, said.falling);
  if (st.rising != what.rising)
    take_rising(self, what);
  if (st.held == what.nodes)
    return;
  auto before = std::exchange(st.held, what.nodes);
  st.rooms.clear();
  if (!st.picture)
    return;
  st.digest.spares = spares_in(st);
  auto reason = [](const auto& all, const node_name& name) {
    auto i = all.find(name);
    return i == all.end() ? std::string{} : i->second;
  };
  for (const auto& node : st.picture->nodes) {
    if (reason(before, node.name) == reason(st.held, node.name))
      continue;
    send_facts(self, node);
    for (auto index : st.lodgers[node.name])
      send_facts(self, st.picture->instances[index]);
  }
}

void take_upkeep(cluster_self self, const upkeep& what) {
  auto& st = self->state;
  auto before = std::exchange(st.upkeep, what.nodes);
  if (!st.picture)
    return;
  st.digest.spares = spares_in(st);
  for (const auto& node : st.picture->nodes)
    if (before.count(node.name) != st.upkeep.count(node.name))
      for (auto index : st.lodgers[node.name])
        send_facts(self, st.picture->instances[index]);
}

void take_records(cluster_self self, const power_records& what) {
  auto& st = self->state;
  auto before = std::exchange(st.recorded_off, what.off);
  auto wished = std::exchange(st.wishes, what.wishes);
  if (!st.picture)
    return;
  for (const auto& node : st.picture->nodes)
    if (before.count(node.name) != st.recorded_off.count(node.name)
        || wish_in(wished, node.name, node.uuid)
             != wish_in(st.wishes, node.name, node.uuid))
      send_facts(self, node);
}

caf::result<off_word_answer> pass_on(cluster_self self, off_word what) {
  const auto& st = self->state;
  auto i = st.nodes.find(what.node);
  auto known
    = st.picture && find_record(st.picture->nodes, what.node) != nullptr;
  if (i == st.nodes.end() && (known || !st.picture))
    return off_word_answer{false, fmt::format("orderlyd has just started, and "
                                              "does not watch {} yet; say it "
                                              "again in a moment",
                                              what.node)};
  if (i == st.nodes.end())
    return off_word_answer{false,
                           fmt::format("there is no node {}", what.node)};
  return self->delegate(i->second, std::move(what));
}

} // namespace orderly
